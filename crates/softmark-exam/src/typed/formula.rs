//! Formulas, and the expected answers that follow from them.

use std::any::type_name;
use std::collections::BTreeMap;

use softmark_checks::typed::{Draw, Scalar, Shape, Tensor, Typed, TypedTask};
use softmark_checks::{Case, Corners, defect};
use softmark_common::compare::Tolerance;

use crate::check::{Cotangents, Expected, LossyOperations};
use crate::cotangents::cotangents;
use crate::memo::memoized;
use crate::typed::Bounded;
use crate::{Aspect, Question, Response};

/// An output tensor of a formula.
#[derive(Debug, Clone)]
pub struct Named<S> {
    /// Name of the output.
    pub name: &'static str,
    /// Value of the output.
    pub tensor: Tensor<S>,
}

impl<S> Named<S> {
    /// Returns the only output of a component, which is called `output`.
    pub fn output(tensor: Tensor<S>) -> Vec<Self> {
        vec![Self { name: "output", tensor }]
    }
}

/// Tolerances are this many times the bound on rounding errors: correct code may compute in another order, with a few
/// more roundings, and has to keep a factor of ten away from every tolerance.
const MORE: f64 = 16.0;

/// The formula of a task, which students do not see. A type of the exam's own implements it.
pub trait Formula: 'static {
    /// The task.
    type Task: TypedTask;

    /// Factors by which the inputs of `extreme-numbers` are larger than usual. By default they are as small as the root
    /// of a usual `ε`, and so large that their squares exceed what `f16` holds.
    const EXTREMES: &'static [f64] = &[1e-3, 1e3];

    /// Operations of the component for which candle also has a function without a gradient.
    const LOSSY: LossyOperations = LossyOperations::None;

    /// Computes the outputs.
    fn formula<S: Scalar>(question: &<Self::Task as Typed>::Of<S>) -> Vec<Named<S>>;
}

/// Computes the expected outputs of a case.
pub(super) fn oracle<F: Formula>(case: &Case) -> Expected {
    let lifted = F::Task::from_case(case).lift::<f64>(&mut |_, tensor| tensor.clone());
    let outputs = F::formula(&lifted).into_iter();
    outputs.map(|Named { name, tensor }| (name, tensor.to_array())).collect()
}

/// Computes the tolerance of each output of a case: [`MORE`] times the largest error that rounding can leave.
pub(super) fn tolerances<F: Formula>(case: &Case) -> BTreeMap<&'static str, Tolerance> {
    memoized(&[case, &type_name::<F>()], || {
        let question = F::Task::from_case(case);
        let lifted = question.lift::<Bounded>(&mut |_, tensor| tensor.map(Bounded::constant));
        let outputs = F::formula(&lifted).into_iter();
        outputs.map(|output| (output.name, tolerance_of(case, &output))).collect()
    })
}

fn tolerance_of(case: &Case, output: &Named<Bounded>) -> Tolerance {
    let error = largest_error(case, output.name, &output.tensor);
    Tolerance { relative: 0.0, absolute: MORE * error }
}

/// Returns the largest bound of an output's errors. One that is not finite is a defect of the formula, in which
/// something overflows that the output does not depend on.
fn largest_error(case: &Case, name: &str, output: &Tensor<Bounded>) -> f64 {
    let errors = output.values().iter().map(|it| it.error());
    if let Some(error) = errors.clone().find(|error| !error.is_finite()) {
        let label = &case.label;
        defect::note(|| {
            format!("the error of the formula's `{name}` is bounded by {error} (case {label})")
        });
    }
    errors.fold(0.0, f64::max)
}

/// Computes the largest of a case's tolerances.
pub(super) fn tolerance<F: Formula>(case: &Case) -> Tolerance {
    let each = tolerances::<F>(case).into_values();
    let most = each.map(|it| it.absolute).fold(0.0, f64::max);
    Tolerance { relative: 0.0, absolute: most }
}

/// Returns the case with each input multiplied by a factor; parameters stay.
pub(super) fn scaled(case: &Case, factor: f64) -> Case {
    let mut scaled = case.clone();
    for input in &mut scaled.inputs {
        input.array = input.array.map(|x| factor * x);
    }
    scaled.label = format!("{}, inputs × {factor}", case.label);
    scaled
}

