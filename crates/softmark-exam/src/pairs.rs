//! Imitations of two mistakes of a task at once.
//!
//! A mistake changes one rule of the reference, so two of them change two rules. Each assignment
//! lists in `pairs.rs` the rule that each of its mistakes changes.

use std::fmt::Debug;

use softmark_checks::Case;

use crate::{Pair, Response, Suite};

/// Mistake id, with the change that the mistake makes to the rules of the reference.
pub type Change<R> = (&'static str, fn(&mut R));

/// Returns all pairs of changes of different mistakes.
///
/// Two changes of the same rule are omitted, because the second would override the first.
pub fn combined<R: Clone + Debug + Send + Sync + 'static>(
    changes: &[Change<R>],
    right: &R,
    imitate: fn(&R, &Case) -> Response,
) -> Vec<Pair> {
    let alone: Vec<(R, String)> =
        changes.iter().map(|(_, change)| changed(right, *change)).collect();
    let mut pairs = Vec::new();
    for (at, ((one, _), (first, first_alone))) in changes.iter().zip(&alone).enumerate() {
        let later = changes.iter().zip(&alone).skip(at + 1).filter(|((other, _), _)| other != one);
        for ((other, change), (_, second_alone)) in later {
            let (rules, both) = changed(first, *change);
            if both == *first_alone || both == *second_alone {
                continue;
            }
            let imitate = Box::new(move |case: &Case| imitate(&rules, case));
            pairs.push(Pair { ids: [one, other], imitate });
        }
    }
    pairs
}

/// Returns the changed rules, and their text.
fn changed<R: Clone + Debug>(rules: &R, change: fn(&mut R)) -> (R, String) {
    let mut rules = rules.clone();
    change(&mut rules);
    let shown = format!("{rules:?}");
    (rules, shown)
}

/// Asserts that each change, alone, answers every diagnostic case like an imitation of the
/// catalogue; for the tests of exams.
///
/// # Panics
///
/// Panics if one does not, or the catalogue does not have its mistake.
#[expect(clippy::panic, reason = "an assertion of tests")]
pub fn assert_changes_are_imitations<R: Clone>(
    suite: &Suite,
    task: &str,
    changes: &[Change<R>],
    right: &R,
    imitate: fn(&R, &Case) -> Response,
) {
    let bank = (suite.mistakes)();
    let battery = (suite.battery)(task);
    for (id, change) in changes {
        let mistake = bank.iter().find(|it| it.id == *id && it.task == task);
        let mistake = mistake.unwrap_or_else(|| panic!("{task} has no mistake {id}"));
        let mut rules = right.clone();
        change(&mut rules);
        let same = |known: &fn(&Case) -> Response| {
            let cases = battery.iter().map(|question| &question.case);
            let mut answers = cases.map(|case| [known(case), imitate(&rules, case)]);
            answers.all(|[a, b]| format!("{a:?}") == format!("{b:?}"))
        };
        assert!(mistake.imitations.iter().any(same), "{id} is made otherwise here");
    }
}
