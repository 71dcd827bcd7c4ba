//! Standard checks that follow from a task's description and need no formula.
//!
//! [`public_checks!`](crate::public_checks) lists them for a task.

use softmark_common::compare::Tolerance;
use softmark_common::rng::Stream;
use softmark_wire::Attempt;

use crate::array::{Array, disturbed};
use crate::case::Case;
use crate::check::{CheckError, Judged, Stop, if_passed, wrong};
use crate::computes::computes;
use crate::missing::{never_asked, refused_without};
use crate::outcome::Outcome;
use crate::search::search;
use crate::subject::{Subject, compare, finite, responds};
use crate::texts::first_example;
use crate::typed::{Output, Shape, TypedTask, shapes};

/// Number of random cases of a check, besides the corner cases.
const CASES: usize = 4;

/// Lists standard checks of a task, as rows of an array of [`Check`](crate::Check)s.
///
/// ```text
/// const CHECKS: &[Check] = &public_checks!(RmsNorm, "rms-norm": parameters, shapes, batch_independence);
/// ```
#[macro_export]
macro_rules! public_checks {
    ($task:ty, $part:literal: $($check:ident),* $(,)?) => {
        [$($crate::public_checks!(@ $task, $part, $check)),*]
    };
    (@ $task:ty, $part:literal, parameters) => {
        $crate::Check {
            id: concat!($part, "/parameters"),
            title: "exactly the documented parameters are asked for",
            run: $crate::typed::checks::parameters::<$task>,
        }
    };
    (@ $task:ty, $part:literal, shapes) => {
        $crate::Check {
            id: concat!($part, "/shapes"),
            title: "the outputs have their shapes, are f32, and depend on every input",
            run: $crate::typed::checks::output_shapes::<$task>,
        }
    };
    (@ $task:ty, $part:literal, batch_independence) => {
        $crate::Check {
            id: concat!($part, "/batch-independence"),
            title: "each example of a batch is treated by itself",
            run: $crate::typed::checks::batch_independence::<$task>,
        }
    };
    (@ $task:ty, $part:literal, causality) => {
        $crate::Check {
            id: concat!($part, "/causality"),
            title: "what comes later has no influence on what comes before",
            run: $crate::typed::checks::causality::<$task>,
        }
    };
}

/// Runs a judge of a task's check on random shapes and corner cases, with the seed of the check.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn each_shape<T: TypedTask>(
    subject: &mut Subject<'_>,
    (check, seed): (&str, u64),
    judge: impl Fn(&mut Subject<'_>, &Shape, u64) -> Judged,
) -> Result<Outcome, CheckError> {
    let id = format!("{}/{check}", T::PART);
    search(subject, (&id, seed), CASES, shapes(T::DIMS), |subject, shape| {
        judge(subject, shape, seed)
    })
}

/// Checks that the constructor asks for every parameter, fails without each of them, and uses them.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn parameters<T: TypedTask>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    each_shape::<T>(subject, ("parameters", seed), judge_parameters::<T>)
}

fn judge_parameters<T: TypedTask>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = T::case(shape, seed);
    let missing = never_asked(&case, &subject.asked(&case)?);
    if missing.is_empty() {
        let names: Vec<&str> = case.parameters.iter().map(|(name, _)| &**name).collect();
        refused_without(subject, &case, &names)?;
        return computes(subject, &case);
    }
    let message = format!(
        "The constructor never asked for {}. Look at the table of parameters in the documentation of {}.",
        missing.join(", "),
        T::TRAIT
    );
    Err(wrong(&case, message))
}

/// Runs the component and returns its outputs, in the order of the task's.
///
/// # Errors
///
/// Fails with the verdict if one has another shape or type.
pub fn outputs_of<T: TypedTask>(
    subject: &mut Subject<'_>,
    case: &Case,
) -> Result<Vec<(Output, Array)>, Stop> {
    let answer = subject.forward(case)?;
    let each = T::from_case(case).outputs().into_iter();
    each.map(|output| Ok((output.clone(), answer.get(case, output.name, &output.shape)?))).collect()
}

/// Fails a check that passed so far if an output is an input, unchanged: code that returns its input has shapes and
/// gradients, and mixes no examples, as right code has. Asked once, at sizes that are larger than 1 and distinct; errors
/// and outputs of another shape are left to other checks. Not for a component that may return its input, such as dropout
/// outside of training.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn if_computing<T: TypedTask>(
    subject: &mut Subject<'_>,
    found: Outcome,
) -> Result<Outcome, CheckError> {
    if_passed(found, || {
        let case = T::case(&Shape::corner(T::DIMS), 0);
        let Attempt::Success(answer) = subject.try_forward(&case)? else { return Ok(()) };
        answer.arrays().iter().try_for_each(|(name, array)| is_no_input(&case, name, array))
    })
}

fn is_no_input(case: &Case, name: &str, output: &Array) -> Judged {
    let Some(input) = case.inputs.iter().find(|input| input.array == *output) else {
        return Ok(());
    };
    let input = input.name;
    let message = format!(
        "`{name}` should be computed from `{input}`, and is `{input}` unchanged. Look at what is returned."
    );
    Err(wrong(case, message))
}

/// Checks that outputs have their shapes and types, are finite, and depend on every input.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn output_shapes<T: TypedTask>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found = each_shape::<T>(subject, ("shapes", seed), judge_shapes::<T>)?;
    if_computing::<T>(subject, found)
}