/// Functions that are derived from the formula of a task, for the tables of an exam.
#[derive(Debug, Clone, Copy)]
pub struct Derived {
    /// Id of the task, which is that of the component as well.
    pub task: &'static str,
    /// Returns the diagnostic cases.
    pub battery: fn() -> Vec<Question>,
    /// Returns the expected response to a case.
    pub truth: fn(&Case) -> Response,
}

impl Derived {
    /// Returns what is derived from a formula.
    pub const fn of<F: Formula>() -> Self {
        Self { task: F::Task::PART, battery: battery::<F>, truth: truth::<F> }
    }

    /// Returns the expected response to a case of one of the tasks.
    pub fn truth_of(all: &[Self], case: &Case) -> Response {
        let Some(derived) = all.iter().find(|it| it.task == case.part()) else {
            defect::note(|| format!("no formula for the component `{}`", case.part()));
            return Response::Nothing;
        };
        (derived.truth)(case)
    }

    /// Returns the diagnostic cases of a task; none if it has no formula.
    pub fn battery_of(all: &[Self], task: &str) -> Vec<Question> {
        let derived = all.iter().find(|it| it.task == task);
        derived.map(|it| (it.battery)()).unwrap_or_default()
    }
}

/// Returns the expected response to a case: an error if the question does not fit, the formula's outputs otherwise.
fn truth<F: Formula>(case: &Case) -> Response {
    if F::Task::from_case(case).fits().is_err() {
        Response::Refused
    } else {
        oracle::<F>(case).into()
    }
}

/// Seed of diagnostic cases: always the same numbers, since names must not depend on the seed of a run.
const SEED: u64 = 20;

/// Returns the diagnostic cases of a task: several sizes, inputs that are not contiguous, small and large numbers,
/// gradients, and questions that must be refused.
///
/// In some cases one size is the smallest and the others are not: code that refuses or confuses one axis answers these
/// differently from code that does so with another.
fn battery<F: Formula>() -> Vec<Question> {
    let dims = F::Task::DIMS;
    let smallest = Shape { sizes: dims.iter().map(|dim| dim.from).collect(), dims, data: 0 };
    let others = Shape { data: 1, ..smallest.clone() }.corners();
    let corners = smallest.corners();
    let thin = corners.first().map_or_else(Vec::new, one_size_smallest);
    let shapes = [vec![smallest], corners, others, thin].concat();
    let cases: Vec<Case> = shapes.iter().map(|shape| F::Task::case(shape, SEED)).collect();
    let plain = cases.iter().map(|case| Question::new(Aspect::Plain, case.clone()));
    let mut questions: Vec<Question> = plain.collect();
    let Some((corner, shape)) = cases.get(1).zip(shapes.get(1)) else { return questions };
    questions.push(Question::new(Aspect::Strided, corner.clone().strided()));
    let extremes = F::EXTREMES.iter().map(|factor| scaled(corner, *factor));
    questions.extend(extremes.map(|case| Question::new(Aspect::Extreme, case)));
    questions.push(Question::gradients(corner.clone(), weights::<F>(corner)));
    let misfits = F::Task::of(shape, Draw::new(SEED, shape.data)).misfits().into_iter();
    let limits = misfits.map(|misfit| misfit.to_case(shape.label()));
    questions.extend(limits.map(|case| Question::new(Aspect::Limit, case)));
    questions
}

/// Returns the shapes in which one size is the smallest and the others are those of `shape`.
fn one_size_smallest(shape: &Shape) -> Vec<Shape> {
    let thin = |axis: usize| {
        let sizes = shape.sizes.iter().zip(shape.dims).enumerate();
        let sizes = sizes.map(|(at, (size, dim))| if at == axis { dim.from } else { *size });
        Shape { sizes: sizes.collect(), ..shape.clone() }
    };
    (0..shape.sizes.len()).map(thin).collect()
}

/// Returns random weights for every output of a case.
pub(super) fn weights<F: Formula>(case: &Case) -> Cotangents {
    cotangents(case, oracle::<F>, SEED)
}
