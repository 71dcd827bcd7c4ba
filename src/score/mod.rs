//! Converts outcomes into points.
//!
//! Invariant: the result contains every check of the assignment; a check without an outcome earns
//! nothing, and only a pass adds points.

mod bands;
mod select;
mod sheet;

pub use bands::{BandCheck, Runs, outcome as band_outcome, outcome_of_model, title as band_title};
pub use select::select;
pub use sheet::{Sheet, score};
