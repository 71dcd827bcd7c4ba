//! Events for the pages that are open.

use super::stamp::Stamp;

/// Last event for the pages that are open.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) enum News {
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
