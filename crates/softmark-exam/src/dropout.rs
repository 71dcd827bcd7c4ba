//! Dropout in oracles.

use std::cell::Cell;

use softmark_checks::{Array, Case};
use softmark_common::rng::Stream;

use crate::noisy::Noisy;

/// Source of the factors by which dropout multiplies numbers.
///
/// The implementation may choose which numbers it sets to zero. If the probability is at most 0.1 or at least
/// 0.9, as in the diagnostic cases, this source sets none or all of them to zero.
#[derive(Debug)]
pub struct Dropper {
    p: f64,
    step: u64,
    calls: Cell<u64>,
}

/// Returns a number that differs for each step of a training that a case may say in its input `step`; 0 for step 0, and if
/// it says none.
pub fn step_of(case: &Case) -> u64 {
    case.find("step").map_or(0, |step| step.at(&[0]).to_bits())
}

impl Dropper {
    /// Constructs the dropout of a case, which is inactive unless `train` is 1.
    pub fn new(case: &Case) -> Self {
        let p = case.get_size("dropout_permille") as f64 / 1000.0;
        let train = case.get_size("train") == 1;
        Self { p: if train { p } else { 0.0 }, step: step_of(case), calls: Cell::new(0) }
    }

    /// Returns the factors of one call.
    pub fn factors(&self, shape: &[usize]) -> Array {
        let kept = 1.0 / (1.0 - self.p);
        if self.p <= 0.1 {
            return Array::full(shape, kept);
        }
        if self.p >= 0.9 {
            return Array::full(shape, 0.0);
        }
        let mut stream =
            Stream::derive(1, "which are dropped", self.step.wrapping_add(self.calls.get()));
        self.calls.set(self.calls.get() + 1);
        let p = self.p;
        Array::from_fn(shape, |_| if f64::from(stream.uniform()) < p { 0.0 } else { kept })
    }

    /// Returns `x` after dropout.
    pub fn drop(&self, x: &Noisy) -> Noisy {
        if self.p == 0.0 { x.clone() } else { x.times(&self.factors(x.values.shape())) }
    }
}
