//! Standard checks that compare with a task's formula.
//!
//! [`hidden_checks!`](crate::hidden_checks) lists them for a task.

use std::any::type_name;

use softmark_checks::check::{CheckError, Judged, if_passed};
use softmark_checks::subject::{compare, refuses};
use softmark_checks::typed::checks::{each_shape, if_computing};
use softmark_checks::typed::{Draw, Shape, Typed, TypedTask};
use softmark_checks::{Case, Outcome, Subject};

use crate::check::{
    Trainable, answers_again, expected, follows_updates, is_right, matches_slopes, same_on_views,
    with_parameters_of,
};
use crate::gradient_tolerance::gradient_tolerance;
use crate::memo::memoized;
use crate::typed::formula::{oracle, scaled, tolerance, tolerances, weights};
use crate::typed::{Formula, gradients};

/// Lists standard checks of a task, for the hidden checks of a [rubric](crate::rubric).
///
/// ```text
/// const HIDDEN: &[Check] = &hidden_checks!(RmsNormFormula, "rms-norm": matches_reference, gradients, refuses);
/// ```
#[macro_export]
macro_rules! hidden_checks {
    ($formula:ty, $part:literal: $($check:ident),* $(,)?) => {
        [$($crate::hidden_checks!(@ $formula, $part, $check)),*]
    };
    (@ $formula:ty, $part:literal, matches_reference) => {
        $crate::rubric::Check {
            id: concat!($part, "/matches-reference"),
            title: "the outputs are those of the formula",
            run: $crate::typed::checks::matches_reference::<$formula>,
        }
    };
    (@ $formula:ty, $part:literal, extreme_numbers) => {
        $crate::rubric::Check {
            id: concat!($part, "/extreme-numbers"),
            title: "small and large numbers come out finite and right",
            run: $crate::typed::checks::extreme_numbers::<$formula>,
        }
    };
    (@ $formula:ty, $part:literal, strided_input) => {
        $crate::rubric::Check {
            id: concat!($part, "/strided-input"),
            title: "inputs that are not contiguous in memory make no difference",
            run: $crate::typed::checks::strided_input::<$formula>,
        }
    };
    (@ $formula:ty, $part:literal, gradients) => {
        $crate::rubric::Check {
            id: concat!($part, "/gradients"),
            title: "gradients reach all inputs and parameters, and are right",
            run: $crate::typed::checks::matches_gradients::<$formula>,
        }
    };
    (@ $formula:ty, $part:literal, updated_parameters) => {
        $crate::rubric::Check {
            id: concat!($part, "/updated-parameters"),
            title: "what an optimizer writes into the parameters reaches the next call",
            run: $crate::typed::checks::updated_parameters::<$formula>,
        }
    };
    (@ $formula:ty, $part:literal, refuses) => {
        $crate::rubric::Check {
            id: concat!($part, "/refuses"),
            title: "what does not fit is an error",
            run: $crate::typed::checks::refuses_misfits::<$formula>,
        }
    };
}

/// Seed of questions that do not depend on the seed of the run.
const FIXED: u64 = 9;

/// Checks that the outputs are those of the formula.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn matches_reference<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found =
        each_shape::<F::Task>(subject, ("matches-reference", seed), |subject, shape, seed| {
            matches_formula::<F>(subject, &F::Task::case(shape, seed))
        })?;
    if_passed(found, || judge_corner::<F>(subject))
}

fn judge_corner<F: Formula>(subject: &mut Subject<'_>) -> Judged {
    matches_formula::<F>(subject, &precise_corner::<F>())?;
    repeats::<F>(subject, &Shape::corner(F::Task::DIMS))
}

/// Returns a question that `matches-reference` asks on every seed: with sizes that are larger than 1 and distinct, and numbers
/// that need all bits of an `f32`.
pub fn precise_corner<F: Formula>() -> Case {
    let shape = Shape::corner(F::Task::DIMS);
    F::Task::of(&shape, Draw::new(FIXED, shape.data).full()).to_case(shape.label())
}

/// Checks that every output is that of the formula, within the output's tolerance.
///
/// # Errors
///
/// Fails with the verdict if one is not.
pub fn matches_formula<F: Formula>(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let claim = "The output should be that of the formula".to_owned();
    let look =
        format!("Go through the formula in the documentation of {} term by term.", F::Task::TRAIT);
    let answer = subject.forward(case)?;
    let tolerances = tolerances::<F>(case);
    for (name, want) in expected(case, oracle::<F>)? {
        let got = answer.get(case, name, want.shape())?;
        let allowed = tolerances.get(name).copied().unwrap_or(tolerance::<F>(case));
        compare(case, name, (&got, &want), allowed, (&claim, &look))?;
    }
    Ok(())
}

