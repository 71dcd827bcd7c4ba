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

use softmark_exam::{Mistake, Pair};

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        scaled_dot_product::BANK.mistakes(),
        multi_head::BANK.mistakes(),
        sinusoidal_position::BANK.mistakes(),
        learned_position::BANK.mistakes(),
        masked_pooling::BANK.mistakes(),
        classifier::BANK.mistakes(),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "scaled-dot-product" => scaled_dot_product::BANK.pairs(),
        "multi-head" => multi_head::BANK.pairs(),
        "sinusoidal-position" => sinusoidal_position::BANK.pairs(),
        "learned-position" => learned_position::BANK.pairs(),
        "masked-pooling" => masked_pooling::BANK.pairs(),
        "classifier" => classifier::BANK.pairs(),
        _ => Vec::new(),
    }
}
