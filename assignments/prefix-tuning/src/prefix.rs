//! Task 1: tuning a prefix.
//!
//! The specification is the documentation of [`PrefixTuning`].

#![allow(unused, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// A frozen encoder with a prefix before its tokens, and a linear head.
pub struct PrefixClassifier {
    base: PretrainedEncoder,
    prefix: Option<Tensor>,
    head: Linear,
}

impl PrefixTuning for PrefixClassifier {
    fn new(config: PrefixConfig, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 1: making the frozen encoder, the prefix and the head")
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 1: a prefix before the tokens")
    }
}
