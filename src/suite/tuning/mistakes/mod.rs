//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/prefix-tuning/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

/// Row of this bank: id, imitations, and cuts where there are any.
macro_rules! mistake {
    ($id:literal, $imitations:expr $(, $cuts:expr)?) => {
        $crate::suite::page::mistake!("prefix-tuning", $id, $imitations $(, $cuts)?)
    };
}

mod checkpoint;
mod partial;
mod prefix;
mod training_loop;

use crate::suite::Mistake;

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    [prefix::MISTAKES, partial::MISTAKES, training_loop::MISTAKES, checkpoint::MISTAKES].concat()
}
