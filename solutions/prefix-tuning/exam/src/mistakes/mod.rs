//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/prefix-tuning/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod checkpoint;
mod partial;
mod prefix;
mod training_loop;

use softmark_exam::{Mistake, Pair};

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        prefix::CATALOG.mistakes(),
        partial::CATALOG.mistakes(),
        training_loop::CATALOG.mistakes(),
        checkpoint::CATALOG.mistakes(),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "prefix" => prefix::CATALOG.pairs(),
        "partial" => partial::CATALOG.pairs(),
        "loop" => training_loop::CATALOG.pairs(),
        "checkpoint" => checkpoint::CATALOG.pairs(),
        _ => Vec::new(),
    }
}
