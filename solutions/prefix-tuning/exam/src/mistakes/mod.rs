//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/prefix-tuning/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod checkpoint;
mod partial;
mod prefix;
mod training_loop;

use softmark_exam::{Mistake, Pair, with_failed_checks};

/// Checks that each mistake fails by itself, as the headers of its patches state them.
const FAILED_CHECKS: &str = include_str!("failed_checks.txt");

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    let all = [
        prefix::CATALOG.mistakes(),
        partial::CATALOG.mistakes(),
        training_loop::CATALOG.mistakes(),
        checkpoint::CATALOG.mistakes(),
    ]
    .concat();
    with_failed_checks(all, FAILED_CHECKS)
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
