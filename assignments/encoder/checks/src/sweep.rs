//! Task 6, the search: properties of every correct implementation.

use proptest::prelude::*;
use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Judged, Stop, if_passed, outcome, wrong};
use softmark_checks::corners::Corners;
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Answer, Subject, compare};
use softmark_checks::words::count;
use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;

use crate::signatures;

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "sweep/every-combination",
        title: "every combination is trained once, in the documented order",
        run: every_combination,
    },
    Check {
        id: "sweep/best-validation",
        title: "the best validation accuracy wins",
        run: best_validation,
    },
];

const CASES: usize = 6;

/// Shape of a case for a grid search.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SweepShape {
    /// Number of learning rates.
    pub rates: usize,
    /// Number of batch sizes.
    pub sizes: usize,
    /// Number of trainings beyond the budget.
    pub beyond: usize,
    /// True if the first learning rate's last batch size has the highest validation accuracy, and the training
    /// after it the lowest: trainings in another order have these accuracies at other places.
    pub placed: bool,
    /// Index of the random stream that the values are drawn from.
    pub data: u64,
}

/// The three accuracies that a training is scored with.
pub const SCORES: [&str; 3] = ["train", "validation", "test"];

impl SweepShape {
    /// The question, with accuracies that are all different.
    pub fn case(&self, seed: u64) -> Case {
        let Self { rates, sizes, beyond, placed, data } = *self;
        let budget = (rates * sizes).saturating_sub(beyond);
        let label = format!(
            "{}, {}, budget {budget}",
            count(rates, "learning rate", "learning rates"),
            count(sizes, "batch size", "batch sizes")
        );
        // Powers of two, which f32 holds exactly, in an order of their own.
        let exponents = |n, name| mixed(n, &mut Stream::derive(seed, name, data));
        let rate = exponents(rates, "order of rates").map(|exponent| 0.5_f64.powf(exponent));
        let size = exponents(sizes, "order of sizes").map(|exponent| 2_f64.powf(exponent + 2.0));
        let mut case = Case::new(&signatures::SWEEP, label)
            .size("budget", budget)
            .input("learning_rates", rate)
            .ids("batch_sizes", size);
        for name in SCORES {
            let mut scores = accuracies(rates, sizes, &mut Stream::derive(seed, name, data));
            if placed && name == "validation" {
                scores = with_extremes(&scores);
            }
            case = case.input(name, scores);
        }
        case
    }
}

/// A random order of `1, 2 … n`. The first of three or more is neither the smallest nor the largest: so they neither
/// rise nor fall, and the first learning rate is distinct from those that code may prefer.
fn mixed(n: usize, stream: &mut Stream) -> Array {
    let mut order = shuffled(&[n], stream).values().to_vec();
    let is_end = order.first().is_some_and(|&first| first == 1.0 || first == n as f64);
    if n > 2
        && is_end
        && let Some(at) = order.iter().position(|&x| x == 2.0)
    {
        order.swap(0, at);
    }
    Array::new(&[n], order)
}

/// A random order of the numbers `1, 2 …` in an array of that shape.
fn shuffled(shape: &[usize], stream: &mut Stream) -> Array {
    let n: usize = shape.iter().product();
    let mut left: Vec<f64> = (1..=n).map(|x| x as f64).collect();
    Array::from_fn(shape, |_| {
        let at = usize::try_from(stream.below(left.len() as u64)).unwrap_or(0);
        if at < left.len() { left.swap_remove(at) } else { f64::NAN }
    })
}

/// A random order of the numbers `1/64, 2/64 …`, as many as there are combinations.
fn accuracies(rates: usize, sizes: usize, stream: &mut Stream) -> Array {
    shuffled(&[rates, sizes], stream).map(|x| x / 64.0)
}

