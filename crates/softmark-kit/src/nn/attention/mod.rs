//! Scaled dot-product attention as one operation.

mod fused;
mod head;
mod packed;
mod product;

use candle_core::{D, DType, Result, Tensor, bail};

use self::fused::{Attention, in_rows};
#[cfg(feature = "pretrained-encoder")]
pub(in crate::nn) use self::packed::Packed;
use super::composed;
use super::dropout::Draw;
use super::kernel::fuses;

/// Computes scaled dot-product attention over `H` heads, with dropout on the weights in training.
///
/// ```text
/// weights = softmax(query · keyᵀ / √K)     over the keys whose mask is 1; exactly 0 at the others
/// output  = dropout(weights) · value
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.2.1.
///
/// # Shapes
///
/// - `query`: `[B, H, Tq, K]`, floating point
/// - `key`, `value`: `[B, H, Tk, K]`; views are allowed, such as `[B, T, H, K]` with two axes swapped
/// - `mask`: `[B, 1, Tq, Tk]` or `[B, H, Tq, Tk]`, `u8`, **1 = may look, 0 = may not**
/// - returns `[B, H, Tq, K]`
///
/// A fully masked query gets an output of 0. The weights are never in memory as a whole; to get them, see
/// [`composed`].
///
/// # Errors
///
/// Fails if the shapes do not match, or `dropout` is not within `0 ≤ p < 1`.
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use softmark_kit::nn::attention::scaled_dot_product_attention;
///
/// let query = Tensor::zeros((1, 1, 1, 2), DType::F32, &Device::Cpu)?;
/// let key = Tensor::ones((1, 1, 3, 2), DType::F32, &Device::Cpu)?;
/// let value = Tensor::new(&[[[[1_f32, 0.0], [3.0, 0.0], [8.0, 8.0]]]], &Device::Cpu)?;
/// let mask = Tensor::new(&[[[[1_u8, 1, 0]]]], &Device::Cpu)?;
/// let y = scaled_dot_product_attention(&query, &key, &value, Some(&mask), 0.0, false)?;
/// assert_eq!(y.flatten_all()?.to_vec1::<f32>()?, [2.0, 0.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn scaled_dot_product_attention(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    mask: Option<&Tensor>,
    dropout: f32,
    train: bool,
) -> Result<Tensor> {
    let (b, h, tq, k) = query.dims4()?;
    let tk = key.dim(2)?;
    if key.dims() != [b, h, tk, k] || value.dims() != [b, h, tk, value.dim(D::Minus1)?] {
        let (query, key, value) = (query.shape(), key.shape(), value.shape());
        bail!(
            "attention from a query {query:?} to a key {key:?} and a value {value:?}: \
               batch, heads, keys and the width of query and key have to agree"
        )
    }
    let mask_heads = heads_of(mask, [b, h, tq, tk])?;
    let draw = if train { Draw::next(dropout)? } else { None };
    let same = key.dtype() == query.dtype() && value.dtype() == query.dtype();
    if !same || !fuses(query) {
        return composed::attention_with(query, key, value, mask, |weights| {
            let Some(draw) = &draw else { return Ok(weights.clone()) };
            weights * draw.factors(weights, tq * tk)?
        });
    }
    let attention = Attention::new(bytes(mask)?, mask_heads, draw, None);
    in_rows(query)?.apply_op3(&in_rows(key)?, &in_rows(value)?, attention)
}

