//! How numbers are compared: in `f64`, against a tolerance that somebody derived.
//!
//! Students may read how they are judged.

/// By how much a number may differ from what is expected:
/// `|got − want| ≤ absolute + relative · |want|`.
///
/// There is no default: each use says where its numbers come from.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tolerance {
    /// Share of the expected value.
    pub relative: f64,
    /// Added to it.
    pub absolute: f64,
}

/// Half the distance between 1 and the next larger `f32`: what one rounding may cost.
pub const F32_ROUNDING: f64 = 1.0 / 16_777_216.0;

impl Tolerance {
    /// Not a bit of difference.
    pub const EXACT: Self = Self { relative: 0.0, absolute: 0.0 };

    /// For a result that `roundings` operations in `f32` lead to, none of whose intermediate
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

    /// By how much a value may differ from `want`.
    pub fn allowed(self, want: f64) -> f64 {
        self.absolute + self.relative * want.abs()
    }

    /// Whether `got` is close enough to `want`; never where either is infinite or not a number.
    pub fn allows(self, got: f64, want: f64) -> bool {
        got.is_finite() && want.is_finite() && (got - want).abs() <= self.allowed(want)
    }
}

impl std::ops::Add for Tolerance {
    type Output = Self;

    /// What two independent sources of error allow together.
    fn add(self, other: Self) -> Self {
        Self { relative: self.relative + other.relative, absolute: self.absolute + other.absolute }
    }
}

/// The first place at which two tensors differ by more than is allowed.
#[derive(Debug, Clone, PartialEq)]
pub struct Difference {
    /// Along each axis, counted from 0.
    pub index: Vec<usize>,
    /// What is there.
    pub got: f64,
    /// What should be.
    pub want: f64,
    /// By how much they may differ.
    pub allowed: f64,
    /// How many elements differ, this one included.
    pub count: usize,
}

/// The first difference between `got` and `want`, both of `shape`; `None` where there is none.
///
/// A missing element counts as a difference, and so does anything that is not finite.
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

/// Where the element with the running number `flat` stands in a tensor of `shape`.
///
/// ```
/// assert_eq!(softmark_kit::compare::unravel(5, &[2, 3]), [1, 2]);
/// ```
pub fn unravel(flat: usize, shape: &[usize]) -> Vec<usize> {
    let mut rest = flat;
    let mut index: Vec<usize> = shape
        .iter()
        .rev()
        .map(|&size| {
            let size = size.max(1);
            let at = rest % size;
            rest /= size;
            at
        })
        .collect();
    index.reverse();
    index
}
