//! Points in time.

use std::fmt;

use crate::clock;

/// Seconds of a day.
pub(super) const DAY: i64 = 86_400;

/// Point in time, to the second, in UTC.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(i64);

impl Moment {
    /// Creates a moment from the seconds since the beginning of 1970, in UTC.
    pub const fn from_seconds(seconds: i64) -> Self {
        Self(seconds)
    }

    /// Returns the seconds since the beginning of 1970, in UTC.
    pub const fn seconds(self) -> i64 {
        self.0
    }

    /// Returns the moment that is `seconds` later.
    #[must_use]
    pub const fn plus(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds))
    }

    /// Returns the time of day.
    pub fn now() -> Self {
        Self(i64::try_from(clock::seconds()).unwrap_or(i64::MAX))
    }
}

impl fmt::Display for Moment {
    /// Writes the moment in RFC 3339 and UTC.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&clock::rfc3339(u64::try_from(self.0).unwrap_or(0)))
    }
}
