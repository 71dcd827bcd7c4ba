//! Task 2: tuning the last layers.
//!
//! The specification is the documentation of [`PartialTuning`].

#![allow(unused, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::nn::{Dropout, LayerNorm, Linear, layer_norm, linear};
use softmark_kit::prelude::*;

/// An encoder whose last layers learn, and a head over the first token.
pub struct PartialClassifier {
    base: PretrainedEncoder,
    hidden: Linear,
    norm: LayerNorm,
    dropout: Dropout,
    head: Linear,
}

impl PartialTuning for PartialClassifier {
    fn new(config: PartialConfig, vb: VarBuilder<'_>) -> Result<Self> {
        todo!("task 2: making the encoder, of which the last layers learn, and the head")
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        todo!("task 2: a head over the first token")
    }
}
