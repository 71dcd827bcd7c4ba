//! The mistake bank: one file per task, one row per mistake, with the answers of a part that makes it.
//! Mistakes in the repaired layer are those of the encoder assignment.
//!
//! The page of a row is `solutions/debugging/mistakes/<id>/page.md`. Of two mistakes that explain as much, the one
//! that stands first here is named.

mod capture;
mod statistics;

use softmark_exam::{Mistake, Pair, with_failed_checks};

/// Checks that each mistake fails by itself, as the headers of its patches state them.
const FAILED_CHECKS: &str = include_str!("failed_checks.txt");

/// All of them, the more telling first.
pub(super) fn mistakes() -> Vec<Mistake> {
    let of_layers = (encoder_exam::SUITE.mistakes)().into_iter();
    let of_layers = of_layers.filter(|mistake| mistake.task == "encoder-layer");
    let own = [capture::CATALOG.mistakes(), statistics::CATALOG.mistakes()].concat();
    let all = own.into_iter().chain(of_layers).collect();
    with_failed_checks(all, FAILED_CHECKS)
}

/// Returns the pairs of mistakes of a task.
pub(super) fn pairs(task: &str) -> Vec<Pair> {
    match task {
        "capture" => capture::CATALOG.pairs(),
        "statistics" => statistics::CATALOG.pairs(),
        "encoder-layer" => (encoder_exam::SUITE.pairs)(task),
        _ => Vec::new(),
    }
}
