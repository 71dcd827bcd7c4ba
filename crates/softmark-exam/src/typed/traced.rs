//! Numbers that record how they were computed, for exact gradients.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ops::{Add, Div, Mul, Neg, Sub};

use softmark_checks::typed::{Scalar, Tensor, Typed};
use softmark_checks::{Array, Case};

use crate::check::Cotangents;
use crate::typed::{Formula, Named};

/// A number and its place on the tape of the running thread. Exact gradients of a formula come from one evaluation with
/// such numbers and one way back over the tape ([`gradients`]).
#[derive(Debug, Clone, Copy)]
pub struct Traced {
    value: f64,
    /// Place on the tape; `None` for a constant.
    place: Option<usize>,
}

/// A number on the tape: the places of the numbers that it was computed from, and its derivatives by them.
#[derive(Debug, Clone, Copy, Default)]
struct Step {
    from: [Option<usize>; 2],
    slopes: [f64; 2],
}

thread_local! {
    static TAPE: RefCell<Vec<Step>> = const { RefCell::new(Vec::new()) };
}

impl Traced {
    /// Records a number; what depends on constants only is a constant.
    fn record(value: f64, from: [Option<usize>; 2], slopes: [f64; 2]) -> Self {
        if from == [None, None] {
            return Self { value, place: None };
        }
        let place = TAPE.with_borrow_mut(|tape| {
            tape.push(Step { from, slopes });
            tape.len() - 1
        });
        Self { value, place: Some(place) }
    }

    /// Records a number that gradients are wanted for.
    fn variable(value: f64) -> Self {
        let place = TAPE.with_borrow_mut(|tape| {
            tape.push(Step::default());
            tape.len() - 1
        });
        Self { value, place: Some(place) }
    }

    fn of_one(self, value: f64, slope: f64) -> Self {
        Self::record(value, [self.place, None], [slope, 0.0])
    }
}

impl Add for Traced {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::record(self.value + other.value, [self.place, other.place], [1.0, 1.0])
    }
}

impl Sub for Traced {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::record(self.value - other.value, [self.place, other.place], [1.0, -1.0])
    }
}

impl Mul for Traced {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let slopes = [other.value, self.value];
        Self::record(self.value * other.value, [self.place, other.place], slopes)
    }
}

impl Div for Traced {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let slopes = [1.0 / other.value, -value / other.value];
        Self::record(value, [self.place, other.place], slopes)
    }
}

impl Neg for Traced {
    type Output = Self;

    fn neg(self) -> Self {
        self.of_one(-self.value, -1.0)
    }
}

impl Scalar for Traced {
    fn constant(value: f64) -> Self {
        Self { value, place: None }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn exp(self) -> Self {
        let value = self.value.exp();
        self.of_one(value, value)
    }

    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        self.of_one(value, 0.5 / value)
    }

    fn tanh(self) -> Self {
        let value = self.value.tanh();
        self.of_one(value, 1.0 - value * value)
    }
}

/// Returns the exact gradients of `Σ output · cotangent` with respect to every parameter and input of a case, by name.
pub fn gradients<F: Formula>(case: &Case, cotangents: &Cotangents) -> BTreeMap<String, Array> {
    TAPE.with_borrow_mut(Vec::clear);
    let mut variables: BTreeMap<String, Tensor<Traced>> = BTreeMap::new();
    let lifted = F::Task::from_case(case).lift::<Traced>(&mut |name, tensor| {
        let variable = tensor.map(Traced::variable);
        variables.insert(name.to_owned(), variable.clone());
        variable
    });
    let slopes = way_back(&F::formula(&lifted), cotangents);
    let slope = |number: Traced| number.place.and_then(|at| slopes.get(at)).copied().unwrap_or(0.0);
    let each = variables.into_iter();
    each.map(|(name, variable)| (name, variable.map(slope).to_array())).collect()
}

/// Returns the derivative of the weighted sum by each number on the tape.
fn way_back(outputs: &[Named<Traced>], cotangents: &Cotangents) -> Vec<f64> {
    let tape = TAPE.with_borrow(Vec::clone);
    let mut slopes = vec![0.0; tape.len()];
    let add = |slopes: &mut Vec<f64>, place: Option<usize>, by: f64| {
        if let Some(slope) = place.and_then(|place| slopes.get_mut(place)) {
            *slope += by;
        }
    };
    for Named { name, tensor } in outputs {
        let weights = cotangents.iter().find(|(of, _)| of == name);
        let weights = weights.map_or(&[][..], |(_, weights)| weights.values());
        for (number, weight) in tensor.values().iter().zip(weights) {
            add(&mut slopes, number.place, *weight);
        }
    }
    for (place, step) in tape.iter().enumerate().rev() {
        let slope = slopes.get(place).copied().unwrap_or(0.0);
        for (from, by) in step.from.iter().zip(step.slopes) {
            add(&mut slopes, *from, slope * by);
        }
    }
    slopes
}
