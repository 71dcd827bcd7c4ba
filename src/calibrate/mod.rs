//! Measures over seeds how often correct work misses an accuracy threshold, and how often a mistake reaches
//! it.
//!
//! Invariant: trains as grading does, in the same sandbox and by the same rules; changes no grade.
//!
//! ```text
//! solution, accepted variants, mutants ── build ──► programs ── every seed ──► accuracies ── odds ──► Table
//! ```

mod measure;
mod odds;
mod table;
mod variant;

pub use measure::{CalibrateError, Trainer, Trial, TrialId};
pub use odds::{Odds, chance_below, odds};
pub use table::{Row, Table, json, table, terminal};
pub use variant::{Kind, Variant, variants};