/// Computes attention for adjacent heads, as projections produce them: each of `heads` heads has its
/// `K = D / heads` of the `D` channels, so the tensors need not be split, transposed and merged.
///
/// # Shapes
///
/// - `query`: `[B, Tq, D]`, floating point
/// - `key`, `value`: `[B, Tk, D]`
/// - `mask`: `[B, 1, Tq, Tk]` or `[B, H, Tq, Tk]`, `u8`, **1 = may look, 0 = may not**
/// - returns `[B, Tq, D]`
///
/// Dropout is applied to the weights if `dropout` is `Some(p)`; pass `None` outside of training.
///
/// # Errors
///
/// Fails if the shapes do not match, or `D` is not a multiple of `heads`.
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use softmark_kit::nn::attention::attention_side_by_side;
///
/// // One key to look at: each head's value comes out.
/// let query = Tensor::ones((1, 2, 6), DType::F32, &Device::Cpu)?;
/// let value = Tensor::new(&[[[1_f32, 2.0, 3.0, 4.0, 5.0, 6.0]]], &Device::Cpu)?;
/// let y = attention_side_by_side(&query, &value, &value, 3, None, None)?;
/// assert_eq!(y.to_vec3::<f32>()?, [[[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]; 2]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn attention_side_by_side(
    query: &Tensor,
    key: &Tensor,
    value: &Tensor,
    heads: usize,
    mask: Option<&Tensor>,
    dropout: Option<f32>,
) -> Result<Tensor> {
    let ((b, tq, d), (_, tk, _)) = (query.dims3()?, key.dims3()?);
    if key.dims() != [b, tk, d] || value.dims() != [b, tk, d] || heads == 0 || d % heads != 0 {
        let (query, key, value) = (query.shape(), key.shape(), value.shape());
        bail!(
            "attention of {heads} heads from a query {query:?} to a key {key:?} and a value \
             {value:?}: batch, keys and channels have to agree, and the heads to divide the channels"
        )
    }
    let same = key.dtype() == query.dtype() && value.dtype() == query.dtype();
    if !same || !fuses(query) {
        let split = |x: &Tensor| x.reshape((b, (), heads, d / heads))?.transpose(1, 2);
        let (query, key, value) = (split(query)?, split(key)?, split(value)?);
        let (p, train) = (dropout.unwrap_or(0.0), dropout.is_some());
        let y = scaled_dot_product_attention(&query, &key, &value, mask, p, train)?;
        return y.transpose(1, 2)?.reshape((b, tq, d));
    }
    let mask_heads = heads_of(mask, [b, heads, tq, tk])?;
    let draw = dropout.map_or(Ok(None), Draw::next)?;
    let attention = Attention::new(bytes(mask)?, mask_heads, draw, Some(heads));
    in_rows(query)?.apply_op3(&in_rows(key)?, &in_rows(value)?, attention)
}

/// Computes the weights of attention, for inspection.
///
/// ```text
/// weights = softmax(query · keyᵀ / √K)     over the keys whose mask is 1; exactly 0 at the others
/// ```
///
/// # Shapes
///
/// As for [`scaled_dot_product_attention`]; returns `[B, H, Tq, Tk]`.
///
/// # Errors
///
/// Fails if the shapes do not match.
///
/// ```
/// use candle_core::{DType, Device, Tensor};
/// use softmark_kit::nn::attention::attention_weights;
///
/// let query = Tensor::zeros((1, 1, 1, 2), DType::F32, &Device::Cpu)?;
/// let key = Tensor::ones((1, 1, 3, 2), DType::F32, &Device::Cpu)?;
/// let mask = Tensor::new(&[[[[1_u8, 1, 0]]]], &Device::Cpu)?;
/// let weights = attention_weights(&query, &key, Some(&mask))?;
/// assert_eq!(weights.flatten_all()?.to_vec1::<f32>()?, [0.5, 0.5, 0.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn attention_weights(query: &Tensor, key: &Tensor, mask: Option<&Tensor>) -> Result<Tensor> {
    // Each key's value is a unit vector of its own, so the weighted sum of the values is the weights.
    let (b, h, keys, _) = key.dims4()?;
    let each_its_own = Tensor::eye(keys, query.dtype(), query.device())?;
    let value = each_its_own.broadcast_as((b, h, keys, keys))?;
    scaled_dot_product_attention(query, key, &value, mask, 0.0, false)
}

/// Returns the number of heads of a mask: 1 (shared by all) or all of them.
fn heads_of(mask: Option<&Tensor>, [b, h, tq, tk]: [usize; 4]) -> Result<usize> {
    match mask.map(Tensor::dims) {
        None => Ok(1),
        Some(&[mb, mh, mq, mk]) if mb == b && (mh == 1 || mh == h) && mq == tq && mk == tk => {
            Ok(mh)
        }
        Some(dims) => bail!("attention takes a mask [{b}, 1 or {h}, {tq}, {tk}], got {dims:?}"),
    }
}

/// Returns the elements of a mask.
fn bytes(mask: Option<&Tensor>) -> Result<Option<Vec<u8>>> {
    mask.map(|mask| mask.to_dtype(DType::U8)?.flatten_all()?.to_vec1()).transpose()
}
