//! Multi-head self-attention. Provided; leave it as it is.

use softmark_kit::nn::attention::attention_side_by_side;
use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// Projects, attends in every head to the real tokens, merges and projects again.
#[derive(Debug)]
pub struct MaskedSelfAttention {
    heads: usize,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    dropout: f32,
}

impl SelfAttention for MaskedSelfAttention {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model: d, heads, dropout, .. } = config;
        if heads == 0 || d % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a model of width {d}");
        }
        Ok(Self {
            heads,
            q_proj: linear(d, d, vb.pp("q_proj"))?,
            k_proj: linear(d, d, vb.pp("k_proj"))?,
            v_proj: linear(d, d, vb.pp("v_proj"))?,
            out_proj: linear(d, d, vb.pp("out_proj"))?,
            dropout,
        })
    }

    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, _) = x.dims3()?;
        let (q, k, v) = (self.q_proj.forward(x)?, self.k_proj.forward(x)?, self.v_proj.forward(x)?); // [B, T, D]
        // Every query sees the same keys: the real tokens.
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        let dropout = train.then_some(self.dropout);
        // In each head softmax(q · kᵀ / √K) · v over the keys that are seen.
        let context = attention_side_by_side(&q, &k, &v, self.heads, Some(&seen), dropout)?;
        self.out_proj.forward(&context)
    }
}
