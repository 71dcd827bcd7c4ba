//! The mistake bank: a file a mistake, with its page and its imitation.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

mod missing_scale;

use crate::suite::Mistake;

/// Every mistake of the assignment.
pub(super) fn mistakes() -> Vec<Mistake> {
    vec![missing_scale::MISTAKE]
}
