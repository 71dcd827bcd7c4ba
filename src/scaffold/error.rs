//! Errors of scaffolding.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A course or an assignment that cannot be made.
#[derive(Debug, Error)]
pub enum ScaffoldError {
    /// A name cannot be the id of an assignment.
    #[error("an assignment cannot be called `{}`: {reason}", id.escape_debug())]
    Id {
        /// The name.
        id: String,
        /// Reason why it cannot be used.
        reason: String,
    },
    /// Something is already there.
    #[error("{} is already there", path.display())]
    Exists {
        /// Path of the file or folder.
        path: PathBuf,
    },
    /// A folder is not empty.
    #[error("{} is not empty", path.display())]
    NotEmpty {
        /// Path of the folder.
        path: PathBuf,
    },
    /// A file of the course has no place for a new assignment.
    #[error("there is no {place} in {}", path.display())]
    NoPlace {
        /// Description of the place.
        place: &'static str,
        /// Path of the file.
        path: PathBuf,
    },
    /// Reading or writing failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// Verb for the failed operation, such as `read`.
        action: &'static str,
        /// File or folder of the operation.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
}

impl ScaffoldError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}
