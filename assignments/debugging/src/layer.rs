//! Task 4: the repaired encoder layer. Begin with a copy of `buggy.rs`.
//!
//! The specification is the documentation of [`EncoderLayer`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Attention and a feed-forward network, each with a residual connection and a norm.
pub struct Layer {
    // What the layer has to keep between `new` and `forward`.
}

impl EncoderLayer for Layer {
    fn new(config: EncoderConfig, below: &dyn LayerParts, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 4: the repaired layer, its parts and parameters")
    }

    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 4: the repaired layer")
    }
}
