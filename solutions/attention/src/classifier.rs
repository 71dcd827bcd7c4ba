//! Task 6: the classifier.

use softmark_kit::nn::{Embedding, LayerNorm, Linear, embedding, layer_norm, linear};
use softmark_kit::prelude::*;

/// What is added to the variance in the norm.
const EPSILON: f64 = 1e-5;

/// Embedded tokens, positions, one self-attention, pooling, and a linear head.
#[expect(missing_debug_implementations, reason = "the parts inside have none")]
pub struct Classifier {
    tokens: Embedding,
    position: Box<dyn LearnedPosition>,
    attention: Box<dyn MultiHeadAttention>,
    norm: Option<LayerNorm>,
    pooling: Box<dyn MaskedPooling>,
    head: Linear,
}

impl AttentionClassifier for Classifier {
    fn new(
        config: ClassifierConfig,
        below: &dyn AttentionParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        let ClassifierConfig { vocabulary, max_len, d_model, heads, classes, norm, pooling } =
            config;
        let norm = norm.then(|| layer_norm(d_model, EPSILON, vb.pp("norm"))).transpose()?;
        Ok(Self {
            tokens: embedding(vocabulary, d_model, vb.pp("token_embedding"))?,
            position: below.position(PositionConfig { d_model, max_len }, vb.clone())?,
            attention: below.attention(AttentionConfig { d_model, heads }, vb.pp("self_attn"))?,
            norm,
            pooling: below.pooling(pooling),
            head: linear(d_model, classes, vb.pp("classifier"))?,
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor> {
        let (b, t) = ids.dims2()?;
        let x = self.position.encode(&self.tokens.forward(ids)?)?; // [B, T, D]
        let seen = mask.unsqueeze(1)?.broadcast_as((b, t, t))?.contiguous()?; // the same row for every query
        let mixed = self.attention.attend(&x, &x, &x, Some(&seen))?.output; // [B, T, D]
        let mixed = match &self.norm {
            Some(norm) => norm.forward(&mixed)?,
            None => mixed,
        };
        let pooled = self.pooling.pool(&mixed, Some(mask))?; // [B, D]
        self.head.forward(&pooled)
    }
}
