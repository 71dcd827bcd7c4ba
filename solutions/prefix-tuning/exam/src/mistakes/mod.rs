//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//!
//! The page of a row is `solutions/prefix-tuning/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod checkpoint;
mod partial;
mod prefix;
mod training_loop;

use softmark_exam::rules;
use softmark_exam::{Mistake, Pair};

use crate::imitate;

/// Every mistake, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        rules::mistakes(prefix::MISTAKES),
        rules::mistakes(partial::MISTAKES),
        rules::mistakes(training_loop::MISTAKES),
        rules::mistakes(checkpoint::MISTAKES),
    ]
    .concat()
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "prefix" => {
            rules::pairs(prefix::MISTAKES, &imitate::prefix::RIGHT, imitate::prefix::imitate)
        }
        "partial" => {
            rules::pairs(partial::MISTAKES, &imitate::partial::RIGHT, imitate::partial::imitate)
        }
        "loop" => {
            rules::pairs(training_loop::MISTAKES, &imitate::steps::RIGHT, imitate::steps::imitate)
        }
        "checkpoint" => rules::pairs(
            checkpoint::MISTAKES,
            &imitate::checkpoint::RIGHT,
            imitate::checkpoint::imitate,
        ),
        _ => Vec::new(),
    }
}
