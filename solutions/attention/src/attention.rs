//! Task 1: scaled dot-product attention.

use softmark_kit::nn::ops::softmax;
use softmark_kit::prelude::*;

/// Attention over all heads at once.
#[derive(Debug)]
pub struct ScaledDotProduct;

impl ScaledDotProductAttention for ScaledDotProduct {
    fn new() -> Self {
        Self
    }

    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput> {
        let (b, h, tq, k) = query.dims4()?;
        let tk = key.dim(2)?;
        let scale = 1.0 / (k as f64).sqrt();
        let key = key.transpose(2, 3)?.contiguous()?; // [B, H, K, Tk]
        let scores = (query.contiguous()?.matmul(&key)? * scale)?; // [B, H, Tq, Tk]
        let weights = match mask {
            None => softmax(&scores, D::Minus1)?,
            Some(mask) => {
                let seen = mask.broadcast_as((b, h, tq, tk))?;
                let zeros = scores.zeros_like()?;
                // Finite, so that a row without a single 1 gives numbers and not NaN …
                let hidden = (scores.ones_like()? * f64::from(f32::MIN))?;
                let weights = softmax(&seen.where_cond(&scores, &hidden)?, D::Minus1)?;
                // … which are then set to the zeros that such a row is to have.
                seen.where_cond(&weights, &zeros)?
            }
        };
        let output = weights.matmul(&value.contiguous()?)?; // [B, H, Tq, K]
        Ok(AttentionOutput { output, weights })
    }
}
