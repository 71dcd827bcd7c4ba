//! Errors as one line.

use std::error::Error;

/// An error and all that lies below it, unless it says so itself.
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