/// Checks that a component that was called once answers a longer question like a new one.
fn repeats<F: Formula>(subject: &mut Subject<'_>, shape: &Shape) -> Judged {
    let second = F::Task::case(shape, FIXED);
    let shorter = F::Task::case(&shape.with("T", |t| t.saturating_sub(1)), FIXED);
    let first = with_parameters_of(&shorter, &second, &|_| true);
    expected(&second, oracle::<F>)?.iter().try_for_each(|(name, want)| {
        answers_again(subject, (&first, &second), (name, want.shape()), tolerance::<F>(&second))
    })
}

/// Checks that small and large numbers come out finite and right.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn extreme_numbers<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<F::Task>(subject, ("extreme-numbers", seed), judge_extremes::<F>)
}

fn judge_extremes<F: Formula>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = F::Task::case(shape, seed);
    let scaled = F::EXTREMES.iter().map(|factor| scaled(&case, *factor));
    scaled.into_iter().try_for_each(|case| matches_formula::<F>(subject, &case))
}

/// Checks that inputs that are not contiguous in memory make no difference.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn strided_input<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<F::Task>(subject, ("strided-input", seed), judge_views::<F>)
}

fn judge_views<F: Formula>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = F::Task::case(shape, seed);
    let (view, allowed) = (case.clone().strided(), tolerance::<F>(&case));
    same_on_views(subject, (&case, &view), oracle::<F>, allowed)?;
    // Code that ignores its inputs, or returns them, treats views as well as any other input.
    if is_right(subject, &case, oracle::<F>, allowed)? {
        return Ok(());
    }
    let by = format!("{}/matches-reference", F::Task::PART);
    let message = "views are judged where the outputs for contiguous inputs are right".to_owned();
    Err(Outcome::Blocked { by, message }.into())
}

/// Checks that gradients reach every input and parameter, and are right.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn matches_gradients<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found = each_shape::<F::Task>(subject, ("gradients", seed), judge_gradients::<F>)?;
    if_computing::<F::Task>(subject, found)
}

fn judge_gradients<F: Formula>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = F::Task::case(shape, seed);
    let cotangents = weights::<F>(&case);
    let forward = tolerance::<F>(&case);
    let positions: usize = case.inputs.iter().map(|input| input.array.values().len()).sum();
    let backward = gradient_tolerance(forward, positions);
    let trainable = Trainable::all(F::LOSSY);
    let exact = |case: &Case| {
        memoized(&[case, &type_name::<F>(), &cotangents], || gradients::<F>(case, &cotangents))
    };
    let asked = (&case, &case);
    matches_slopes(
        subject,
        asked,
        oracle::<F>,
        (&cotangents, &exact),
        (forward, backward),
        trainable,
    )
}

/// Checks that what an optimizer writes into the parameters reaches the next call.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn updated_parameters<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<F::Task>(subject, ("updated-parameters", seed), judge_updates::<F>)
}

fn judge_updates<F: Formula>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = F::Task::case(shape, seed);
    let other = F::Task::of(shape, Draw::new(seed, shape.data ^ 1)).to_case(shape.label());
    let changed = with_parameters_of(&case, &other, &|_| true);
    let allowed = tolerance::<F>(&changed);
    expected(&case, oracle::<F>)?.iter().try_for_each(|(name, want)| {
        follows_updates(subject, (&case, &changed), (name, want.shape()), allowed, "")
    })
}

/// Checks that what does not fit is an error.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn refuses_misfits<F: Formula>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<F::Task>(subject, ("refuses", seed), judge_misfits::<F>)
}

fn judge_misfits<F: Formula>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let fitting = F::Task::of(shape, Draw::new(seed, shape.data));
    for misfit in fitting.misfits() {
        let Err(why) = misfit.fits() else { continue };
        let claim = format!("An error should be returned, because {why}");
        let case = misfit.to_case(format!("{}, {why}", shape.label()));
        let look = "Look at what is tested before anything is computed.";
        refuses(subject, (&fitting.to_case(shape.label()), &case), (&claim, look))?;
    }
    Ok(())
}
