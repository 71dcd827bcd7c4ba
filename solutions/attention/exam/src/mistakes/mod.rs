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

use softmark_exam::Mistake;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        scaled_dot_product::MISTAKES,
        multi_head::MISTAKES,
        sinusoidal_position::MISTAKES,
        learned_position::MISTAKES,
        masked_pooling::MISTAKES,
        classifier::MISTAKES,
    ]
    .concat()
}
