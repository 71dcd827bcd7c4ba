//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/attention/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod classifier;
mod learned_position;
mod masked_pooling;
mod multi_head;
mod scaled_dot_product;
mod sinusoidal_position;

use softmark_exam::{Mistake, Pair, with_failed_checks};

/// Checks that each mistake fails by itself, as the headers of its patches state them.
const FAILED_CHECKS: &str = include_str!("failed_checks.txt");

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    let all = [
        scaled_dot_product::CATALOG.mistakes(),
        multi_head::CATALOG.mistakes(),
        sinusoidal_position::CATALOG.mistakes(),
        learned_position::CATALOG.mistakes(),
        masked_pooling::CATALOG.mistakes(),
        classifier::CATALOG.mistakes(),
    ]
    .concat();
    with_failed_checks(all, FAILED_CHECKS)
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "scaled-dot-product" => scaled_dot_product::CATALOG.pairs(),
        "multi-head" => multi_head::CATALOG.pairs(),
        "sinusoidal-position" => sinusoidal_position::CATALOG.pairs(),
        "learned-position" => learned_position::CATALOG.pairs(),
        "masked-pooling" => masked_pooling::CATALOG.pairs(),
        "classifier" => classifier::CATALOG.pairs(),
        _ => Vec::new(),
    }
}
