//! A place that shows what students must not see.

use std::fmt;
use std::path::PathBuf;

/// Place in a release that shows what students must not see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Leak {
    /// Path of the file in the release.
    pub file: PathBuf,
    /// Line, counted from 1.
    pub line: usize,
    /// Name of a hidden check, or line of a solution.
    pub text: String,
}

impl fmt::Display for Leak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file.display(), self.line, self.text)
    }
}
