//! Comparison of numbers in `f64`, with a tolerance that is derived for each use.
//!
//! The kit re-exports this module, so that students can read how their results are compared.

/// Largest difference allowed between a number and its expected value:
/// `|got − want| ≤ absolute + relative · |want|`.
///
/// There is no default: each use must state how its numbers are derived.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Tolerance as a share of the expected value.
    pub relative: f64,
    /// Tolerance that does not depend on the expected value.
    pub absolute: f64,
}

/// Largest relative error of one rounding: half the distance between 1 and the next larger `f32`.
pub const F32_ROUNDING: f64 = 1.0 / 16_777_216.0;

impl Tolerance {
    /// No difference at all.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// Returns the tolerance for a result of `roundings` operations in `f32`, none of whose intermediate
    /// results is larger than `magnitude`.
    ///
    /// Each operation rounds by at most `2⁻²⁴` of its result, and errors add up, so the sum is at
    /// most `roundings · 2⁻²⁴ · magnitude` (Higham, *Accuracy and Stability of Numerical
    /// Algorithms*, section 3.1, to first order). The bound is doubled, which covers the terms of
    /// higher order and the library's own `exp`, good to about one unit in the last place.
    ///
    /// ```
    /// use softmark_kit::compare::Tolerance;
    ///
    /// let tolerance = Tolerance::f32(100, 2.0);
    /// assert!(tolerance.allows(1.000_01, 1.0));
    /// assert!(!tolerance.allows(1.000_1, 1.0));
    /// ```
    pub fn f32(roundings: usize, magnitude: f64) -> Self {
        Self { relative: 0.0, absolute: 2.0 * roundings as f64 * F32_ROUNDING * magnitude }
    }

    /// Returns the largest difference allowed between a value and `want`.
    pub fn allowed(self, want: f64) -> f64 {
        self.absolute + self.relative * want.abs()
    }

    /// Returns true if `got` is within the tolerance of `want`; false if either is infinite or not a number.
    pub fn allows(self, got: f64, want: f64) -> bool {
        got.is_finite() && want.is_finite() && (got - want).abs() <= self.allowed(want)
    }
}

impl std::ops::Add for Tolerance {
    type Output = Self;

    /// Returns the tolerance for two independent sources of error together.
    fn add(self, other: Self) -> Self {
        Self { relative: self.relative + other.relative, absolute: self.absolute + other.absolute }
    }
}

/// The first index at which two tensors differ by more than the tolerance.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Index along each axis, counted from 0.
    pub index: Vec<usize>,
    /// Actual value.
    pub got: f64,
    /// Expected value.
    pub want: f64,
    /// Largest difference allowed.
    pub allowed: f64,
    /// Number of elements that differ, including this one.
    pub count: usize,
}

/// Returns the first difference between `got` and `want`, both of `shape`, or `None` if there is none.
///
/// A missing element counts as a difference, and so does a value that is not finite.
///
/// ```
/// use softmark_kit::compare::{Tolerance, first_difference};
///
/// let got = [1.0, 2.0, f64::NAN, 4.0];
/// let want = [1.0, 2.0, 3.0, 5.0];
/// let difference = first_difference(&got, &want, &[2, 2], Tolerance::EXACT).unwrap();
/// assert_eq!((difference.index, difference.count), (vec![1, 0], 2));
/// ```
pub fn first_difference(
    got: &[f64],
    want: &[f64],
    shape: &[usize],
    tolerance: Tolerance,
) -> Option<Difference> {
    let value = |of: &[f64], i| of.get(i).copied().unwrap_or(f64::NAN);
    let mut differing = (0..got.len().max(want.len()))
        .filter(|&i| !tolerance.allows(value(got, i), value(want, i)));
    let first = differing.next()?;
    Some(Difference {
        index: unravel(first, shape),
        got: value(got, first),
        want: value(want, first),
        allowed: tolerance.allowed(value(want, first)),
        count: 1 + differing.count(),
    })
}

/// Converts a row-major element number to an index along each axis of a tensor of `shape`.
///
/// ```
/// assert_eq!(softmark_kit::compare::unravel(5, &[2, 3]), [1, 2]);
/// ```
pub fn unravel(flat: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = flat;
    let mut index = vec![0; shape.len()];
    for (at, size) in index.iter_mut().zip(shape).rev() {
        let size = (*size).max(1);
        *at = rest % size;
        rest /= size;
    }
    index
}
