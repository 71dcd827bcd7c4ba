//! Points, exact to hundredths.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;

use serde::{Deserialize, Serialize};

/// A number of points, held in hundredths so that sums are exact. A record stores it as a number with at
/// most two decimals.
///
/// ```
/// use softmark::model::Points;
///
/// let half = Points::from_hundredths(50);
/// assert_eq!((half + half + half).to_string(), "1.50");
/// assert_eq!(Points::parse(0.1 + 0.2), Some(Points::from_hundredths(30)));
/// assert_eq!(Points::parse(0.125), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Points(u32);

impl Points {
    /// No points.
    pub const ZERO: Self = Self(0);

    /// The most that a single number of points may be: ten thousand.
    pub const MAX: Self = Self(1_000_000);

    /// Creates points from hundredths of a point.
    pub const fn from_hundredths(hundredths: u32) -> Self {
        Self(hundredths)
    }

    /// Returns these points, less `old` and with `new`; not below zero.
    #[must_use]
    pub fn exchange(self, old: Self, new: Self) -> Self {
        Self((self.0.saturating_add(new.0)).saturating_sub(old.0))
    }

    /// Returns the points in hundredths.
    pub const fn hundredths(self) -> u32 {
        self.0
    }

    /// Returns the points as a floating point number: hundredths divided once by a hundred are the nearest
    /// number there is, and that prints with at most two decimals.
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 100.0
    }

    /// Converts a floating point number; `None` if it is negative, not a number of hundredths, or more than
    /// [`Points::MAX`].
    pub fn parse(value: f64) -> Option<Self> {
        // Adding zero turns a negative zero into the plain one.
        let hundredths = (value * 100.0).round() + 0.0;
        // 1e-6 is far below a hundredth and far above what decimals lose in f64.
        if !(0.0..=f64::from(Self::MAX.0)).contains(&hundredths)
            || (value * 100.0 - hundredths).abs() > 1e-6
        {
            return None;
        }
        // In range and whole, as just checked; the loop-free way from f64 to u32 without a cast.
        format!("{hundredths:.0}").parse().ok().map(Self)
    }
}

/// A number that is no number of points.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[error("{0} is not a number of points")]
pub struct InvalidPoints(f64);

impl InvalidPoints {
    /// Creates the error for a number.
    pub(super) fn of(value: f64) -> Self {
        Self(value)
    }
}

impl TryFrom<f64> for Points {
    type Error = InvalidPoints;

    fn try_from(value: f64) -> Result<Self, InvalidPoints> {
        Self::parse(value).ok_or(InvalidPoints(value))
    }
}

impl From<Points> for f64 {
    fn from(points: Points) -> Self {
        points.to_f64()
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{:02}", self.0 / 100, self.0 % 100))
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::Points;

    fn any_points() -> impl Strategy<Value = Points> {
        (0..=Points::MAX.hundredths()).prop_map(Points::from_hundredths)
    }

    proptest! {
        #[test]
        fn points_survive_every_way_of_writing_them(points in any_points()) {
            prop_assert_eq!(Points::parse(points.to_f64()), Some(points));
            prop_assert_eq!(Points::parse(points.to_string().parse().unwrap()), Some(points));
        }

        #[test]
        fn sums_are_exact_in_any_order(mut points in prop::collection::vec(any_points(), 0..50)) {
            let forward: Points = points.iter().copied().sum();
            points.reverse();
            let backward: Points = points.iter().copied().sum();
            let hundredths: u32 = points.iter().map(|points| points.hundredths()).sum();
            prop_assert_eq!(forward, backward);
            prop_assert_eq!(forward.hundredths(), hundredths);
        }

        #[test]
        fn what_is_no_number_of_hundredths_is_refused(
            points in any_points(),
            thousandths in 1_u8..=9,
        ) {
            prop_assert_eq!(Points::parse(points.to_f64() + f64::from(thousandths) / 1000.0), None);
        }
    }

    #[test]
    fn points_out_of_range_are_refused() {
        for value in [-0.01, 10_000.01, f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            assert_eq!(Points::parse(value), None, "{value}");
        }
        assert_eq!(Points::parse(-0.0), Some(Points::ZERO));
    }
}
