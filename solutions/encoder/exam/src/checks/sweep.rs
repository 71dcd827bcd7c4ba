//! Hidden checks of the search.

use encoder_checks::sweep::{
    SCORES, Searched, SweepShape, grid, judge_best, level, place_of_best, run as run_search,
    sweep_shapes,
};
use softmark_checks::check::wrong;
use softmark_checks::subject::{compare, refuses, responds};
use softmark_checks::words::count;
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_exam::check::matches_oracle;
use softmark_wire::Attempt;

use crate::oracle::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "sweep/matches-reference",
        title: "trainings, report and choice are those of the documentation",
        run: matches_reference,
    },
    Check {
        id: "sweep/first-of-equals",
        title: "of equal validation accuracies the first wins",
        run: first_of_equals,
    },
    Check {
        id: "sweep/nan-never-wins",
        title: "a validation accuracy of NaN never wins",
        run: never_a_number_less,
    },
    Check {
        id: "sweep/within-budget",
        title: "the search ends when the budget is spent",
        run: within_budget,
    },
    Check {
        id: "sweep/test-plays-no-part",
        title: "accuracies on training and test examples play no part",
        run: test_plays_no_part,
    },
    Check {
        id: "sweep/passes-errors-on",
        title: "an error of a training is passed on at once",
        run: passes_errors_on,
    },
];

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("sweep/matches-reference", seed), 6, sweep_shapes(), |subject, shape| {
        let words = (
            "Trainings, report and choice should be those of the documentation",
            "Go through the documentation of GridSearch sentence by sentence.",
        );
        matches_oracle(subject, &shape.case(seed), oracle, Tolerance::EXACT, words)
    })
}

/// At least three trainings.
fn several(shape: &SweepShape) -> SweepShape {
    SweepShape { sizes: shape.sizes.max(3), ..*shape }
}

/// The case with the highest validation accuracy at two places.
pub(crate) fn tied(case: &Case, seed: u64) -> Case {
    let n = case.get("validation").values().len() as u64;
    let mut stream = Stream::derive(seed, "tied", 0);
    let (one, by) = (stream.below(n), 1 + stream.below(n - 1));
    let places = [one as f64, ((one + by) % n) as f64];
    let mut at = -1.0;
    case.with(
        "validation",
        case.get("validation").map(|x| {
            at += 1.0;
            if places.contains(&at) { 1.0 } else { x }
        }),
    )
}

/// All accuracies are the same, on whatever examples: what decides, and which way it is compared, is for
/// other checks.
fn first_of_equals(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("sweep/first-of-equals", seed), 3, sweep_shapes(), |subject, shape| {
        let words = (
            "All trainings have the same validation accuracy, and the first of them should be the best (0 \
             stands for it, and -1 for none)",
            "Look at the comparison: what happens when both sides are equal, and what does the search \
             begin with?",
        );
        let case = several(shape).case(seed);
        [0.5, 0.0].into_iter().try_for_each(|it| judge_best(subject, &level(&case, it), words))
    })
}

/// The case whose first training diverged, or all of them: every accuracy of it is `NaN`.
pub(crate) fn diverged(case: &Case, all: bool) -> Case {
    diverged_where(case, &SCORES, |at| all || at == 0)
}

/// The case in which these accuracies are `NaN` in the trainings for which `which` is true, counted from 0.
fn diverged_where(case: &Case, scores: &[&str], which: impl Fn(usize) -> bool) -> Case {
    let mut diverged = case.clone();
    for name in scores {
        let scores = case.get(name);
        let numbers = scores.values().iter().enumerate();
        let numbers = numbers.map(|(at, &x)| if which(at) { f64::NAN } else { x });
        diverged = diverged.with(name, Array::new(scores.shape(), numbers.collect()));
    }
    diverged
}

fn never_a_number_less(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("sweep/nan-never-wins", seed), 4, sweep_shapes(), |subject, shape| {
        let case = several(shape).case(seed);
        let last = case.get("validation").values().len() - 1;
        let whole = run_search(subject, &case)?;
        let is_right = whole.best == place_of_best(whole.accuracies.values());
        for (place, name) in [(0, "first"), (last / 2, "middle"), (last, "last")] {
            let one = diverged_where(&case, &SCORES, |at| at == place);
            another_wins(subject, &one, name)?;
            if is_right {
                let claim = format!(
                    "The {name} training diverged, and the best should be the one with the highest of the \
                     other validation accuracies (its place among the trials is compared, counted from 0)"
                );
                judge_best(subject, &one, (&claim, COMPARISON))?;
            }
        }
        let claim =
            "Every training diverged, so that nothing should be the best (-1 stands for that)";
        judge_best(subject, &diverged(&case, true), (claim, COMPARISON))
    })
}

