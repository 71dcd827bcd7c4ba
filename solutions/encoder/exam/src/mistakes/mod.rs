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

use softmark_exam::Mistake;

/// Every mistake of the assignment, task by task; in each task, mistakes in what is computed stand
/// before those that only the way back or an edge shows.
pub(super) fn mistakes() -> Vec<Mistake> {
    [
        feed_forward::MISTAKES,
        encoder_layer::MISTAKES,
        encoder::MISTAKES,
        classifier::MISTAKES,
        glove::MISTAKES,
        sweep::MISTAKES,
    ]
    .concat()
}
