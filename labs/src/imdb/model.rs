//! The classifier of reviews: word vectors, sinusoidal positions, post-norm layers, the mean over the words.

use softmark_common::encoder::EncoderConfig;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{Dropout, Embedding, Linear, linear};
use softmark_kit::prelude::*;
use softmark_kit::train::Model;

use crate::encoder::{Layer, layers, sinusoids};

/// Number of classes.
const CLASSES: usize = 2;

/// Classifier over word vectors that are given.
pub(super) struct Classifier {
    words: Embedding,
    positions: Tensor,
    layers: Vec<Layer>,
    head: Linear,
    dropout: Dropout,
}

impl Classifier {
    /// Constructs a classifier; `table` `[V, D]` has the words' vectors, and the row of `[PAD]` is not used.
    pub(super) fn new(config: &EncoderConfig, table: Tensor, vb: &VarBuilder<'_>) -> Result<Self> {
        Ok(Self {
            words: Embedding::new(table, config.d_model).with_padding(0),
            positions: sinusoids(config.max_len, config.d_model, vb.device())?,
            layers: layers(config, &Hooks::new(), vb)?,
            head: linear(config.d_model, CLASSES, vb.pp("classifier"))?,
            dropout: Dropout::new(config.dropout),
        })
    }
}

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (_, t) = ids.dims2()?;
        let positions = self.positions.narrow(0, 0, t)?; // [T, D]
        let x = self.words.forward(ids)?.broadcast_add(&positions)?; // [B, T, D]
        let mut x = self.dropout.forward(&x, train)?;
        for layer in &self.layers {
            x = layer.forward(&x, mask, train)?;
        }
        self.head.forward(&masked_mean(&x, mask)?)
    }
}
