//! The imports that nearly every file of the assignment needs: those of the kit, and the traits.

pub use softmark_kit::prelude::*;

pub use crate::tuning::{
    FreshModel, PartialConfig, PartialTuning, PrefixConfig, PrefixTuning, Saved, TunedCheckpoint,
    TunedModel, TuningAssignment, TuningLoop, TuningProblem, TuningRecipe, TuningReport, learning,
};

// A type of the same name hides a trait of the prelude; its methods can be called all the same.
pub use crate::tuning::{
    PartialTuning as _, PrefixTuning as _, TunedCheckpoint as _, TuningAssignment as _,
    TuningLoop as _, TuningProblem as _,
};
