//! Roles of users.

use serde::{Deserialize, Serialize};

/// Role of a user. A later role may do what an earlier one may.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Reads results, statistics and changes.
    Reader,
    /// Marks answers, answers appeals, and compares submissions.
    Marker,
    /// Decides points, grades, and reads the log of changes.
    Owner,
}

impl Role {
    /// Every role, in the order of what they may do.
    pub const ALL: [Self; 3] = [Self::Reader, Self::Marker, Self::Owner];

    /// Returns the name in the file of users.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::Marker => "marker",
            Self::Owner => "owner",
        }
    }
}
