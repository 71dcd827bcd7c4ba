//! Formulas, and the expected answers that follow from them.

use std::collections::BTreeMap;

use softmark_checks::typed::{Draw, Scalar, Shape, Tensor, TypedTask};
use softmark_checks::{Case, Corners, defect};
use softmark_common::compare::Tolerance;

use crate::check::{Cotangents, Expected, LossyOperations};
use crate::cotangents::cotangents;
use crate::typed::{Bounded, gradients};
use crate::{Aspect, Given, Question};

/// An output tensor of a formula.
#[derive(Debug, Clone)]
pub struct Named<S> {
    /// Name of the output.
    pub name: &'static str,
    /// Its value.
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

/// A task with its formula, which students do not see.
pub trait Formula: TypedTask {
    /// Factors by which the inputs of `extreme-numbers` are larger than usual.
    const EXTREMES: &'static [f64] = &[1e-3, 1e3];

    /// Operations of the component for which candle also has a function without a gradient.
    const LOSSY: LossyOperations = LossyOperations::None;

    /// Computes the outputs.
    fn formula<S: Scalar>(question: &Self::Of<S>) -> Vec<Named<S>>;

    /// Computes the expected outputs.
    fn expected(&self) -> Expected {
        let lifted = self.lift::<f64>(&mut |_, tensor| tensor.clone());
        let outputs = Self::formula(&lifted).into_iter();
        outputs.map(|Named { name, tensor }| (name, tensor.to_array())).collect()
    }

    /// Computes the tolerance of each output: [`MORE`] times the largest error that rounding can leave.
    fn tolerances(&self) -> BTreeMap<&'static str, Tolerance> {
        let lifted = self.lift::<Bounded>(&mut |_, tensor| tensor.map(Bounded::constant));
        let most = |tensor: &Tensor<Bounded>| {
            tensor.values().iter().fold(0.0, |most: f64, it| most.max(it.error()))
        };
        let allowed =
            |tensor: &Tensor<Bounded>| Tolerance { relative: 0.0, absolute: MORE * most(tensor) };
        let outputs = Self::formula(&lifted).into_iter();
        outputs.map(|Named { name, tensor }| (name, allowed(&tensor))).collect()
    }

    /// Returns the question with each input multiplied by a factor; parameters stay.
    fn scaled(case: &Case, factor: f64) -> Case {
        let mut scaled = case.clone();
        for input in &mut scaled.inputs {
            input.array = input.array.map(|x| factor * x);
        }
        scaled.label = format!("{}, inputs × {factor}", case.label);
        scaled
    }
}

/// Computes the expected outputs of a case.
pub(super) fn oracle<T: Formula>(case: &Case) -> Expected {
    T::from_case(case).expected()
}

/// Computes the largest of a case's tolerances.
pub(super) fn tolerance<T: Formula>(case: &Case) -> Tolerance {
    let each = T::from_case(case).tolerances().into_values();
    let most = each.map(|it| it.absolute).fold(0.0, f64::max);
    Tolerance { relative: 0.0, absolute: most }
}

/// What is derived from a task's formula, as functions that an exam's tables hold.
#[derive(Debug, Clone, Copy)]
pub struct Derived {
    /// Id of the task, which is that of the component as well.
    pub task: &'static str,
    /// Returns the diagnostic cases.
    pub battery: fn() -> Vec<Question>,
    /// Returns the expected response to a case.
    pub truth: fn(&Case) -> Given,
}

impl Derived {
    /// Returns what is derived from the formula of `T`.
    pub const fn of<T: Formula>() -> Self {
        Self { task: T::PART, battery: battery::<T>, truth: truth::<T> }
    }

    /// Returns the expected response to a case of one of the tasks.
    pub fn truth_of(all: &[Self], case: &Case) -> Given {
        let Some(derived) = all.iter().find(|it| it.task == case.part()) else {
            defect::note(|| format!("no formula for the component `{}`", case.part()));
            return Given::Nothing;
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
fn truth<T: Formula>(case: &Case) -> Given {
    let question = T::from_case(case);
    if question.fits().is_err() { Given::Refused } else { question.expected().into() }
}

/// Seed of diagnostic cases: always the same numbers, since names must not depend on the seed of a run.
const SEED: u64 = 20;

/// Returns the diagnostic cases of a task: several sizes, inputs that are not contiguous, small and large numbers,
/// gradients, and questions that must be refused.
fn battery<T: Formula>() -> Vec<Question> {
    let smallest = T::DIMS.iter().map(|dim| dim.from).collect();
    let first = Shape { sizes: smallest, dims: T::DIMS, data: 0 };
    let shapes =
        [vec![first.clone()], first.corners(), Shape { data: 1, ..first }.corners()].concat();
    let cases: Vec<Case> = shapes.iter().map(|shape| T::case(shape, SEED)).collect();
    let mut questions: Vec<Question> =
        cases.iter().map(|case| Question::new(Aspect::Plain, case.clone())).collect();
    let Some((corner, shape)) = cases.get(1).zip(shapes.get(1)) else { return questions };
    questions.push(Question::new(Aspect::Strided, corner.clone().strided()));
    for factor in T::EXTREMES {
        questions.push(Question::new(Aspect::Extreme, T::scaled(corner, *factor)));
    }
    questions.push(Question::gradients(corner.clone(), weights::<T>(corner)));
    let question = T::of(shape, Draw::new(SEED, shape.data));
    for misfit in question.misfits() {
        questions.push(Question::new(Aspect::Limit, misfit.to_case(shape.label())));
    }
    questions
}

/// Returns random weights for every output of a case.
pub(super) fn weights<T: Formula>(case: &Case) -> Cotangents {
    cotangents(case, oracle::<T>, SEED)
}

/// Computes the exact gradients of a case.
pub(super) fn slopes<T: Formula>(
    case: &Case,
    cotangents: &Cotangents,
) -> BTreeMap<String, softmark_checks::Array> {
    gradients(&T::from_case(case), cotangents)
}
