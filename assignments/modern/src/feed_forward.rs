//! Task 2: the gated feed-forward network.
//!
//! The specification is the documentation of [`SwiGlu`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Two linear maps side by side, one of them the gate of the other, and a third one back.
pub struct Gated {
    // The fields that the network needs between `new` and `forward`: layers are in `softmark_kit::nn`.
}

impl SwiGlu for Gated {
    fn new(d_model: usize, d_ff: usize, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 2: the feed-forward network, its parameters")
    }

    fn forward(&self, x: &Tensor) -> Result<Tensor> {
        todo!("task 2: the feed-forward network")
    }
}
