//! Task 4: grouped-query attention.

use softmark_kit::nn::ops::softmax;
use softmark_kit::nn::{Linear, linear_no_bias};
use softmark_kit::prelude::*;

/// Causal attention whose query heads share key and value heads.
#[expect(missing_debug_implementations, reason = "the rotary positions inside have none")]
pub struct GroupedQuery {
    config: GroupedQueryConfig,
    rotary: Arc<dyn Rotary>,
    q_proj: Linear,
    k_proj: Linear,
    v_proj: Linear,
    out_proj: Linear,
}

/// `[B, T, N·K]` → `[B, N, T, K]`: channels `n·K .. (n+1)·K` go to head `n`.
fn split(x: &Tensor, heads: usize) -> Result<Tensor> {
    let (b, t, width) = x.dims3()?;
    x.reshape((b, t, heads, width / heads))?.transpose(1, 2)?.contiguous()
}

/// `[B, G, T, K]` → `[B, G·times, T, K]`: each head `times` times, one after the other.
fn repeat(x: &Tensor, times: usize) -> Result<Tensor> {
    let (b, g, t, k) = x.dims4()?;
    x.unsqueeze(2)?.broadcast_as((b, g, times, t, k))?.reshape((b, g * times, t, k))
}

impl GroupedQueryAttention for GroupedQuery {
    fn new(
        config: GroupedQueryConfig,
        rotary: Arc<dyn Rotary>,
        vb: VarBuilder<'_>,
    ) -> Result<Self> {
        let GroupedQueryConfig { d_model: d, heads, kv_heads } = config;
        if heads == 0 || d % heads != 0 {
            candle_core::bail!("{heads} heads do not divide a model of width {d}");
        }
        if kv_heads == 0 || heads % kv_heads != 0 {
            candle_core::bail!("{kv_heads} key and value heads do not divide {heads} query heads");
        }
        let shared = kv_heads * (d / heads);
        Ok(Self {
            config,
            rotary,
            q_proj: linear_no_bias(d, d, vb.pp("q_proj"))?,
            k_proj: linear_no_bias(d, shared, vb.pp("k_proj"))?,
            v_proj: linear_no_bias(d, shared, vb.pp("v_proj"))?,
            out_proj: linear_no_bias(d, d, vb.pp("out_proj"))?,
        })
    }

    fn attend(&self, x: &Tensor) -> Result<Tensor> {
        let GroupedQueryConfig { d_model, heads, kv_heads } = self.config;
        let group = heads / kv_heads;
        let q = self.rotary.rotate(&split(&self.q_proj.forward(x)?, heads)?)?; // [B, H, T, K]
        let k = self.rotary.rotate(&split(&self.k_proj.forward(x)?, kv_heads)?)?; // [B, G, T, K]
        let k = repeat(&k, group)?.transpose(2, 3)?.contiguous()?; // [B, H, K, T]
        let v = repeat(&split(&self.v_proj.forward(x)?, kv_heads)?, group)?; // [B, H, T, K]
        let scale = 1.0 / ((d_model / heads) as f64).sqrt();
        let scores = (q.contiguous()?.matmul(&k)? * scale)?; // [B, H, T, T]
        let seen = Tensor::tril2(x.dim(1)?, DType::U8, x.device())?.broadcast_as(scores.shape())?;
        // Every query sees itself, so no row is hidden as a whole.
        let hidden = Tensor::full(f32::NEG_INFINITY, scores.shape(), x.device())?;
        let weights = softmax(&seen.where_cond(&scores, &hidden)?, D::Minus1)?;
        let merged = weights.matmul(&v)?.transpose(1, 2)?.flatten_from(2)?; // [B, T, D]
        self.out_proj.forward(&merged)
    }
}