const COMPARISON: &str =
    "Look at the comparison: what is larger than NaN, and what is NaN larger than?";

/// Holds that the best is a training whose validation accuracy is a number, where the one of that name diverged.
fn another_wins(subject: &mut Subject<'_>, case: &Case, name: &str) -> Judged {
    let Searched { accuracies, best, .. } = run_search(subject, case)?;
    let accuracies = accuracies.values();
    if accuracies.iter().all(|accuracy| accuracy.is_nan()) {
        let message = format!(
            "The {name} training diverged, and the report has no other training whose validation accuracy is \
             a number. Look at where the search ends."
        );
        return Err(wrong(case, message));
    }
    let mut chosen = (0_u32..).zip(accuracies).filter(|(at, _)| f64::from(*at) == best);
    let is = match chosen.next() {
        Some((_, accuracy)) if !accuracy.is_nan() => return Ok(()),
        Some(_) => "that one".to_owned(),
        None if best < 0.0 => "none".to_owned(),
        None => {
            let message = format!(
                "The report says that trial {best} is the best, and there is no trial of that number: it has \
                 {}, counted from 0. Look at the number that the report gets as its best.",
                count(accuracies.len(), "trial", "trials")
            );
            return Err(wrong(case, message));
        }
    };
    let message = format!(
        "The {name} training diverged: its validation accuracy is NaN, which never wins. The best should be \
         another training, but it is {is}. {COMPARISON}"
    );
    Err(wrong(case, message))
}

fn within_budget(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sweep/within-budget", seed);
    search(subject, run, 5, (sweep_shapes(), 1..=9_usize), |subject, (shape, beyond)| {
        let shape = &several(shape);
        for beyond in [*beyond, 1] {
            stops_in_time(subject, &SweepShape { beyond, ..*shape }.case(seed))?;
        }
        // Nothing to spend, and nothing to choose from.
        let nothing = SweepShape { beyond: shape.rates * shape.sizes, ..*shape };
        stops_in_time(subject, &nothing.case(seed))?;
        let no_rates = SweepShape { rates: 0, ..*shape };
        let no_sizes = SweepShape { sizes: 0, ..*shape };
        for empty in [no_rates, no_sizes].map(|shape| shape.case(seed)) {
            stops_in_time(subject, &empty)?;
            stops_in_time(subject, &with_budget(&empty, 3))?;
        }
        // A training that diverged is one of those that the budget allows. Code that fails there fails other checks.
        let diverged = diverged(&SweepShape { beyond: 1, ..*shape }.case(seed), false);
        if let Attempt::Success(_) = subject.try_forward(&diverged)? {
            stops_in_time(subject, &diverged)?;
        }
        // A search that trains nothing is right where there is nothing to spend, and only there.
        let open = shape.case(seed);
        let all = run_search(subject, &open)?;
        if all.trained.dim(0) == 0 {
            let message = "Nothing was trained, with a budget for every combination.";
            return Err(wrong(&open, message.to_owned()));
        }
        Ok(())
    })
}

/// The case with something to spend.
fn with_budget(case: &Case, budget: usize) -> Case {
    let mut other = case.with_size("budget", budget);
    other.label = case.label.replace("budget 0", &format!("budget {budget}"));
    other
}

fn stops_in_time(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (searched, want) = (run_search(subject, case)?, grid(case));
    let look = "Look at where the budget is checked, and at what ends there.";
    if searched.trained.dim(0) != want.dim(0) {
        let message = format!(
            "The budget allows {}; carried out: {}. {look}",
            count(want.dim(0), "training", "trainings"),
            searched.trained.dim(0)
        );
        return Err(wrong(case, message));
    }
    let trials = searched.accuracies.values().len();
    let is_one = (0.0..trials as f64).contains(&searched.best);
    if is_one || (trials == 0 && searched.best < 0.0) {
        return Ok(());
    }
    let expected = if trials == 0 {
        "nothing should be the best (-1 stands for that)"
    } else {
        "one of them should be the best (counted from 0; -1 stands for none)"
    };
    let message = format!(
        "There was a report of {}, and {expected}, but the best is {}. Look at what the best is before \
         anything is trained, and at what it counts.",
        count(trials, "training", "trainings"),
        searched.best
    );
    Err(wrong(case, message))
}

