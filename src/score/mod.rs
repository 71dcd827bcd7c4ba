//! Outcomes become points.
//!
//! Invariant: every check of the assignment stands in the result, and a check that nothing is known
//! of is worth nothing; only a pass adds points.

mod bands;
mod select;
mod sheet;

pub use bands::{BandCheck, Runs, outcome as band_outcome, outcome_of_model, title as band_title};
pub use select::select;
pub use sheet::{Sheet, score};
