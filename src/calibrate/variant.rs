//! What is trained: the solution, and what stands beside it in `fixtures/`.

use std::path::Path;

use crate::build::Source;
use crate::fixtures::{self, Expect, Fixture, FixtureError, Role, Shelf, Trains};

/// What should become of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// The solution itself: every band is reached.
    Solution,
    /// Another way of being right: likewise.
    Alternative,
    /// A mistake that shows in training: the highest band is missed.
    Mutant,
    /// A mistake of which nothing is said: it may miss a band or not.
    Unmarked,
}

impl Kind {
    /// As it stands in tables.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Solution => "solution",
            Self::Alternative => "alternative",
            Self::Mutant => "mutant",
            Self::Unmarked => "unmarked",
        }
    }
}

/// Something to train.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variant {
    /// The folder's name.
    pub name: String,
    /// What should become of it.
    pub kind: Kind,
    /// Its files.
    pub source: Source,
}

impl Variant {
    fn of(fixture: Fixture) -> Self {
        let kind = match &fixture.role {
            Role::Solution => Kind::Solution,
            Role::Alternative => Kind::Alternative,
            Role::Mutant(Expect { training: Some(Trains::Misses), .. }) => Kind::Mutant,
            Role::Mutant(Expect { training: None, .. }) | Role::Idle => Kind::Unmarked,
        };
        Self { name: fixture.name, kind, source: fixture.source }
    }
}

/// Every variant of an assignment in the project at `home`: the solution, all alternatives, those
/// mutants whose `expect.toml` says `training = "misses"`, and with `unmarked` the other mutants too.
///
/// # Errors
///
/// When one cannot be read.
pub fn variants(
    home: &Path,
    assignment: &str,
    unmarked: bool,
) -> Result<Vec<Variant>, FixtureError> {
    let mut all = vec![fixtures::solution(home, assignment)?];
    all.extend(fixtures::shelf(home, Shelf::Alternatives, assignment)?);
    all.extend(fixtures::shelf(home, Shelf::Mutants, assignment)?);
    let is_wanted = |variant: &Variant| unmarked || variant.kind != Kind::Unmarked;
    Ok(all.into_iter().map(Variant::of).filter(is_wanted).collect())
}
