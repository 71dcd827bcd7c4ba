//! Difference of two numbers of points.

use std::fmt;

use crate::model::Points;

/// Difference of points, exact to hundredths; it may be negative.
///
/// ```
/// use softmark::ledger::Delta;
/// use softmark::model::Points;
///
/// let points = Points::from_hundredths;
/// assert_eq!(Delta::between(points(150), points(50)).to_string(), "-1.00");
/// assert_eq!(Delta::between(points(0), points(25)).to_string(), "+0.25");
/// assert_eq!(Delta::between(points(50), points(50)).to_string(), "0.00");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Delta(i64);

impl Delta {
    /// Returns `after` minus `before`.
    pub fn between(before: Points, after: Points) -> Self {
        Self(i64::from(after.hundredths()) - i64::from(before.hundredths()))
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
        Self(self.0 + other.0)
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
