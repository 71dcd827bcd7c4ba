//! Tuning of a pretrained encoder: a prefix or some of its layers, and checkpoints of tuned parameters.
//!
//! The components of the `prefix-tuning` assignment, each with its specification:
//!
//! | component | trait |
//! |---|---|
//! | a prefix before the tokens of a frozen encoder | [`PrefixTuning`] |
//! | the last layers and a head over the first token | [`PartialTuning`] |
//! | the loop: warm-up, decay, clipping, early stopping, restoring the best | [`TuningLoop`] |
//! | saving the tuned parameters, and loading them into a fresh model | [`TunedCheckpoint`] |
//!
//! Trainable parameters are selected in one place, where the encoder is constructed: [`learning`] hands out
//! its parameters.

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
