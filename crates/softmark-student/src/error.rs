//! Reasons why a command cannot be carried out.

use std::io;
use std::path::{Path, PathBuf};

use softmark_checks::CheckError;
use thiserror::Error;

/// Reason why a command cannot be carried out; never the fault of the code that is checked.
#[derive(Debug, Error)]
pub(crate) enum StudentError {
    /// The command line cannot be understood.
    #[error("{0}")]
    Usage(String),
    /// A file of the assignment is not as it was handed out.
    #[error("{0}: get it again from what was handed out")]
    Assignment(String),
    /// A file cannot be read or written.
    #[error("cannot {action} {path}: {source}", path = path.display())]
    Io {
        /// Verb: read, write.
        action: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// The submission would be rejected, for these reasons.
    #[error("the grader would reject this:\n{}", .0.join("\n"))]
    Rejected(Vec<String>),
    /// The archive cannot be written.
    #[error("cannot write the archive: {0}")]
    Archive(#[from] zip::result::ZipError),
    /// A check cannot be run.
    #[error("the check `{check}` could not be run: {reason}")]
    Check {
        /// Id of the check.
        check: String,
        /// Reason.
        reason: String,
    },
    /// The terminal or the watcher of files fails.
    #[error("cannot watch: {0}")]
    Watch(String),
}

impl StudentError {
    /// Returns a function that makes the error of `action` on the file at `path`.
    pub(crate) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }

    /// Returns the error of a check that cannot be run.
    pub(crate) fn check(id: &str, error: &CheckError) -> Self {
        Self::Check { check: id.to_owned(), reason: error.to_string() }
    }
}
