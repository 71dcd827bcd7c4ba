//! Standard checks that compare with a task's formula.
//!
//! [`hidden_checks!`](crate::hidden_checks) lists them for a task.

use softmark_checks::check::{CheckError, Judged, if_passed};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::typed::{Draw, Shape, shapes};
use softmark_checks::{Case, Corners, Outcome, Subject, search};

use crate::check::{
    Trainable, answers_again, expected, follows_updates, matches_slopes, same_on_views,
    with_parameters_of,
};
use crate::gradient_tolerance::gradient_tolerance;
use crate::typed::Formula;
use crate::typed::formula::{oracle, slopes, tolerance, weights};

/// Number of random cases of a check, besides the corner cases.
const CASES: usize = 4;

/// Lists standard checks of a task, as [rows](crate::rubric::Row) of a rubric's hidden checks.
///
/// ```text
/// const HIDDEN: &[Row] = &hidden_checks!(RmsNorm, "rms-norm": matches_reference, gradients, refuses);
/// ```
#[macro_export]
macro_rules! hidden_checks {
    ($task:ty, $part:literal: $($check:ident),* $(,)?) => {
        [$($crate::hidden_checks!(@ $task, $part, $check)),*]
    };
    (@ $task:ty, $part:literal, matches_reference) => {
        (
            concat!($part, "/matches-reference"),
            "the outputs are those of the formula",
            $crate::typed::checks::matches_reference::<$task>,
        )
    };
    (@ $task:ty, $part:literal, extreme_numbers) => {
        (
            concat!($part, "/extreme-numbers"),
            "small and large numbers come out finite and right",
            $crate::typed::checks::extreme_numbers::<$task>,
        )
    };
    (@ $task:ty, $part:literal, strided_input) => {
        (
            concat!($part, "/strided-input"),
            "inputs that are not contiguous in memory make no difference",
            $crate::typed::checks::strided_input::<$task>,
        )
    };
    (@ $task:ty, $part:literal, gradients) => {
        (
            concat!($part, "/gradients"),
            "gradients reach all inputs and parameters, and are right",
            $crate::typed::checks::matches_gradients::<$task>,
        )
    };
    (@ $task:ty, $part:literal, updated_parameters) => {
        (
            concat!($part, "/updated-parameters"),
            "what an optimizer writes into the parameters reaches the next call",
            $crate::typed::checks::updated_parameters::<$task>,
        )
    };
    (@ $task:ty, $part:literal, refuses) => {
        (
            concat!($part, "/refuses"),
            "what does not fit is an error",
            $crate::typed::checks::refuses_misfits::<$task>,
        )
    };
}

/// Runs a judge of a task's check on random shapes and corner cases.
fn each_shape<T: Formula>(
    subject: &mut Subject<'_>,
    (check, seed): (&str, u64),
    mut judge: impl FnMut(&mut Subject<'_>, &Shape) -> Judged,
) -> Result<Outcome, CheckError> {
    let id = format!("{}/{check}", T::PART);
    search(subject, (&id, seed), CASES, shapes(T::DIMS), |subject, shape| judge(subject, shape))
}

/// Returns one of a task's corner cases, with numbers of which no shorter format holds all bits.
pub(super) fn fixed_shape<T: Formula>() -> Shape {
    let sizes = T::DIMS.iter().map(|dim| dim.to).collect();
    let largest = Shape { sizes, dims: T::DIMS, data: 3 };
    largest.corners().pop().unwrap_or(largest)
}

/// Seed of questions that do not depend on the seed of the run.
const FIXED: u64 = 9;

/// Checks that the outputs are those of the formula.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn matches_reference<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found = each_shape::<T>(subject, ("matches-reference", seed), |subject, shape| {
        is_right::<T>(subject, &T::case(shape, seed))
    })?;
    if_passed(found, || {
        let shape = fixed_shape::<T>();
        let full = T::of(&shape, Draw::new(FIXED, shape.data).full()).to_case(shape.label());
        is_right::<T>(subject, &full)?;
        repeats::<T>(subject, &shape)
    })
}

