//! Numbers of runs.

use std::fmt;

/// Id of a run in the database.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct RunId(i64);

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl RunId {
    /// Returns the id of the run with this number.
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of the run: the first run of a database has number 1.
    pub fn number(self) -> i64 {
        self.0
    }
}
