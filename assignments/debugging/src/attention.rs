//! Multi-head self-attention that can be looked at. Provided; leave it as it is.

use softmark_kit::hooks::{Point, WEIGHTS};
use softmark_kit::nn::attention::{attention_side_by_side, attention_weights};
use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// Projects, attends in every head to the real tokens, merges and projects again; shows its weights to
/// whoever has a hook on it.
#[derive(Debug)]
pub struct WatchedSelfAttention {
    heads: usize,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
    dropout: f32,
    point: Point,
}

impl SelfAttention for WatchedSelfAttention {
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self> {
        Self::hooked(config, &Hooks::new(), vb)
    }

    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let (b, t, _) = x.dims3()?;
        let (q, k, v) = (self.q_proj.forward(x)?, self.k_proj.forward(x)?, self.v_proj.forward(x)?); // [B, T, D]
        // Every query sees the same keys: the real tokens.
        let seen = mask.reshape((b, 1, 1, t))?.broadcast_as((b, 1, t, t))?;
        if self.point.is_watched() {
            let weights = self.weights(&q, &k, &seen)?;
            self.point.show(&[("x", x), ("mask", mask)], &[(WEIGHTS, &weights)])?;
        }
        let dropout = train.then_some(self.dropout);
        // In each head softmax(q · kᵀ / √K) · v over the keys that are seen.
        let context = attention_side_by_side(&q, &k, &v, self.heads, Some(&seen), dropout)?;
        self.out_proj.forward(&context)
    }
}

impl HookedAttention for WatchedSelfAttention {
    fn hooked(config: EncoderConfig, hooks: &Hooks, vb: VarBuilder<'_>) -> Result<Self> {
        let EncoderConfig { d_model: d, heads, dropout, .. } = config;
        if heads == 0 || d % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a model of width {d}");
        }
        Ok(Self {
            heads,
            point: hooks.point(&vb.prefix()),
            q_proj: linear(d, d, vb.pp("q_proj"))?,
            k_proj: linear(d, d, vb.pp("k_proj"))?,
            v_proj: linear(d, d, vb.pp("v_proj"))?,
            out_proj: linear(d, d, vb.pp("out_proj"))?,
            dropout,
        })
    }
}

impl WatchedSelfAttention {
    /// The weights `[B, H, T, T]`, which are computed only to be shown.
    fn weights(&self, q: &Tensor, k: &Tensor, seen: &Tensor) -> Result<Tensor> {
        let (b, t, d) = q.dims3()?;
        let split = |x: &Tensor| x.reshape((b, t, self.heads, d / self.heads))?.transpose(1, 2);
        attention_weights(&split(q)?, &split(k)?, Some(seen))
    }
}