/// Checks that every output is that of the formula, within the output's tolerance.
fn is_right<T: Formula>(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let claim = "The output should be that of the formula".to_owned();
    let look = format!("Go through the formula in the documentation of {} term by term.", T::TRAIT);
    let answer = subject.forward(case)?;
    let tolerances = T::from_case(case).tolerances();
    for (name, want) in expected(case, oracle::<T>)? {
        let got = answer.get(case, name, want.shape())?;
        let allowed = tolerances.get(name).copied().unwrap_or(tolerance::<T>(case));
        compare(case, name, (&got, &want), allowed, (&claim, &look))?;
    }
    Ok(())
}

/// Checks that a component that was called once answers a longer question like a new one.
fn repeats<T: Formula>(subject: &mut Subject<'_>, shape: &Shape) -> Judged {
    let second = T::case(shape, FIXED);
    let shorter = T::case(&shape.with("T", |t| t.saturating_sub(1)), FIXED);
    let first = with_parameters_of(&shorter, &second, &|_| true);
    expected(&second, oracle::<T>)?.iter().try_for_each(|(name, want)| {
        answers_again(subject, (&first, &second), (name, want.shape()), tolerance::<T>(&second))
    })
}

/// Checks that small and large numbers come out finite and right.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn extreme_numbers<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("extreme-numbers", seed), |subject, shape| {
        let case = T::case(shape, seed);
        let scaled = T::EXTREMES.iter().map(|factor| T::scaled(&case, *factor));
        scaled.into_iter().try_for_each(|case| is_right::<T>(subject, &case))
    })
}

/// Checks that inputs that are not contiguous in memory make no difference.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn strided_input<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("strided-input", seed), |subject, shape| {
        let case = T::case(shape, seed);
        let view = case.clone().strided();
        same_on_views(subject, (&case, &view), oracle::<T>, tolerance::<T>(&case))
    })
}

/// Checks that gradients reach every input and parameter, and are right.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn matches_gradients<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("gradients", seed), |subject, shape| {
        let case = T::case(shape, seed);
        let cotangents = weights::<T>(&case);
        let forward = tolerance::<T>(&case);
        let positions: usize = case.inputs.iter().map(|input| input.array.values().len()).sum();
        let backward = gradient_tolerance(forward, positions);
        let trainable = Trainable::all(T::LOSSY);
        let exact = |case: &Case| slopes::<T>(case, &cotangents);
        let asked = (&case, &case);
        matches_slopes(
            subject,
            asked,
            oracle::<T>,
            (&cotangents, &exact),
            (forward, backward),
            trainable,
        )
    })
}

/// Checks that what an optimizer writes into the parameters reaches the next call.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn updated_parameters<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("updated-parameters", seed), |subject, shape| {
        let case = T::case(shape, seed);
        let other = T::of(shape, Draw::new(seed, shape.data ^ 1)).to_case(shape.label());
        let changed = with_parameters_of(&case, &other, &|_| true);
        let allowed = tolerance::<T>(&changed);
        expected(&case, oracle::<T>)?.iter().try_for_each(|(name, want)| {
            follows_updates(subject, (&case, &changed), (name, want.shape()), allowed, "")
        })
    })
}

/// Checks that what does not fit is an error.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn refuses_misfits<T: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("refuses", seed), |subject, shape| {
        let fitting = T::of(shape, Draw::new(seed, shape.data));
        for misfit in fitting.misfits() {
            let Err(why) = misfit.fits() else { continue };
            let claim = format!("The question does not fit ({why}), so it should be an error");
            let case = misfit.to_case(format!("{}, {why}", shape.label()));
            let look = "Look at what is tested before anything is computed.";
            refuses(subject, (&fitting.to_case(shape.label()), &case), (&claim, look))?;
        }
        Ok(())
    })
}
