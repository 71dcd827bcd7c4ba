//! Interface of the `prefix-tuning` assignment's crate.

use crate::tuning::{PartialTuning, PrefixTuning, TunedCheckpoint, TuningLoop};

/// The components of the `prefix-tuning` assignment.
///
/// The provided `src/lib.rs` of the assignment implements this trait for a type called `Submission`, through
/// which the checks find a student's types.
pub trait TuningAssignment {
    /// Component of task 1.
    type Prefix: PrefixTuning + 'static;
    /// Component of task 2.
    type Partial: PartialTuning + 'static;
    /// Component of task 3.
    type Loop: TuningLoop + 'static;
    /// Component of task 4.
    type Checkpoint: TunedCheckpoint + 'static;
}
