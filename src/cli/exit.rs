//! Exit status.

use std::process::ExitCode;

/// Exit status of `grade`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Exit {
    /// Every submission has a grade, whatever the marks.
    Success,
    /// A grade is below what `--require` asked for, an audit has found a problem, or `--fail-on-loss` has found a loss.
    Unmet,
    /// A submission has no grade, for a reason that is not the student's fault.
    NoGrade,
    /// The command line is invalid, or names something that does not exist.
    Usage,
}

impl Exit {
    /// Returns the numeric exit status.
    pub fn code(self) -> u8 {
        match self {
            Self::Success => 0,
            Self::Unmet => 1,
            Self::NoGrade => 2,
            Self::Usage => 64,
        }
    }
}

impl From<Exit> for ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit.code())
    }
}
