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

use softmark_exam::rules;
use softmark_exam::{Mistake, Pair};

use crate::imitate;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        rules::mistakes(scaled_dot_product::MISTAKES),
        rules::mistakes(multi_head::MISTAKES),
        rules::mistakes(sinusoidal_position::MISTAKES),
        rules::mistakes(learned_position::MISTAKES),
        rules::mistakes(masked_pooling::MISTAKES),
        rules::mistakes(classifier::MISTAKES),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "scaled-dot-product" => rules::pairs(
            scaled_dot_product::MISTAKES,
            &imitate::attention::RIGHT,
            imitate::attention::imitate,
        ),
        "multi-head" => rules::pairs(
            multi_head::MISTAKES,
            &imitate::multi_head::RIGHT,
            imitate::multi_head::imitate,
        ),
        "sinusoidal-position" => rules::pairs(
            sinusoidal_position::MISTAKES,
            &imitate::position::RIGHT,
            imitate::position::imitate,
        ),
        "learned-position" => rules::pairs(
            learned_position::MISTAKES,
            &imitate::position::RIGHT,
            imitate::position::imitate,
        ),
        "masked-pooling" => rules::pairs(
            masked_pooling::MISTAKES,
            &imitate::pooling::RIGHT,
            imitate::pooling::imitate,
        ),
        "classifier" => rules::pairs(
            classifier::MISTAKES,
            &imitate::classifier::RIGHT,
            imitate::classifier::imitate,
        ),
        _ => Vec::new(),
    }
}
