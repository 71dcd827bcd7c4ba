//! Numbers with a bound on what rounding in `f32` can have made of them.

use std::ops::{Add, Div, Mul, Neg, Sub};

use softmark_checks::typed::Scalar;
use softmark_common::compare::F32_ROUNDING;

/// A number, and a bound on the error of the same number computed in `f32`.
///
/// A running error analysis (Higham, *Accuracy and Stability of Numerical Algorithms*, section 3.3, to first order):
/// each operation passes on the errors of its operands and adds a rounding of its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounded {
    value: f64,
    error: f64,
}

/// Roundings of a library function's result: good to about one unit in the last place, which is two roundings.
const LIBRARY: f64 = 2.0;

impl Bounded {
    fn new(value: f64, passed_on: f64) -> Self {
        Self::rounded(value, passed_on, 1.0)
    }

    fn rounded(value: f64, passed_on: f64, roundings: f64) -> Self {
        Self { value, error: passed_on + roundings * F32_ROUNDING * value.abs() }
    }

    /// Returns the bound on the error.
    pub fn error(self) -> f64 {
        self.error
    }
}

impl Add for Bounded {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self::new(self.value + other.value, self.error + other.error)
    }
}

impl Sub for Bounded {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self::new(self.value - other.value, self.error + other.error)
    }
}

impl Mul for Bounded {
    type Output = Self;

    fn mul(self, other: Self) -> Self {
        let passed_on = self.error * other.value.abs() + other.error * self.value.abs();
        Self::new(self.value * other.value, passed_on)
    }
}

impl Div for Bounded {
    type Output = Self;

    fn div(self, other: Self) -> Self {
        let value = self.value / other.value;
        let passed_on = (self.error + other.error * value.abs()) / other.value.abs();
        Self::new(value, passed_on)
    }
}

impl Neg for Bounded {
    type Output = Self;

    fn neg(self) -> Self {
        Self { value: -self.value, ..self }
    }
}

impl Scalar for Bounded {
    fn constant(value: f64) -> Self {
        Self { value, error: 0.0 }
    }

    fn value(self) -> f64 {
        self.value
    }

    fn exp(self) -> Self {
        let value = self.value.exp();
        Self::rounded(value, self.error * value, LIBRARY)
    }

    fn sqrt(self) -> Self {
        let value = self.value.sqrt();
        // The slope is infinite at 0, where only 0 itself comes out right.
        let slope = if value > 0.0 { 0.5 / value } else { 0.0 };
        Self::new(value, self.error * slope)
    }

    fn tanh(self) -> Self {
        let value = self.value.tanh();
        Self::rounded(value, self.error * (1.0 - value * value), LIBRARY)
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::typed::sum;

    use super::*;

    #[expect(clippy::cast_possible_truncation, reason = "computing in f32 is what is tested")]
    fn single(x: f64) -> f32 {
        x as f32
    }

    /// The bound holds for a mean of squares, computed in `f32`, and is not a hundred times too large.
    #[test]
    fn bounds_the_error_of_a_computation_in_f32() {
        let numbers: Vec<f64> = (1..200).map(|n| f64::from(single(f64::from(n).sqrt()))).collect();
        let squares = numbers.iter().map(|&x| Bounded::constant(x) * Bounded::constant(x));
        let bounded = (sum(squares) / Bounded::constant(199.0)).sqrt();
        let in_f32 = numbers.iter().map(|&x| single(x)).fold(0.0_f32, |sum, x| sum + x * x);
        let error = (f64::from((in_f32 / 199.0).sqrt()) - bounded.value()).abs();
        assert!(error <= bounded.error(), "{error:e} {:e}", bounded.error());
        assert!(bounded.error() < 200.0 * F32_ROUNDING * bounded.value());
    }

    #[test]
    fn cancellation_keeps_the_errors_of_the_operands() {
        let third = Bounded::constant(1.0) / Bounded::constant(3.0);
        let difference = third - third;
        assert_eq!(difference.value(), 0.0);
        assert!(difference.error() > 0.0);
    }
}
