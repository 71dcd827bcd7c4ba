//! Task 2: multi-head attention.

use softmark_kit::nn::{Linear, linear};
use softmark_kit::prelude::*;

/// Projects, attends in every head, merges and projects again.
#[expect(missing_debug_implementations, reason = "the attention inside has none")]
pub struct MultiHead {
    heads: usize,
    attention: Arc<dyn ScaledDotProductAttention>,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
}

impl MultiHead {
    /// `[B, T, D]` → `[B, H, T, K]`: channels `h·K .. (h+1)·K` go to head `h`.
    fn split(&self, x: &Tensor) -> Result<Tensor> {
        let (b, t, d) = x.dims3()?;
        x.reshape((b, t, self.heads, d / self.heads))?.transpose(1, 2)?.contiguous()
    }
}

impl MultiHeadAttention for MultiHead {
    fn new(
        config: AttentionConfig,
        attention: Arc<dyn ScaledDotProductAttention>,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        let AttentionConfig { d_model: d, heads } = config;
        if heads == 0 || d % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a model of width {d}");
        }
        Ok(Self {
            heads,
            attention,
            q_proj: linear(d, d, vb.pp("q_proj"))?,
            k_proj: linear(d, d, vb.pp("k_proj"))?,
            v_proj: linear(d, d, vb.pp("v_proj"))?,
            out_proj: linear(d, d, vb.pp("out_proj"))?,
        })
    }

    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput> {
        // Contiguous, because `Linear` multiplies the wrong rows of some views.
        let q = self.split(&self.q_proj.forward(&query.contiguous()?)?)?; // [B, H, Tq, K]
        let k = self.split(&self.k_proj.forward(&key.contiguous()?)?)?; // [B, H, Tk, K]
        let v = self.split(&self.v_proj.forward(&value.contiguous()?)?)?; // [B, H, Tk, K]
        let mask = mask.map(|mask| mask.unsqueeze(1)).transpose()?; // [B, 1, Tq, Tk]
        let inner = self.attention.attend(&q, &k, &v, mask.as_ref())?;
        let merged = inner.output.transpose(1, 2)?.flatten_from(2)?; // [B, Tq, D]
        Ok(AttentionOutput { output: self.out_proj.forward(&merged)?, weights: inner.weights })
    }
}
