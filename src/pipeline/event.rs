//! Events that are emitted while submissions are graded.

use softmark_untrusted::Untrusted;

use crate::model::{Points, RecordOutcome};
use crate::pipeline::timings::Timings;
use crate::store::SavedVersion;

/// Event in the grading of a submission.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// The grader begins to read the submission.
    Started {
        /// Submission id.
        submission: Untrusted,
    },
    /// The submission's code is being compiled.
    Compiling {
        /// Submission id.
        submission: Untrusted,
    },
    /// A check is being run.
    Checking {
        /// Submission id.
        submission: Untrusted,
        /// Check id.
        check: &'static str,
    },
    /// The record of the submission is complete and stored.
    Finished {
        /// Submission id.
        submission: Untrusted,
        /// Version of the submission.
        version: SavedVersion,
        /// Outcome of grading.
        outcome: RecordOutcome,
        /// Points earned.
        points: Points,
        /// Points available.
        max_points: Points,
        /// True if no code of the submission was run, because earlier runs have all results.
        cached: bool,
        /// Number of checks.
        checks: usize,
        /// Number of checks whose results come from earlier runs.
        reused: usize,
        /// Time that grading took; empty for an earlier run.
        timings: Timings,
    },
}
