//! Task 1: root mean square norm.
//!
//! The specification is the documentation of [`RmsNorm`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Divides each position by its root mean square, and scales the channels.
pub struct RootMeanSquare {
    // The fields that the norm needs between `new` and `forward`.
}

impl RmsNorm for RootMeanSquare {
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 1: the norm, its parameter")
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 1: the norm")
    }
}
