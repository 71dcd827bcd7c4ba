//! What can be told while submissions are graded.

use crate::model::{Points, RecordOutcome};
use crate::untrusted::Untrusted;

/// Something that happened to a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// Its files are being read.
    Started {
        /// Whose.
        submission: Untrusted,
    },
    /// Its code is being compiled.
    Compiling {
        /// Whose.
        submission: Untrusted,
    },
    /// A check is being carried out.
    Checking {
        /// Whose.
        submission: Untrusted,
        /// The check's id.
        check: &'static str,
    },
    /// It has a record, which is kept.
    Finished {
        /// Whose.
        submission: Untrusted,
        /// How grading ended.
        outcome: RecordOutcome,
        /// Points it earned.
        points: Points,
        /// Points it could earn.
        max_points: Points,
        /// Whether the record was there already.
        cached: bool,
    },
}
