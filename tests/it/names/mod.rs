//! Names of mistakes: given to what makes them, however it is written, and to nothing else.
//!
//! Submissions are simulated by formulas in `f64`, which share no code with the imitations.

mod answers;
mod changed;
mod heads;
mod invariants;
mod modern;
mod poolings;
mod positions;
mod scores;
mod share;

use std::fmt::Write;

use softmark::diagnose::{Named, name_mistakes};
use softmark_checks::Case;
use softmark_exam::{Response, Suite};

use crate::support::exams::suite;
use crate::support::imitation::ImitationSession;

/// A part that is simulated: what it is, and what it answers.
type Simulated = (&'static str, fn(&Case) -> Response);

/// The answer of a part that panics where it would have refused.
fn panicking(response: Response) -> Response {
    if matches!(response, Response::Refused) { Response::Panicked } else { response }
}

/// The mistake named for each check when every check of `task` fails.
fn named(
    suite: &'static Suite,
    task: &'static str,
    part: impl Fn(&Case) -> Response + 'static,
) -> Named {
    let mut session = ImitationSession::new(suite, task, part, suite.rests);
    let checks = (suite.checks)().into_iter().filter(|check| check.check.task() == task);
    name_mistakes(suite, task, &checks.collect::<Vec<_>>(), &mut session).unwrap()
}

/// The mistakes that are named at all, in the order of the alphabet.
fn mistakes(
    suite: &'static Suite,
    task: &'static str,
    part: fn(&Case) -> Response,
) -> Vec<&'static str> {
    let mut ids: Vec<&'static str> = named(suite, task, part).into_values().collect();
    ids.sort_unstable();
    ids.dedup();
    ids
}

/// Holds a table of parts, each with the mistakes that it has to be named, against what is named.
fn hold(assignment: &str, task: &'static str, table: &[(&[&str], Simulated)]) {
    let suite = suite(assignment);
    let mut wrong = String::new();
    for (expected, (what, part)) in table {
        let found = mistakes(suite, task, *part);
        if found != *expected {
            writeln!(wrong, "{what}: {found:?} instead of {expected:?}").unwrap();
        }
    }
    assert!(wrong.is_empty(), "\n{wrong}");
}
