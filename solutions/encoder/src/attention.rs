//! Multi-head self-attention. Provided; leave it as it is.

use softmark_kit::nn::{Dropout, Linear, linear, ops};
use softmark_kit::prelude::*;

/// Projects, attends in every head to the real tokens, merges and projects again.
#[derive(Debug)]
pub struct MaskedSelfAttention {
    heads: usize,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    dropout: Dropout,
}

impl MaskedSelfAttention {
    /// `[B, T, D]` → `[B, H, T, K]`: channels `h·K .. (h+1)·K` go to head `h`.
    fn split(&self, x: &Tensor) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        x.reshape((b, t, self.heads, d / self.heads))?.transpose(1, 2)?.contiguous()
    }
}

impl SelfAttention for MaskedSelfAttention {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model: d, heads, .. } = config;
        if heads == 0 || d % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a model of width {d}");
        }
        Ok(Self {
            heads,
            q_proj: linear(d, d, vb.pp("q_proj"))?,
            k_proj: linear(d, d, vb.pp("k_proj"))?,
            v_proj: linear(d, d, vb.pp("v_proj"))?,
            out_proj: linear(d, d, vb.pp("out_proj"))?,
            dropout: Dropout::new(config.dropout),
        })
    }

    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let x = x.contiguous()?;
        let q = self.split(&self.q_proj.forward(&x)?)?; // [B, H, T, K]
        let k = self.split(&self.k_proj.forward(&x)?)?;
        let v = self.split(&self.v_proj.forward(&x)?)?;
        let (b, h, t, width) = q.dims4()?;
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, h, t, t))?;
        let scores = (q.matmul(&k.t()?.contiguous()?)? / (width as f64).sqrt())?; // [B, H, T, T]
        // Finite, so that a text without real tokens gives numbers and not NaN …
        let hidden = (scores.ones_like()? * f64::from(f32::MIN))?;
        let weights = ops::softmax(&seen.where_cond(&scores, &hidden)?, D::Minus1)?;
        // … which are then set to zeros.
        let weights = seen.where_cond(&weights, &weights.zeros_like()?)?;
        let context = self.dropout.forward(&weights, train)?.matmul(&v)?; // [B, H, T, K]
        let merged = context.transpose(1, 2)?.flatten_from(2)?; // [B, T, D]
        self.out_proj.forward(&merged)
    }
}
