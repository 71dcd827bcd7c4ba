//! Formatting of errors with their sources as one line.

use std::error::Error;

/// Returns the messages of an error and of all its sources, without messages that are contained in
/// earlier ones.
pub(crate) fn chain(error: &dyn Error) -> String {
    let mut text = error.to_string();
    let mut below = error.source();
    while let Some(error) = below {
        let more = error.to_string();
        if !text.contains(&more) {
            text = format!("{text}: {more}");
        }
        below = error.source();
    }
    text
}
