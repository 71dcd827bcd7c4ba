//! Task 5: the decoder block.
//!
//! The specification is the documentation of [`DecoderBlock`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Attention and a feed-forward network, each with a norm before it and a residual connection around both.
pub struct Block {
    // The components that the block needs between `new` and `forward`.
}

impl DecoderBlock for Block {
    fn new(config: BlockConfig, below: &dyn BlockParts, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 5: the decoder block, its components")
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 5: the decoder block")
    }
}
