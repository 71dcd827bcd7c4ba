//! Imitations of two mistakes of a task at once.
//!
//! A mistake changes one rule of the reference, so two of them change two rules. Each assignment
//! lists in `pairs.rs` the rule that each of its mistakes changes.

use std::fmt::Debug;

use softmark_checks::Case;

use crate::suite::{Given, Pair};

/// Mistake id, with the change that the mistake makes to the rules of the reference.
pub(super) type Change<R> = (&'static str, fn(&mut R));

/// Returns all pairs of changes of different mistakes.
///
/// Two changes of the same rule are omitted, because the second would override the first.
pub(super) fn combined<R: Clone + Debug + Send + Sync + 'static>(
    changes: &[Change<R>],
    right: &R,
    imitate: fn(&R, &Case) -> Given,
) -> Vec<Pair> {
    let made = |rules: &R, change: fn(&mut R)| {
        let mut rules = rules.clone();
        change(&mut rules);
        let shown = format!("{rules:?}");
        (rules, shown)
    };
    let alone: Vec<(R, String)> = changes.iter().map(|(_, change)| made(right, *change)).collect();
    let mut pairs = Vec::new();
    for (at, ((one, _), (first, first_alone))) in changes.iter().zip(&alone).enumerate() {
        let later = changes.iter().zip(&alone).skip(at + 1).filter(|((other, _), _)| other != one);
        for ((other, change), (_, second_alone)) in later {
            let (rules, both) = made(first, *change);
            if both == *first_alone || both == *second_alone {
                continue;
            }
            let imitate = Box::new(move |case: &Case| imitate(&rules, case));
            pairs.push(Pair { ids: [one, other], imitate });
        }
    }
    pairs
}

#[cfg(test)]
pub(super) mod tests {
    use std::collections::BTreeSet;

    use crate::suite::{SUITES, Suite};

    use super::*;

    /// Asserts that each change, alone, answers every diagnostic case like an imitation of the
    /// catalogue.
    pub(in crate::suite) fn holds<R: Clone>(
        suite: &Suite,
        task: &str,
        changes: &[Change<R>],
        right: &R,
        imitate: fn(&R, &Case) -> Given,
    ) {
        let bank = (suite.mistakes)();
        let battery = (suite.battery)(task);
        for (id, change) in changes {
            let mistake = bank.iter().find(|it| it.id == *id && it.task == task);
            let mistake = mistake.unwrap_or_else(|| panic!("{task} has no mistake {id}"));
            let mut rules = right.clone();
            change(&mut rules);
            let same = |known: &fn(&Case) -> Given| {
                battery.iter().all(|question| {
                    let (a, b) = (known(&question.case), imitate(&rules, &question.case));
                    format!("{a:?}") == format!("{b:?}")
                })
            };
            assert!(mistake.imitations.iter().any(same), "{id} is made otherwise here");
        }
    }

    #[test]
    fn no_pair_consists_of_one_mistake() {
        for suite in SUITES {
            let tasks: BTreeSet<&str> = (suite.mistakes)().iter().map(|it| it.task).collect();
            for pair in tasks.into_iter().flat_map(|task| (suite.pairs)(task)) {
                assert_ne!(pair.ids[0], pair.ids[1]);
            }
        }
    }
}
