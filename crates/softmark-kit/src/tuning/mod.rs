//! Tuning a pretrained encoder: a prefix, some of its layers, and what is kept of it.
//!
//! The parts of the `prefix-tuning` assignment, each with its specification:
//!
//! | part | trait |
//! |---|---|
//! | a prefix before the tokens of an encoder that stays as it is | [`PrefixTuning`] |
//! | the last layers and a head over the first token | [`PartialTuning`] |
//! | the loop: warm-up, decay, clipping, early stopping, the best put back | [`TuningLoop`] |
//! | saving what was tuned, and putting it onto a fresh encoder | [`TunedCheckpoint`] |
//!
//! What may learn and what may not is said in one place, where the encoder is made: [`learning`] hands
//! out its parameters.

mod assignment;
mod checkpoint;
mod learning;
mod partial;
mod prefix;
mod steps;

pub use assignment::TuningAssignment;
pub use checkpoint::{FreshModel, Saved, TunedCheckpoint, TunedModel};
pub use learning::learning;
pub use partial::{PartialConfig, PartialTuning};
pub use prefix::{PrefixConfig, PrefixTuning};
pub use steps::{TuningLoop, TuningProblem, TuningRecipe, TuningReport};
