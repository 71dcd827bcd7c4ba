//! Attention from candle's own operations.

use candle_core::{D, Result, Tensor};

use crate::nn::composed::softmax;

/// Composed version of
/// [`attention::scaled_dot_product_attention`](crate::nn::attention::scaled_dot_product_attention), without dropout.
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
) -> Result<Tensor> {
    attention_with(query, key, value, mask, |weights| Ok(weights.clone()))
}

/// Computes the weights of attention, `[B, H, Tq, Tk]`, for inspection; they are in memory as a whole.
///
/// ```text
/// weights = softmax(query · keyᵀ / √K)     over the keys whose mask is 1; exactly 0 at the others
/// ```
///
/// Shapes are those of [`attention`](crate::nn::attention::scaled_dot_product_attention).
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn attention_weights(query: &Tensor, key: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
    let scale = 1.0 / (query.dim(D::Minus1)? as f64).sqrt();
    let scores = (query.contiguous()?.matmul(&key.contiguous()?.t()?)? * scale)?;
    let Some(mask) = mask else { return softmax(&scores, D::Minus1) };
    let mask = mask.broadcast_as(scores.shape())?;
    let seen = mask.ne(0_u8)?;
    let low = Tensor::full(f32::MIN, scores.shape(), scores.device())?;
    let masked = seen.where_cond(&scores, &low.to_dtype(scores.dtype())?)?;
    // In a fully masked row, the softmax of equal lowest scores is uniform; times 0 it becomes 0.
    softmax(&masked, D::Minus1)? * seen.to_dtype(scores.dtype())?
}

/// Computes attention whose weights are passed through `drop`.
pub(in crate::nn) fn attention_with(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
    drop: impl Fn(&Tensor) -> Result<Tensor>,
) -> Result<Tensor> {
    drop(&attention_weights(query, key, mask)?)?.matmul(&value.contiguous()?)
}