/// The same numbers, with the highest at the end of the first row and the lowest at the start of the
/// second.
fn with_extremes(scores: &Array) -> Array {
    let mut numbers = scores.values().to_vec();
    let end = scores.dim(1).saturating_sub(1);
    for (to, is_better) in [(end, f64::gt as fn(&f64, &f64) -> bool), (end + 1, f64::lt)] {
        let best = (0..numbers.len()).reduce(|best, at| {
            let better =
                numbers.get(at).zip(numbers.get(best)).is_some_and(|(x, y)| is_better(x, y));
            if better { at } else { best }
        });
        if let Some(best) = best.filter(|_| to < numbers.len()) {
            numbers.swap(best, to);
        }
    }
    Array::new(scores.shape(), numbers)
}

impl Corners for SweepShape {
    fn corners(&self) -> Vec<Self> {
        vec![Self { rates: 3, sizes: 4, placed: true, ..*self }]
    }
}

/// Grids of up to three learning rates and four batch sizes.
pub fn sweep_shapes() -> impl Strategy<Value = SweepShape> {
    (1..=3_usize, 1..=4_usize, any::<u64>().no_shrink()).prop_map(|(rates, sizes, data)| {
        SweepShape { rates, sizes, beyond: 0, placed: false, data }
    })
}

/// Trainings and report of one grid search.
#[derive(Debug)]
pub struct Searched {
    /// Learning rate and batch size of every training that was run, `[n, 2]`.
    pub trained: Array,
    /// Learning rate and batch size of every trial in the report, `[trials, 2]`.
    pub reported: Array,
    /// Validation accuracies in the report, one for each trial.
    pub accuracies: Array,
    /// Index of the best trial; −1 for none.
    pub best: f64,
}

/// Runs the search.
///
/// # Errors
///
/// Fails with the verdict if the report has not as many trials as there were trainings, unless it has all that are
/// due: trainings beyond those are for the checks of the order and of the budget to judge.
pub fn run(subject: &mut Subject<'_>, case: &Case) -> Result<Searched, Stop> {
    let answer: Answer = subject.forward(case)?;
    let n = answer.tensor("trained").map_or(0, |it| it.shape().first().copied().unwrap_or(0));
    let trained = answer.get(case, "trained", &[n, 2])?;
    let rows = answer.tensor("reported").map_or(0, |it| it.shape().first().copied().unwrap_or(0));
    let reported = answer.get(case, "reported", &[rows, 2])?;
    if rows != n && (rows > n || reported != grid(case)) {
        let message = format!(
            "Calls of `train`: {n}; trials in the report: {rows}. Look at what is put into the report, and \
             when."
        );
        return Err(wrong(case, message));
    }
    let best = answer.get(case, "best", &[1])?;
    Ok(Searched {
        trained,
        reported,
        accuracies: answer.get(case, "accuracies", &[rows])?,
        best: best.at(&[0]),
    })
}

/// The combinations in the documented order, `[n, 2]`, within the budget.
#[must_use]
pub fn grid(case: &Case) -> Array {
    let (rates, sizes) = (case.get("learning_rates"), case.get("batch_sizes"));
    let n = (rates.dim(0) * sizes.dim(0)).min(case.get_size("budget"));
    Array::from_fn(&[n, 2], |at| match *at {
        [at, 0] => rates.at(&[at / sizes.dim(0).max(1)]),
        [at, _] => sizes.at(&[at % sizes.dim(0).max(1)]),
        _ => f64::NAN,
    })
}

/// A search that has two ways of being wrong in each of its loops.
const TWO_BY_THREE: SweepShape =
    SweepShape { rates: 2, sizes: 3, beyond: 0, placed: true, data: 0 };

/// Returns the case with the same validation accuracy throughout.
#[must_use]
pub fn level(case: &Case, accuracy: f64) -> Case {
    let mut level = case.clone();
    for name in SCORES {
        level = level.with(name, case.get(name).map(|_| accuracy));
    }
    level.label = format!("{}, every accuracy {accuracy}", case.label);
    level
}

/// Returns the case with validation accuracies of which the highest is 1.
fn perfect(case: &Case) -> Case {
    let accuracies = case.get("validation");
    let highest = accuracies.magnitude();
    let mut perfect = case.with("validation", accuracies.map(|x| x / highest));
    perfect.label = format!("{}, one accuracy is 1", case.label);
    perfect
}