fn judge_shapes<T: TypedTask>(subject: &mut Subject<'_>, shape: &Shape, seed: u64) -> Judged {
    let case = T::case(shape, seed);
    let before = outputs_of::<T>(subject, &case)?;
    before.iter().try_for_each(|(output, array)| finite(&case, output.name, array))?;
    for input in &case.inputs {
        depends_on::<T>(subject, (&case, &before), input.name)?;
    }
    Ok(())
}

/// Checks that an output changes with an input, all of whose values are replaced.
fn depends_on<T: TypedTask>(
    subject: &mut Subject<'_>,
    (case, before): (&Case, &[(Output, Array)]),
    input: &'static str,
) -> Judged {
    let mut stream = Stream::derive(0, input, 1);
    let moved = case.with(input, disturbed(&case.get(input), 1.0, &mut stream, |_| true));
    let after = outputs_of::<T>(subject, &moved)?;
    let mut pairs = before.iter().zip(&after);
    if pairs.any(|((_, before), (_, after))| before.differs(after)) {
        return Ok(());
    }
    let Some(((output, before), (_, after))) = before.iter().zip(&after).next() else {
        return Ok(());
    };
    let changed = format!("All numbers of `{input}` were replaced");
    responds(&moved, output.name, (before, after), &changed)
}

/// Checks that the first example's outputs do not change with the other examples, bit for bit.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn batch_independence<T: TypedTask>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found = each_shape::<T>(subject, ("batch-independence", seed), judge_first_example::<T>)?;
    if_computing::<T>(subject, found)
}

fn judge_first_example<T: TypedTask>(
    subject: &mut Subject<'_>,
    shape: &Shape,
    seed: u64,
) -> Judged {
    let batch = T::DIMS.first().map_or("", |dim| dim.name);
    let shape = shape.with(batch, |size| size.max(2));
    let words = (
        "Only examples after the first were replaced, and the output of the first moved",
        "Look at which axis is the batch in each step.",
    );
    let is_other = |at: &[usize]| at.first() != Some(&0);
    let case = T::case(&shape, seed);
    let moved = Moved { case, seed, size: 10.0, chosen: &is_other };
    moved.leaves::<T>(subject, &first_example, words)
}

/// Checks that outputs before the last position do not change with what stands at the last one, bit for bit.
///
/// # Errors
///
/// Fails if the session breaks.
pub fn causality<T: TypedTask>(
    subject: &mut Subject<'_>,
    seed: u64,
) -> Result<Outcome, CheckError> {
    let found = each_shape::<T>(subject, ("causality", seed), judge_earlier_positions::<T>)?;
    if_computing::<T>(subject, found)
}

fn judge_earlier_positions<T: TypedTask>(
    subject: &mut Subject<'_>,
    shape: &Shape,
    seed: u64,
) -> Judged {
    let axis = T::CAUSAL_AXIS.unwrap_or(1);
    let case = T::case(shape, seed);
    let last = case.inputs.first().map_or(0, |input| input.array.dim(axis)).saturating_sub(1);
    let is_last = |at: &[usize]| at.get(axis) == Some(&last);
    let words = (
        "Only the last position was replaced, and the output at an earlier one moved",
        "Look at what each position may look at, and at which axis the positions are.",
    );
    let earlier = |array: &Array| {
        Array::from_fn(array.shape(), |at| if is_last(at) { 0.0 } else { array.at(at) })
    };
    LATER_SIZES.iter().try_for_each(|&size| {
        let moved = Moved { case: case.clone(), seed, size, chosen: &is_last };
        moved.leaves::<T>(subject, &earlier, words)
    })
}

/// Factors of the random numbers, up to 4.125, that replace what stands at the last position: ordinary ones, and ones
/// that exceed what masks of −10⁴ and −10⁹ lower a score by. The square of the largest is far below what `f32` holds.
const LATER_SIZES: [f64; 5] = [1.0, 2e4, -2e4, 1e12, -1e12];

/// A question, and which of its inputs' values are replaced.
struct Moved<'a> {
    case: Case,
    seed: u64,
    /// Factor of the numbers that replace others.
    size: f64,
    chosen: &'a dyn Fn(&[usize]) -> bool,
}

impl Moved<'_> {
    /// Checks that what `part_of` takes of each output stays what it was, and that some output changes.
    fn leaves<T: TypedTask>(
        &self,
        subject: &mut Subject<'_>,
        part_of: &dyn Fn(&Array) -> Array,
        words: (&str, &str),
    ) -> Judged {
        let Self { case, seed, size, chosen } = self;
        let mut moved = case.clone();
        for input in &case.inputs {
            let mut stream = Stream::derive(*seed, input.name, 1);
            moved = moved.with(input.name, disturbed(&input.array, *size, &mut stream, chosen));
        }
        let (before, after) = (outputs_of::<T>(subject, case)?, outputs_of::<T>(subject, &moved)?);
        for ((output, before), (_, after)) in before.iter().zip(&after) {
            let pair = (&part_of(after), &part_of(before));
            compare(&moved, output.name, pair, Tolerance::EXACT, words)?;
        }
        let mut pairs = before.iter().zip(&after);
        if pairs.any(|((_, before), (_, after))| before.differs(after)) {
            return Ok(());
        }
        let first = before.iter().zip(&after).next();
        first.map_or(Ok(()), |((output, before), (_, after))| {
            responds(&moved, output.name, (before, after), "Part of the inputs was replaced")
        })
    }
}
