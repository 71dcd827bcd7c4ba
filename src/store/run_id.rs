//! Numbers of runs, and versions of submissions in them.

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

/// Version of a submission in a run.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SavedVersion {
    /// Earlier version that a download has beside the latest; the oldest has number 0.
    Earlier(usize),
    /// The latest version, which is the submission for all but the policy of a course.
    Latest,
}
