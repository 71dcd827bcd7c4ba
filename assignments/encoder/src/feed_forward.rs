//! Task 1: the position-wise feed-forward network.
//!
//! The specification is the documentation of [`FeedForward`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Two linear maps with an activation between them.
pub struct TwoLinear {
    // What the network has to keep between `new` and `forward`.
}

impl FeedForward for TwoLinear {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 1: the feed-forward network, its parameters")
    }

    fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 1: the feed-forward network")
    }
}