/// The case with other accuracies on training and test examples.
fn otherwise(case: &Case, seed: u64) -> Case {
    let mut moved = case.clone();
    for name in SCORES.into_iter().filter(|name| *name != "validation") {
        let mut stream = Stream::derive(seed, name, 1);
        let other = Array::from_fn(case.get(name).shape(), |_| f64::from(stream.uniform()));
        moved = moved.with(name, other);
    }
    moved
}

/// The case whose accuracies on training and test examples are in the opposite order: what was the highest is the
/// lowest.
fn opposite(case: &Case) -> Case {
    let turned = |name: &str| case.get(name).map(|x| 1.0 - x);
    case.with("train", turned("train")).with("test", turned("test"))
}

fn test_plays_no_part(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("sweep/test-plays-no-part", seed), 6, sweep_shapes(), |subject, shape| {
        let case = several(shape).case(seed);
        let moved = otherwise(&case, seed);
        let words = (
            "Only the accuracies on training and test examples were changed, and another trial \
             became the best",
            "Look at which accuracy decides.",
        );
        let best = |it: f64| Array::new(&[1], vec![it]);
        let before = run_search(subject, &case)?.best;
        let after = run_search(subject, &moved)?.best;
        compare(&moved, "best", (&best(after), &best(before)), Tolerance::EXACT, words)?;
        // Nor do they where validation accuracies are equal, or where they are no numbers.
        let equal = case.with("validation", case.get("validation").map(|_| 0.5));
        let words = (
            "All validation accuracies are equal, only the accuracies on training and test examples were \
             changed, and another trial became the best",
            "Look at which accuracy decides where two trials are equal.",
        );
        let other = opposite(&equal);
        let [one, two] = [run_search(subject, &equal)?.best, run_search(subject, &other)?.best];
        compare(&other, "best", (&best(two), &best(one)), Tolerance::EXACT, words)?;
        let words = (
            "The accuracies of the best trial on training and test examples became NaN, its validation \
             accuracy stayed what it was, and another trial became the best",
            "Look at which accuracy decides.",
        );
        let unknown = diverged_where(&case, &["train", "test"], |at| at as f64 == before);
        let after = run_search(subject, &unknown)?.best;
        compare(&unknown, "best", (&best(after), &best(before)), Tolerance::EXACT, words)?;
        // The validation accuracies, turned round, must be able to change it.
        let accuracies = case.get("validation");
        let turned = case.with("validation", accuracies.map(|x| 1.0 - x));
        let other = run_search(subject, &turned)?.best;
        let changed = "The highest validation accuracies were made the lowest";
        responds(&turned, "best", (&best(before), &best(other)), changed)
    })
}

/// The case in which training `n`, counted from 0, fails.
fn broken(case: &Case, n: usize) -> Case {
    let mut at = 0;
    let fails = case.get("validation").map(|_| {
        at += 1;
        f64::from(u8::from(at == n + 1))
    });
    let mut broken = case.clone().mask_called("broken", fails);
    broken.label = format!("{}, training {} fails", case.label, n + 1);
    broken
}

fn passes_errors_on(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("sweep/passes-errors-on", seed), 3, sweep_shapes(), |subject, shape| {
        let case = several(shape).case(seed);
        let last = grid(&case).dim(0).saturating_sub(1);
        [(0, "first"), (last / 2, "middle"), (last, "last")].into_iter().try_for_each(
            |(n, which)| {
                let claim = format!(
                    "The {which} training returns an error, which should be passed on at once"
                );
                let look = "Look at what is done with what `train` returns.";
                let broken = broken(&case, n);
                let judged = refuses(subject, (&case, &broken), (&claim, look));
                if judged.is_ok() || subject.try_forward(&broken)?.into_result().is_err() {
                    return judged;
                }
                // The answer may stand for an error that was passed on late.
                let went_on = "The search trained on, or returned a report";
                Err(wrong(&broken, format!("{claim}. {went_on}. {look}")))
            },
        )
    })
}
