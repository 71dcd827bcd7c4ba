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

use softmark_exam::{Mistake, Pair};

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        feed_forward::BANK.mistakes(),
        encoder_layer::BANK.mistakes(),
        encoder::BANK.mistakes(),
        classifier::BANK.mistakes(),
        glove::BANK.mistakes(),
        sweep::BANK.mistakes(),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "feed-forward" => feed_forward::BANK.pairs(),
        "encoder-layer" => encoder_layer::BANK.pairs(),
        "encoder" => encoder::BANK.pairs(),
        "classifier" => classifier::BANK.pairs(),
        "glove" => glove::BANK.pairs(),
        "sweep" => sweep::BANK.pairs(),
        _ => Vec::new(),
    }
}
