//! The mistake bank: a file a mistake, with its page and its imitation.
//!
//! A page says what we saw, why it is wrong and where to look, and never what the line should be.
//! Of two mistakes that explain as much, the one that stands first here is named.

use crate::suite::Mistake;

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    Vec::new()
}
