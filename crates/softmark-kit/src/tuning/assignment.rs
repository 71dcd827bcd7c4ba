//! What the assignment's crate hands over.

use crate::tuning::{PartialTuning, PrefixTuning, TunedCheckpoint, TuningLoop};

/// The parts of the `prefix-tuning` assignment.
///
/// The provided `src/lib.rs` of the assignment implements it on a type called `Submission`, which
/// is how the checks find a student's types.
pub trait TuningAssignment {
    /// Task 1.
    type Prefix: PrefixTuning + 'static;
    /// Task 2.
    type Partial: PartialTuning + 'static;
    /// Task 3.
    type Loop: TuningLoop + 'static;
    /// Task 4.
    type Checkpoint: TunedCheckpoint + 'static;
}
