//! Task 3: the loop.
//!
//! The specification is the documentation of [`TuningLoop`].

#![allow(unused, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Warm-up and decay, clipping, early stopping; the best is put back.
pub struct Steps;

impl TuningLoop for Steps {
    fn tune(problem: &mut dyn TuningProblem, recipe: &TuningRecipe) -> Result<TuningReport> {
        todo!("task 3: the loop that tunes")
    }
}
