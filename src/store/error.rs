//! What can be wrong with a database, and what to do about it.

use std::path::{Path, PathBuf};

use rusqlite::ErrorCode;

use super::document::ReadError;

/// A database that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// The file is not a database, or parts of it are broken.
    #[error(
        "{} is damaged, or is no SQLite database: move it away and run again, and a new one is \
         made; the grades so far are still in `records/` beside it",
        path.display()
    )]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
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
    /// A later grader has changed the file's structure.
    #[error(
        "{} was written by a later grader (schema {found}, this one knows {known}): update this \
         grader, or name another folder with `--out`",
        path.display()
    )]
    Newer {
        /// The file.
        path: PathBuf,
        /// Its schema's version.
        found: i64,
        /// The newest version known here.
        known: i64,
    },
    /// Another grader has held the file for longer than one would wait.
    #[error(
        "another grader is writing to {} and does not finish: wait for it, or end it, and run \
         again",
        path.display()
    )]
    Busy {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// The file cannot be opened or written.
    #[error("cannot open or write {}: is the folder there, writable, and not full?", path.display())]
    Inaccessible {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
    /// A record in the file cannot be read back.
    #[error("the saved record of `{submission}` cannot be read: grade it again with `--fresh`")]
    Record {
        /// Whose record.
        submission: String,
        /// What is wrong with it.
        source: ReadError,
    },
    /// A record cannot be written down.
    #[error("the record of `{submission}` cannot be written down")]
    Document {
        /// Whose record.
        submission: String,
        /// What is wrong with it.
        source: serde_json::Error,
    },
    /// Anything else that SQLite says.
    #[error("the database {} refuses a query", path.display())]
    Query {
        /// The file.
        path: PathBuf,
        /// What SQLite says.
        source: rusqlite::Error,
    },
}

impl StoreError {
    /// What `source` means to the person whose database `path` is.
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