/// Returns the case with validation accuracies about 1/2 that differ by a millionth.
fn close(case: &Case) -> Case {
    let near = case.get("validation").map(|x| 0.5 + x / 16384.0);
    case.with("validation", near)
}

fn every_combination(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run_as = ("sweep/every-combination", seed);
    let found = search(subject, run_as, CASES, sweep_shapes(), |subject, shape| {
        trains_all(subject, &shape.case(seed))
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    // A perfect score ends nothing: neither on validation examples nor on others.
    outcome(trains_all(subject, &level(&TWO_BY_THREE.case(seed), 1.0)))
}

fn trains_all(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let searched = run(subject, case)?;
    let want = grid(case);
    let look = "Look at the two loops: which is the outer one, and where does each end?";
    if searched.trained.dim(0) != want.dim(0) {
        let message = format!(
            "There should be one training for each combination of learning rate and batch size, {} in all, \
             and {} carried out. {look}",
            want.dim(0),
            count(searched.trained.dim(0), "training was", "trainings were")
        );
        return Err(wrong(case, message));
    }
    let claim = "For the first learning rate all batch sizes should be trained, then for the \
                     second, each combination once";
    let words = (claim, look);
    compare(case, "trained", (&searched.trained, &want), Tolerance::EXACT, words)?;
    compare(case, "reported", (&searched.reported, &want), Tolerance::EXACT, words)
}

/// Returns the index of the largest number that is not `NaN`, the first of equal ones; −1 if there is none.
#[must_use]
pub fn place_of_best(values: &[f64]) -> f64 {
    let numbers = values.iter().enumerate().filter(|(_, x)| !x.is_nan());
    let best = numbers.fold(None, |best: Option<(usize, f64)>, (at, &x)| match best {
        Some((_, most)) if most >= x => best,
        _ => Some((at, x)),
    });
    best.map_or(-1.0, |(at, _)| at as f64)
}

/// The validation accuracies of a case, in the documented order, within the budget.
#[must_use]
pub fn validations(case: &Case) -> Vec<f64> {
    case.get("validation").values().iter().copied().take(case.get_size("budget")).collect()
}

/// Checks that the reported best trial is the expected one; `claim` states which that is.
///
/// Only the trials that were run count: other checks judge which trials are required, and their order.
///
/// # Errors
///
/// Fails with the verdict if it is another.
pub fn judge_best(subject: &mut Subject<'_>, case: &Case, (claim, look): (&str, &str)) -> Judged {
    let searched = run(subject, case)?;
    if searched.accuracies.values().is_empty() {
        let message = "Nothing was trained, with a budget for every combination.".to_owned();
        return Err(wrong(case, message));
    }
    let want = Array::new(&[1], vec![place_of_best(searched.accuracies.values())]);
    let got = Array::new(&[1], vec![searched.best]);
    compare(case, "best", (&got, &want), Tolerance::EXACT, (claim, look))
}

fn best_validation(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sweep/best-validation", seed);
    let words = (
        "The best trial should be the one with the highest validation accuracy (its place among the \
         trials is compared, counted from 0)",
        "Look at which of the three accuracies decides, and which way the comparison points.",
    );
    let found = search(subject, run, CASES, sweep_shapes(), |subject, shape| {
        let shape = SweepShape { sizes: shape.sizes.max(2), ..*shape };
        judge_best(subject, &shape.case(seed), words)
    })?;
    if !found.is_pass() {
        return Ok(found);
    }
    let claim = "The validation accuracies differ by a millionth here, and the best trial should be \
                 the one with the highest (its place among the trials is compared, counted from 0)";
    let look = "Look at what is done with an accuracy before it is compared.";
    let found = outcome(judge_best(subject, &close(&TWO_BY_THREE.case(seed)), (claim, look)))?;
    if_passed(found, || {
        let claim = "One training has a validation accuracy of 1, the highest that there is, and should be the \
                     best (its place among the trials is compared, counted from 0)";
        judge_best(subject, &perfect(&TWO_BY_THREE.case(seed)), (claim, look))
    })
}
