//! Errors of the database; each message says what to do.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;
use softmark_untrusted::Untrusted;

use super::document::ReadError;

/// Error of the database of grades.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is not a database, or parts of it are broken.
    #[error(
        "{} is damaged, or is no SQLite database: move it away and run again, and a new one is \
         made; the grades so far are still in `records/` beside it, but overrides, appeals and marks are in this file alone: keep it, and \
         try `sqlite3 FILE .recover`",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
    /// The file is a database of something else.
    #[error(
        "{} is a database of another program: name another folder with `--out`",
        path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// A newer version of the grader wrote the file.
    #[error(
        "{} was written by a later grader (schema {found}, this one knows {known}): update this \
         grader, or name another folder with `--out`",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Version of its schema.
        found: i64,
        /// Newest version that this grader knows.
        known: i64,
    },
    /// Another grader holds the lock of the file for too long.
    #[error(
        "another grader is writing to {} and does not finish: wait for it, or end it, and run \
         again",
        path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
    /// The file cannot be opened or written.
    #[error("cannot open or write {}: is the folder there, writable, and not full?", path.display())]
    Inaccessible {
        /// The file.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
    /// A record in the file cannot be read.
    #[error("the saved record of `{submission}` cannot be read: grade it again with `--fresh`")]
    Record {
        /// Name of the submission.
        submission: Untrusted,
        /// Reason.
        source: ReadError,
    },
    /// A record cannot be serialized.
    #[error("the record of `{submission}` cannot be written down")]
    Document {
        /// Name of the submission.
        submission: Untrusted,
        /// Reason.
        source: serde_json::Error,
    },
    /// Any other error of SQLite.
    #[error("the database {} refuses a query", path.display())]
    Query {
        /// The file.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// Converts an error of SQLite in the database at `path`.
    pub(super) fn of(path: &Path, source: rusqlite::Error) -> Self {
        let path = path.to_owned();
        match source.sqlite_error_code() {
            Some(ErrorCode::NotADatabase | ErrorCode::DatabaseCorrupt) => {
                Self::Damaged { path, source }
            }
            Some(ErrorCode::DatabaseBusy | ErrorCode::DatabaseLocked) => {
                Self::Busy { path, source }
            }
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::ReadOnly
                | ErrorCode::PermissionDenied
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure,
            ) => Self::Inaccessible { path, source },
            _ => Self::Query { path, source },
        }
    }
}
