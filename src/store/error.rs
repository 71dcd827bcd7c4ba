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
    /// This user may read the file, or the folder in which it would be, and not write it.
    #[error(
        "you may only read {}, because of its permissions, those of its folder, or a disk that is mounted read-only; nothing was \
         written: ask its owner, or copy the folder and name the copy",
        path.display()
    )]
    ReadOnly {
        /// The file or the folder.
        path: PathBuf,
    },
    /// The file is empty, and there are records beside it.
    #[error(
        "{} is empty, and there are records beside it, as after a copy that failed: copy it again, or restore it from a backup, \
         because overrides, appeals and marks are in this file alone; if it is lost, remove the empty file, and the next run makes \
         a new one",
        path.display()
    )]
    Empty {
        /// The file.
        path: PathBuf,
    },
    /// A writer was interrupted, and this user may not write.
    #[error(
        "a grader that wrote to {} was interrupted or copied in the middle, and you may only read there: ask its owner to run \
         `grade log` there, or copy the folder to where you may write, and name the copy",
        path.display()
    )]
    Unmerged {
        /// The file.
        path: PathBuf,
    },
    /// The file is read from a private copy, for which there is no room.
    #[error(
        "cannot make the temporary copy by which {} is read: is there room in the folder that `TMPDIR` names?",
        path.display()
    )]
    Uncopied {
        /// The file.
        path: PathBuf,
        /// Error of SQLite.
        source: rusqlite::Error,
    },
    /// The file cannot be opened, read or written.
    #[error(
        "cannot open {}, or not write to it: is the folder there, may you read it, and is the disk not full?",
        path.display()
    )]
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
            Some(ErrorCode::ReadOnly) => Self::ReadOnly { path },
            Some(
                ErrorCode::CannotOpen
                | ErrorCode::PermissionDenied
                | ErrorCode::DiskFull
                | ErrorCode::SystemIoFailure,
            ) => Self::Inaccessible { path, source },
            _ => Self::Query { path, source },
        }
    }
}
