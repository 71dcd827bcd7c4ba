//! Differences of points, which may be negative.

use std::fmt;
use std::iter::Sum;

use serde::{Deserialize, Serialize};

use super::points::{InvalidPoints, Points};

/// Difference of points, exact to hundredths; it may be negative.
///
/// ```
/// use softmark::model::{Delta, Points};
///
/// let points = Points::from_hundredths;
/// assert_eq!(Delta::between(points(150), points(50)).to_string(), "-1.00");
/// assert_eq!(Delta::between(points(0), points(25)).to_string(), "+0.25");
/// assert_eq!(Delta::between(points(50), points(50)).to_string(), "0.00");
/// assert_eq!(Delta::parse(-0.5), Some(Delta::from_hundredths(-50)));
/// assert_eq!(Delta::parse(0.125), None);
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Delta(i64);

impl Delta {
    /// No difference.
    pub const ZERO: Self = Self(0);

    /// Creates a difference from hundredths of a point.
    pub const fn from_hundredths(hundredths: i64) -> Self {
        Self(hundredths)
    }

    /// Returns `after` minus `before`.
    pub fn between(before: Points, after: Points) -> Self {
        Self(i64::from(after.hundredths()) - i64::from(before.hundredths()))
    }

    /// Converts a floating point number; `None` if its size is not a [number of points](Points::parse).
    pub fn parse(value: f64) -> Option<Self> {
        let size = i64::from(Points::parse(value.abs())?.hundredths());
        Some(Self(if value < 0.0 { -size } else { size }))
    }

    /// Returns the difference in hundredths of a point.
    pub fn hundredths(self) -> i64 {
        self.0
    }

    /// Returns the difference in points.
    pub fn to_f64(self) -> f64 {
        self.0 as f64 / 100.0
    }

    /// Returns true if points were lost.
    pub fn is_loss(self) -> bool {
        self.0 < 0
    }

    /// Returns the sum of two differences.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    /// Returns as many points as the difference has, at least none and at most `most`.
    pub fn within(self, most: Points) -> Points {
        let most = i64::from(most.hundredths());
        Points::from_hundredths(u32::try_from(self.0.clamp(0, most)).unwrap_or_default())
    }
}

impl Sum for Delta {
    fn sum<I: Iterator<Item = Self>>(differences: I) -> Self {
        differences.fold(Self::ZERO, Self::plus)
    }
}

impl TryFrom<f64> for Delta {
    type Error = InvalidPoints;

    fn try_from(value: f64) -> Result<Self, InvalidPoints> {
        Self::parse(value).ok_or(InvalidPoints::of(value))
    }
}

impl From<Delta> for f64 {
    fn from(delta: Delta) -> Self {
        delta.to_f64()
    }
}

impl fmt::Display for Delta {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = match self.0 {
            0 => "",
            1.. => "+",
            _ => "-",
        };
        let size = self.0.unsigned_abs();
        f.pad(&format!("{sign}{}.{:02}", size / 100, size % 100))
    }
}
