//! Visibility of checks.

use serde::{Deserialize, Serialize};

/// Visibility of a check to students.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Visibility {
    /// The check also runs in a student's `cargo test`.
    Public,
    /// Only the grader has the check.
    Hidden,
}

impl Visibility {
    /// Returns the name in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Hidden => "hidden",
        }
    }
}
