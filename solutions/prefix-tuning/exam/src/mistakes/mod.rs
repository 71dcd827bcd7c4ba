//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/prefix-tuning/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod checkpoint;
mod partial;
mod prefix;
mod training_loop;

use softmark_exam::Mistake;

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    [prefix::MISTAKES, partial::MISTAKES, training_loop::MISTAKES, checkpoint::MISTAKES].concat()
}
