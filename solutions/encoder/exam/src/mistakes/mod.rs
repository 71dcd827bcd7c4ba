//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/encoder/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod classifier;
mod encoder;
mod encoder_layer;
mod feed_forward;
mod glove;
mod sweep;

use softmark_exam::{Mistake, Pair, with_failed_checks};

/// Checks that each mistake fails by itself, as the headers of its patches state them.
const FAILED_CHECKS: &str = include_str!("failed_checks.txt");

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    let all = [
        feed_forward::CATALOG.mistakes(),
        encoder_layer::CATALOG.mistakes(),
        encoder::CATALOG.mistakes(),
        classifier::CATALOG.mistakes(),
        glove::CATALOG.mistakes(),
        sweep::CATALOG.mistakes(),
    ]
    .concat();
    with_failed_checks(all, FAILED_CHECKS)
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "feed-forward" => feed_forward::CATALOG.pairs(),
        "encoder-layer" => encoder_layer::CATALOG.pairs(),
        "encoder" => encoder::CATALOG.pairs(),
        "classifier" => classifier::CATALOG.pairs(),
        "glove" => glove::CATALOG.pairs(),
        "sweep" => sweep::CATALOG.pairs(),
        _ => Vec::new(),
    }
}
