//! State of the server that open pages follow.

use super::stamp::Stamp;

/// State that open pages follow; each change of it is an event for them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum Observed {
    /// Nobody has looked at the results yet.
    #[default]
    None,
    /// State of the results and of grading.
    State {
        /// State of the results.
        results: Stamp,
        /// Number of the state of grading.
        grading: u64,
    },
    /// The server ends.
    Ending,
}
