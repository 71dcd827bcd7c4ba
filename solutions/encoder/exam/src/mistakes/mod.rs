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

use softmark_exam::rules;
use softmark_exam::{Mistake, Pair};

use crate::imitate;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        rules::mistakes(feed_forward::MISTAKES),
        rules::mistakes(encoder_layer::MISTAKES),
        rules::mistakes(encoder::MISTAKES),
        rules::mistakes(classifier::MISTAKES),
        rules::mistakes(glove::MISTAKES),
        rules::mistakes(sweep::MISTAKES),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "feed-forward" => rules::pairs(
            feed_forward::MISTAKES,
            &imitate::feed_forward::RIGHT,
            imitate::feed_forward::imitate,
        ),
        "encoder-layer" => {
            rules::pairs(encoder_layer::MISTAKES, &imitate::layer::RIGHT, imitate::layer::imitate)
        }
        "encoder" => {
            rules::pairs(encoder::MISTAKES, &imitate::encoder::RIGHT, imitate::encoder::imitate)
        }
        "classifier" => rules::pairs(
            classifier::MISTAKES,
            &imitate::classifier::RIGHT,
            imitate::classifier::imitate,
        ),
        "glove" => rules::pairs(glove::MISTAKES, &imitate::glove::RIGHT, imitate::glove::imitate),
        "sweep" => rules::pairs(sweep::MISTAKES, &imitate::sweep::RIGHT, imitate::sweep::imitate),
        _ => Vec::new(),
    }
}
