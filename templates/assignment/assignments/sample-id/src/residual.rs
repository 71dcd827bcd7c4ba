//! Task 1: a residual connection with a scale.
//!
//! The specification is the documentation of [`ScaledResidual`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Adds a branch to its input, with a scale for each channel.
pub struct Scaled {
    // The fields that the layer needs between `new` and `forward`.
}

impl ScaledResidual for Scaled {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 1: the layer, its parameter")
    }

    fn forward(&self, x: &Tensor, branch: &Tensor) -> Result<Tensor> {
        todo!("task 1: the scaled residual")
    }
}
