//! Classifier of texts over pre-norm layers, which labs share.

use softmark_common::encoder::EncoderConfig;
use softmark_kit::nn::pooling::masked_mean;
use softmark_kit::nn::{
    Dropout, Embedding, LayerNorm, Linear, embedding, embedding_with_padding, layer_norm, linear,
};
use softmark_kit::prelude::*;
use softmark_kit::train::Model;

use crate::encoder::{EPSILON, Layer, positions};

/// A layer of an encoder.
pub trait EncoderLayer {
    /// Applies the layer to `x` `[B, T, D]` with `mask` `[B, T]`, 1 for a real token; returns `[B, T, D]`.
    ///
    /// # Errors
    ///
    /// Returns the first error of an operation or a hook.
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}

impl EncoderLayer for Layer {
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self.forward(x, mask, train)
    }
}

/// Classifier: word and position embeddings, layers, a norm, the mean over the words and a linear head.
#[derive(Debug)]
pub struct Classifier<L> {
    tokens: Embedding,
    positions: Embedding,
    layers: Vec<L>,
    norm: LayerNorm,
    head: Linear,
    dropout: Dropout,
}

impl<L: EncoderLayer> Classifier<L> {
    /// Constructs a classifier of `classes` classes over these layers.
    ///
    /// # Errors
    ///
    /// Fails if a parameter cannot be created.
    pub fn new(
        config: &EncoderConfig,
        classes: usize,
        layers: Vec<L>,
        vb: &VarBuilder<'_>,
    ) -> Result<Self> {
        let EncoderConfig { vocabulary, max_len, d_model, dropout, .. } = *config;
        Ok(Self {
            tokens: embedding_with_padding(vocabulary, d_model, 0, vb.pp("token_embedding"))?,
            positions: embedding(max_len, d_model, vb.pp("position_embedding"))?,
            layers,
            norm: layer_norm(d_model, EPSILON, vb.pp("norm"))?,
            head: linear(d_model, classes, vb.pp("classifier"))?,
            dropout: Dropout::new(dropout),
        })
    }
}

impl<L: EncoderLayer> Model for Classifier<L> {
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
