//! Numbers that a formula can be computed with.

use std::fmt::Debug;
use std::ops::{Add, Div, Mul, Neg, Sub};

/// A number type that a formula is written for once: plain values, values with error bounds, or values that
/// record how they were computed.
pub trait Scalar:
    Copy
    + Debug
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
{
    /// Returns a number that is known exactly.
    fn constant(value: f64) -> Self;

    /// Returns the number's value.
    fn value(self) -> f64;

    /// Returns `e` to the power of the number.
    #[must_use]
    fn exp(self) -> Self;

    /// Returns the square root.
    #[must_use]
    fn sqrt(self) -> Self;

    /// Returns the hyperbolic tangent.
    #[must_use]
    fn tanh(self) -> Self;
}

impl Scalar for f64 {
    fn constant(value: f64) -> Self {
        value
    }

    fn value(self) -> f64 {
        self
    }

    fn exp(self) -> Self {
        self.exp()
    }

    fn sqrt(self) -> Self {
        self.sqrt()
    }

    fn tanh(self) -> Self {
        self.tanh()
    }
}

/// Returns the sum of numbers, in their order; 0 if there are none.
///
/// ```
/// assert_eq!(softmark_checks::typed::sum([1.0, 2.5]), 3.5);
/// ```
pub fn sum<S: Scalar>(numbers: impl IntoIterator<Item = S>) -> S {
    numbers.into_iter().fold(S::constant(0.0), |sum, number| sum + number)
}
