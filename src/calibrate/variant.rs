//! Programs to train: the solution, its accepted variants and its mutants.

use softmark_exam::Training;

use crate::build::Source;
use crate::fixtures::{self, Expect, Fixture, FixtureError, Role, Trains};
use crate::pipeline::is_trained;
use crate::suite::Project;

/// Expected result of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The solution, which must reach every band.
    Solution,
    /// An accepted variant of the solution, which must reach every band.
    Accepted,
    /// A mistake that shows in training: it must miss the highest band.
    Mutant,
    /// A mistake without an expected result: it may miss a band or not.
    Unmarked,
}

impl Kind {
    /// Returns the name of the kind in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Accepted => "variant",
            Self::Mutant => "mutant",
            Self::Unmarked => "unmarked",
        }
    }
}

/// A program to train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// Name of the fixture.
    pub name: String,
    /// Expected result of the variant.
    pub kind: Kind,
    /// Files of the variant.
    pub source: Source,
}

impl Variant {
    fn of(fixture: Fixture) -> Self {
        let kind = match &fixture.role {
            Role::Solution => Kind::Solution,
            Role::Variant => Kind::Accepted,
            Role::Mutant(Expect { training: Some(Trains::Misses), .. }) => Kind::Mutant,
            Role::Mutant(Expect { training: None, .. }) | Role::Idle => Kind::Unmarked,
        };
        Self { name: fixture.name, kind, source: fixture.source }
    }
}

/// Returns every variant of an assignment in `project` for a training: the solution, all accepted
/// ones, those mutants of what is trained whose patch says `training = "misses"`, and with
/// `unmarked` the other mutants too.
///
/// # Errors
///
/// Fails if one cannot be read.
pub fn variants(
    project: Project<'_>,
    (assignment, training): (&str, &Training),
    unmarked: bool,
) -> Result<Vec<Variant>, FixtureError> {
    let mut all = vec![fixtures::solution(project.home, assignment)?];
    all.extend(fixtures::variants(project, assignment)?);
    let is_of_training = |fixture: &Fixture| match &fixture.role {
        Role::Mutant(expect) => is_trained(training, &expect.task),
        Role::Solution | Role::Variant | Role::Idle => true,
    };
    all.extend(fixtures::mutants(project, assignment)?.into_iter().filter(is_of_training));
    let is_wanted = |variant: &Variant| unmarked || variant.kind != Kind::Unmarked;
    Ok(all.into_iter().map(Variant::of).filter(is_wanted).collect())
}
