//! Looks for a case that a judge objects to, and then for the smallest one.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use softmark_kit::rng::key;
use softmark_wire::Fault;

use crate::check::{CheckError, Judged, Stop};
use crate::outcome::Outcome;
use crate::subject::Subject;

/// Most attempts at a smaller case.
///
/// A case has at most eight sizes below ten and a few switches: halving each of them to its end
/// takes fewer than a hundred steps.
const MAX_SHRINKS: usize = 100;

/// Puts `judge` to `cases` inputs of `strategy`; comes back with what it says of the smallest input
/// found that it objects to.
///
/// The inputs depend on `seed` and `check` alone: the same run gives the same case.
///
/// # Errors
///
/// When no input can be made or the session breaks.
pub fn search<S: Strategy>(
    subject: &mut Subject<'_>,
    (check, seed): (&str, u64),
    cases: usize,
    strategy: S,
    mut judge: impl FnMut(&mut Subject<'_>, &S::Value) -> Judged,
) -> Result<Outcome, CheckError> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key(seed, check, 0));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    for _ in 0..cases {
        let mut tree = strategy.new_tree(&mut runner).map_err(|reason| CheckError::Inputs {
            check: check.to_owned(),
            reason: reason.to_string(),
        })?;
        match judge(subject, &tree.current()) {
            Ok(()) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Outcome(found)) => {
                return smallest(*found, &mut tree, |value| judge(subject, value));
            }
        }
    }
    Ok(Outcome::Pass)
}

/// Follows `tree` to a smaller value that comes to the same kind of outcome as `found`.
fn smallest<T: ValueTree>(
    found: Outcome,
    tree: &mut T,
    mut judge: impl FnMut(&T::Value) -> Judged,
) -> Result<Outcome, CheckError> {
    if !can_shrink(&found) || !tree.simplify() {
        return Ok(found);
    }
    let mut best = found;
    for _ in 0..MAX_SHRINKS {
        let still = match judge(&tree.current()) {
            Ok(()) => None,
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Outcome(outcome)) => (std::mem::discriminant(&*outcome)
                == std::mem::discriminant(&best))
            .then_some(*outcome),
        };
        let more = if let Some(outcome) = still {
            best = outcome;
            tree.simplify()
        } else {
            tree.complicate()
        };
        if !more {
            break;
        }
    }
    Ok(best)
}

/// A wrong answer and a panic are cheap to repeat; a process that was killed is not.
fn can_shrink(outcome: &Outcome) -> bool {
    matches!(outcome, Outcome::Wrong { .. } | Outcome::Fault { fault: Fault::Code(_), .. })
}
