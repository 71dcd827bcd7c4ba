//! Hidden checks of the search.

use softmark_checks::check::wrong;
use softmark_checks::encoder::sweep::{
    SCORES, SweepShape, grid, judge_best, run as run_search, sweep_shapes,
};
use softmark_checks::subject::compare;
use softmark_checks::{Array, Case, CheckError, Judged, Outcome, Subject, search};
use softmark_kit::compare::Tolerance;
use softmark_kit::rng::Stream;

use crate::check::matches_oracle;
use crate::suite::encoder::oracle::oracle;

pub(crate) fn matches_reference(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("sweep/matches-reference", seed);
    search(subject, run, 6, sweep_shapes(), |subject, shape| {
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
    tied_at(case, [one as f64, ((one + by) % n) as f64])
}

/// The case with the highest validation accuracy at these two places.
fn tied_at(case: &Case, places: [f64; 2]) -> Case {
    let mut at = -1.0;
    case.with(
        "validation",
        case.get("validation").map(|x| {
            at += 1.0;
            if places.contains(&at) { 1.0 } else { x }
        }),
    )
}

pub(crate) fn first_of_equals(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sweep/first-of-equals", seed);
    search(subject, run, 5, sweep_shapes(), |subject, shape| {
        let words = (
            "Two trainings have the same validation accuracy, the highest, and the first of them \
             should be the best",
            "Look at the comparison: what happens when both sides are equal?",
        );
        let shape = several(shape);
        let case = shape.case(seed);
        judge_best(subject, &tied(&case, seed), words)?;
        // The first learning rate's last, and the last of all.
        let places = [shape.sizes - 1, shape.rates * shape.sizes - 1].map(|place| place as f64);
        judge_best(subject, &tied_at(&case, places), words)
    })
}

/// The case with a first validation accuracy of `NaN`, or all of them.
pub(crate) fn diverged(case: &Case, all: bool) -> Case {
    let mut at = 0;
    case.with(
        "validation",
        case.get("validation").map(|x| {
            at += 1;
            if all || at == 1 { f64::NAN } else { x }
        }),
    )
}

pub(crate) fn never_a_number_less(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("sweep/nan-never-wins", seed);
    search(subject, run, 4, sweep_shapes(), |subject, shape| {
        let case = several(shape).case(seed);
        let look = "Look at the comparison: what is larger than NaN, and what is NaN larger than?";
        let claim = "The first training diverged and has a validation accuracy of NaN, which never \
                     wins";
        judge_best(subject, &diverged(&case, false), (claim, look))?;
        let claim =
            "Every training diverged, so that nothing should be the best (-1 stands for that)";
        judge_best(subject, &diverged(&case, true), (claim, look))
    })
}

pub(crate) fn within_budget(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sweep/within-budget", seed);
    search(subject, run, 5, (sweep_shapes(), 1..=9_usize), |subject, (shape, beyond)| {
        for beyond in [*beyond, 1] {
            stops_in_time(subject, &SweepShape { beyond, ..several(shape) }.case(seed))?;
        }
        // A search that trains nothing is right where there is nothing to spend, and only there.
        let open = several(shape).case(seed);
        let all = run_search(subject, &open)?;
        if all.trained.dim(0) == 0 {
            let message = "Nothing was trained, with a budget for every combination.";
            return Err(wrong(&open, message.to_owned()));
        }
        Ok(())
    })
}

fn stops_in_time(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let (searched, want) = (run_search(subject, case)?, grid(case));
    let look = "Look at where the budget is looked at, and at what ends there.";
    if searched.trained.dim(0) != want.dim(0) {
        let message = format!(
            "Trainings that the budget allows: {}; trainings that were carried out: {}. {look}",
            want.dim(0),
            searched.trained.dim(0)
        );
        return Err(wrong(case, message));
    }
    let claim = "Within the budget, trainings should be carried out in the documented order";
    let pair = (&searched.trained, &want);
    compare(case, "trained", pair, Tolerance::EXACT, (claim, look))?;
    let claim = "The best should be one of those that were carried out";
    judge_best(subject, case, (claim, look))
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

pub(crate) fn test_plays_no_part(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let run = ("sweep/test-plays-no-part", seed);
    search(subject, run, 6, sweep_shapes(), |subject, shape| {
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
        // The validation accuracies, turned round, must be able to change it.
        let accuracies = case.get("validation");
        let turned = case.with("validation", accuracies.map(|x| 1.0 - x));
        judge_best(subject, &turned, ("The best should follow the validation accuracy", words.1))
    })
}
