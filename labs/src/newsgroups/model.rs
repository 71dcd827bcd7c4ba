//! The benchmark's encoder with a linear head.

use softmark_common::encoder::EncoderConfig;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{
    Dropout, Embedding, LayerNorm, Linear, embedding, embedding_with_padding, layer_norm, linear,
};
use softmark_kit::prelude::*;
use softmark_kit::train::Model;

use crate::encoder::{EPSILON, Layer, layers, positions};

/// Classifier: word and position embeddings, pre-norm layers, a norm, the mean over the words and a linear head.
pub(super) struct Classifier {
    tokens: Embedding,
    positions: Embedding,
    layers: Vec<Layer>,
    norm: LayerNorm,
    head: Linear,
    dropout: Dropout,
}

impl Classifier {
    pub(super) fn new(config: &EncoderConfig, classes: usize, vb: &VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { vocabulary, max_len, d_model, dropout, .. } = *config;
        Ok(Self {
            tokens: embedding_with_padding(vocabulary, d_model, 0, vb.pp("token_embedding"))?,
            positions: embedding(max_len, d_model, vb.pp("position_embedding"))?,
            layers: layers(config, &Hooks::new(), vb)?,
            norm: layer_norm(d_model, EPSILON, vb.pp("norm"))?,
            head: linear(d_model, classes, vb.pp("classifier"))?,
            dropout: Dropout::new(dropout),
        })
    }
}

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let positions = self.positions.forward(&positions(ids)?)?; // [T, D]
        let x = self.tokens.forward(ids)?.broadcast_add(&positions)?; // [B, T, D]
        let mut x = self.dropout.forward(&x, train)?;
        for layer in &self.layers {
            x = layer.forward(&x, mask, train)?;
        }
        self.head.forward(&masked_mean(&self.norm.forward(&x)?, mask)?)
    }
}
