//! Search for a failing case, and for the smallest one.

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use softmark_common::rng::key;
use softmark_wire::Fault;

use crate::corners::Corners;
use crate::outcome::Outcome;
use crate::subject::Subject;
use crate::verdict::{CheckError, Judged, Stop};

/// Largest number of attempts to shrink a case.
///
/// A case has at most eight sizes below ten and a few switches: halving each of them to its end
/// takes fewer than a hundred steps.
const MAX_SHRINKS: usize = 100;

/// Runs `judge` on `cases` inputs of `strategy`, and then on the corner cases of one more; returns the outcome
/// of the smallest failing input that was found.
///
/// The corner cases run last, so that a mistake is reported with a smaller case if one shows it. They are not
/// shrunk, because each of their sizes has a purpose. The inputs depend only on `seed` and `check`: the same run
/// gives the same case.
///
/// # Errors
///
/// Fails if no input can be generated or the session breaks.
pub fn search<S: Strategy<Value: Corners>>(
    subject: &mut Subject<'_>,
    (check, seed): (&str, u64),
    cases: usize,
    strategy: S,
    mut judge: impl FnMut(&mut Subject<'_>, &S::Value) -> Judged,
) -> Result<Outcome, CheckError> {
    let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &key(seed, check, 0));
    let config = Config { failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, rng);
    let mut draw = || {
        let no_input = |reason: String| CheckError::Inputs { check: check.to_owned(), reason };
        strategy.new_tree(&mut runner).map_err(|reason| no_input(reason.to_string()))
    };
    for _ in 0..cases {
        let mut tree = draw()?;
        match judge(subject, &tree.current()) {
            Ok(()) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Outcome(found)) => {
                return smallest(*found, &mut tree, |value| judge(subject, value));
            }
        }
    }
    for corner in draw()?.current().corners() {
        match judge(subject, &corner) {
            Ok(()) => {}
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Outcome(found)) => return Ok(*found),
        }
    }
    Ok(Outcome::Pass)
}

/// Shrinks `tree` to a smaller value with the same kind of outcome as `found`.
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

#[cfg(test)]
mod tests {
    use softmark_wire::{Asked, Reply, Request, Session, SessionError};

    use super::*;
    use crate::case::Case;
    use crate::signature::Signature;
    use crate::verdict::wrong;

    static TEST: Signature = Signature::new("test", &[], &[], &[]);

    /// Answers nothing; the judges below ask nothing.
    struct Silent;

    impl Session for Silent {
        fn ask(&mut self, _: &Request) -> Asked<Reply> {
            Err(SessionError { message: "nobody is there".to_owned(), source: None })
        }

        fn renew(&mut self) -> Result<(), SessionError> {
            Ok(())
        }
    }

    /// A number, and 5000 as its corner.
    #[derive(Debug, Clone)]
    struct Number(u64);

    impl Corners for Number {
        fn corners(&self) -> Vec<Self> {
            vec![Self(5000)]
        }
    }

    fn run(seed: u64, judge: impl Fn(u64) -> Judged) -> (Result<Outcome, CheckError>, Vec<u64>) {
        let mut seen = Vec::new();
        let found =
            search(&mut Subject::new(&mut Silent), ("test", seed), 50, numbers(), |_, n| {
                seen.push(n.0);
                judge(n.0)
            });
        (found, seen)
    }

    fn numbers() -> impl Strategy<Value = Number> {
        (0..1000_u64).prop_map(Number)
    }

    fn case(n: u64) -> Case {
        Case::new(&TEST, n.to_string())
    }

    #[test]
    fn the_smallest_failing_case_is_found() {
        let judge = |n| if n > 37 { Err(wrong(&case(n), n.to_string())) } else { Ok(()) };
        let (Ok(Outcome::Wrong { message, .. }), _) = run(1, judge) else { panic!("not wrong") };
        assert_eq!(message, "38");
    }

    #[test]
    fn the_same_seed_asks_the_same_questions() {
        let judge = |_| Ok(());
        assert_eq!(run(5, judge).1, run(5, judge).1);
        assert_ne!(run(5, judge).1, run(6, judge).1);
        assert_eq!(run(5, judge).1.len(), 51);
    }

    #[test]
    fn what_shows_at_a_corner_alone_shows_on_every_seed() {
        for seed in 0..20 {
            let judge = |n| if n == 5000 { Err(wrong(&case(n), n.to_string())) } else { Ok(()) };
            let (Ok(Outcome::Wrong { message, .. }), seen) = run(seed, judge) else {
                panic!("not wrong")
            };
            assert_eq!((message.as_str(), seen.len()), ("5000", 51));
        }
    }

    #[test]
    fn a_wrong_answer_never_shrinks_to_a_panic() {
        let panicked = || {
            let failure = softmark_wire::Failure {
                kind: softmark_wire::FailureKind::Panicked,
                message: String::new(),
                place: String::new(),
            };
            Outcome::from_fault(Fault::Code(failure), case(0).evidence()).into()
        };
        let judge = |n| match n {
            0..=99 => Err(panicked()),
            100.. => Err(wrong(&case(n), n.to_string())),
        };
        for seed in 0..20 {
            let (found, seen) = run(seed, judge);
            let first_is_wrong = seen.first().is_some_and(|n| *n >= 100);
            assert_eq!(matches!(found.unwrap(), Outcome::Wrong { .. }), first_is_wrong);
        }
    }

    #[test]
    fn a_killed_process_is_not_asked_again() {
        let killed = |n: u64| {
            let fault = Fault::CpuTime { seconds: 2 };
            Err(Outcome::from_fault(fault, case(n).evidence()).into())
        };
        assert_eq!(run(1, killed).1.len(), 1);
    }

    #[test]
    fn a_broken_session_is_an_error() {
        let judge = |_| {
            let error = SessionError { message: "gone".to_owned(), source: None };
            Err(Stop::from(error))
        };
        assert!(run(1, judge).0.is_err());
    }
}
