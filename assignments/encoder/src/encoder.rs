//! Task 3: the encoder.
//!
//! The specification is the documentation of [`Encoder`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Embedded tokens and positions, then a stack of layers.
pub struct Stack {
    // What the encoder has to keep between `new` and `forward`.
}

impl Encoder for Stack {
    fn new(config: EncoderConfig, below: &dyn EncoderParts, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 3: the encoder, its layers and parameters")
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 3: the encoder")
    }
}
