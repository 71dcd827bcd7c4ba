//! Reasons why a change is not made.

use std::io;
use std::path::PathBuf;

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::marks::MarksError;
use crate::model::Points;
use crate::store::StoreError;

/// Reason why a change is not made.
#[derive(Debug, Error)]
pub enum ChangeError {
    /// There is no record of the submission.
    #[error("there is no record of `{}` in {}", submission.escape_debug(), out.display())]
    NoRecord {
        /// Name that was given.
        submission: String,
        /// Folder of the results.
        out: PathBuf,
    },
    /// The record cannot be read.
    #[error("cannot read {}: {reason}", path.display())]
    Unreadable {
        /// Path of the record.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The record has no such check.
    #[error("`{submission}` has no check `{}`", id.escape_debug())]
    NoCheck {
        /// Submission id.
        submission: Untrusted,
        /// Id that was given.
        id: String,
        /// Ids of the checks of the record.
        known: Vec<String>,
    },
    /// The points are more than the check is worth.
    #[error("{points} is more than `{check}` is worth: {max_points}")]
    TooManyPoints {
        /// Points that were given.
        points: Points,
        /// Check id.
        check: Untrusted,
        /// Points available.
        max_points: Points,
    },
    /// There is no override to withdraw.
    #[error("`{submission}` has no override of `{check}`")]
    NoOverride {
        /// Submission id.
        submission: Untrusted,
        /// Check id.
        check: Untrusted,
    },
    /// Somebody else decided about the check in the meantime.
    #[error(
        "the points of `{check}` of `{submission}` were decided in the meantime: look at the new decision first"
    )]
    DecidedMeanwhile {
        /// Submission id.
        submission: Untrusted,
        /// Check id.
        check: Untrusted,
    },
    /// An appeal about the same is open.
    #[error("`{submission}` has an open appeal about {about}")]
    AppealOpen {
        /// Submission id.
        submission: Untrusted,
        /// Subject.
        about: String,
    },
    /// No appeal about this is open.
    #[error("`{submission}` has no open appeal about {about}")]
    NoAppeal {
        /// Submission id.
        submission: Untrusted,
        /// Subject.
        about: String,
    },
    /// The ledger cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The marks cannot be read.
    #[error(transparent)]
    Marks(#[from] MarksError),
    /// A file cannot be written.
    #[error("cannot write {}: {source}", path.display())]
    Unwritten {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
}
