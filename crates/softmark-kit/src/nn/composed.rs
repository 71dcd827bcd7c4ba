//! The same layers built from candle's own operations, used for other devices and types and as a reference
//! for the fused kernels.
//!
//! Intermediate results are kept for the backward pass, so on the CPU these layers take several times as long
//! and as much memory. All of them have gradients.

use candle_core::shape::Dim;
use candle_core::{D, DType, Result, Tensor};

use crate::nn::options::{CrossEntropyOptions, Pooling};

/// Composed version of [`ops::softmax`](super::ops::softmax).
///
/// # Errors
///
/// Fails if there is no such axis.
pub fn softmax<A: Dim>(xs: &Tensor, dim: A) -> Result<Tensor> {
    let dim = dim.to_index(xs.shape(), "softmax")?;
    // Subtracting the largest score does not change the result, so no gradient is needed through it.
    let weights = xs.broadcast_sub(&xs.detach().max_keepdim(dim)?)?.exp()?;
    weights.broadcast_div(&weights.sum_keepdim(dim)?)
}

/// Composed version of [`ops::log_softmax`](super::ops::log_softmax).
///
/// # Errors
///
/// Fails if there is no such axis.
pub fn log_softmax<A: Dim>(xs: &Tensor, dim: A) -> Result<Tensor> {
    let dim = dim.to_index(xs.shape(), "log-softmax")?;
    let shifted = xs.broadcast_sub(&xs.detach().max_keepdim(dim)?)?;
    shifted.broadcast_sub(&shifted.exp()?.sum_keepdim(dim)?.log()?)
}

/// Composed version of [`ops::gelu`](super::ops::gelu).
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn gelu(xs: &Tensor) -> Result<Tensor> {
    // The gradient of candle's gelu has coefficients rounded to seven digits.
    let twice = (2.0 * std::f64::consts::FRAC_2_SQRT_PI / std::f64::consts::SQRT_2) * xs;
    let inner = (twice? * ((xs.sqr()? * 0.044_715)? + 1.0)?)?;
    xs * sigmoid(&inner)?
}

/// Composed version of [`ops::gelu_erf`](super::ops::gelu_erf).
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn gelu_erf(xs: &Tensor) -> Result<Tensor> {
    // The gradient of candle's gelu_erf has rounded coefficients as well.
    let below = ((xs * std::f64::consts::FRAC_1_SQRT_2)?.erf()? + 1.0)?;
    (xs * below)? * 0.5
}

/// Composed version of [`ops::relu`](super::ops::relu).
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn relu(xs: &Tensor) -> Result<Tensor> {
    xs.relu()
}

/// Composed version of [`ops::sigmoid`](super::ops::sigmoid).
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn sigmoid(xs: &Tensor) -> Result<Tensor> {
    // In 1 / (1 + exp(−x)) the exponential overflows for x < −88, and the gradient becomes 0 · ∞.
    candle_nn::ops::sigmoid(xs)
}

/// Composed version of [`ops::silu`](super::ops::silu).
///
/// # Errors
///
/// Fails if `xs` is not floating point.
pub fn silu(xs: &Tensor) -> Result<Tensor> {
    xs * sigmoid(xs)?
}

/// Composed version of [`LayerNorm`](super::LayerNorm); without `remove_mean`, the root mean square form.
///
/// # Errors
///
/// Fails if the last axis of `xs` is not as long as `weight`.
pub fn layer_norm(
    xs: &Tensor,
    weight: &Tensor,
    bias: Option<&Tensor>,
    eps: f64,
    remove_mean: bool,
) -> Result<Tensor> {
    let dtype = xs.dtype();
    // Squares in half precision are too inaccurate.
    let xs = if matches!(dtype, DType::F16 | DType::BF16) {
        xs.to_dtype(DType::F32)?
    } else {
        xs.clone()
    };
    let xs = if remove_mean { xs.broadcast_sub(&xs.mean_keepdim(D::Minus1)?)? } else { xs };
    let variance = xs.sqr()?.mean_keepdim(D::Minus1)?;
    let normal = xs.broadcast_div(&(variance + eps)?.sqrt()?)?.to_dtype(dtype)?;
    let scaled = normal.broadcast_mul(weight)?;
    match bias {
        Some(bias) => scaled.broadcast_add(bias),
        None => Ok(scaled),
    }
}

/// Composed version of [`Linear`](super::Linear).
///
/// # Errors
///
/// Fails if the last axis of `xs` is not as long as `weight`'s.
pub fn linear(xs: &Tensor, weight: &Tensor, bias: Option<&Tensor>) -> Result<Tensor> {
    let (out, width) = weight.dims2()?;
    let mut shape = xs.dims().to_vec();
    shape.pop();
    shape.push(out);
    let rows = xs.contiguous()?.reshape(((), width))?;
    let y = rows.matmul(&weight.t()?)?.reshape(shape)?;
    match bias {
        Some(bias) => y.broadcast_add(bias),
        None => Ok(y),
    }
}

/// Composed version of [`Embedding`](super::Embedding).
///
/// # Errors
///
/// Fails if an id is not below the number of rows.
pub fn embedding(table: &Tensor, ids: &Tensor, padding: Option<u32>) -> Result<Tensor> {
    let mut shape = ids.dims().to_vec();
    shape.push(table.dim(1)?);
    let y = table.index_select(&ids.flatten_all()?, 0)?.reshape(shape)?;
    match padding {
        Some(padding) => {
            y.broadcast_mul(&ids.ne(padding)?.to_dtype(table.dtype())?.unsqueeze(D::Minus1)?)
        }
        None => Ok(y),
    }
}

/// Composed version of [`loss::cross_entropy_with`](super::loss::cross_entropy_with), for checked targets.
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn cross_entropy(
    logits: &Tensor,
    targets: &[u32],
    options: CrossEntropyOptions,
) -> Result<Tensor> {
    let (rows, classes) = logits.dims2()?;
    let (device, dtype) = (logits.device(), logits.dtype());
    let counts: Vec<f64> =
        targets.iter().map(|t| f64::from(u8::from(Some(*t) != options.ignore_index))).collect();
    let counting = counts.iter().sum::<f64>().max(1.0);
    let own: Vec<u32> =
        targets.iter().map(|&t| if Some(t) == options.ignore_index { 0 } else { t }).collect();
    let counts = Tensor::from_vec(counts, rows, device)?.to_dtype(dtype)?;
    let log_p = log_softmax(logits, 1)?;
    let own = log_p.gather(&Tensor::from_vec(own, (rows, 1), device)?, 1)?.squeeze(1)?;
    let log_q = if options.label_smoothing > 0.0 {
        let every = (log_p.sum(1)? * (options.label_smoothing / classes as f64))?;
        ((own * (1.0 - options.label_smoothing))? + every)?
    } else {
        own // times 0, the sum would be NaN where a logit is −∞
    };
    (log_q * counts)?.sum_all()? * (-1.0 / counting)
}

/// Composed version of
/// [`attention::scaled_dot_product_attention`](super::attention::scaled_dot_product_attention), without dropout.
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
/// Shapes are those of [`attention`](super::attention::scaled_dot_product_attention).
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

/// Composed version of the functions of [`pooling`](super::pooling), selected by `kind`.
///
/// # Errors
///
/// Fails if the shapes do not match.
pub fn pooling(x: &Tensor, mask: &Tensor, kind: Pooling) -> Result<Tensor> {
    let (b, t, _) = x.dims3()?;
    let real = mask.ne(0_u8)?.to_dtype(x.dtype())?; // [B, T]
    let zeros = x.zeros_like()?;
    let seen = mask.ne(0_u8)?.unsqueeze(2)?.broadcast_as(x.shape())?;
    match kind {
        Pooling::Mean => {
            let count = real.sum_keepdim(1)?.maximum(1.0)?; // [B, 1]
            seen.where_cond(x, &zeros)?.sum(1)?.broadcast_div(&count)
        }
        Pooling::Max => {
            let low = zeros.affine(0.0, f64::from(f32::MIN))?;
            let first = first_largest(&seen.where_cond(&x.detach(), &low)?)?;
            let largest = first.where_cond(x, &zeros)?.sum(1)?; // [B, D]
            let any = real.max_keepdim(1)?.ne(0.0)?.broadcast_as(largest.shape())?;
            any.where_cond(&largest, &largest.zeros_like()?)
        }
        Pooling::First => {
            let rows = mask.to_dtype(DType::U8)?.to_vec2::<u8>()?;
            let first = |row: &Vec<u8>| row.iter().position(|&seen| seen != 0);
            let choice = rows.iter().flat_map(|row| {
                let first = first(row);
                (0..t).map(move |n| f64::from(u8::from(Some(n) == first)))
            });
            let choice = Tensor::from_vec(choice.collect::<Vec<_>>(), (b, t, 1), x.device())?;
            let choice = choice.to_dtype(x.dtype())?.ne(0.0)?.broadcast_as(x.shape())?;
            choice.where_cond(x, &zeros)?.sum(1)
        }
    }
}

/// Returns a mask, `[B, T, D]`, of the first position at which each channel of `x` is largest.
///
/// candle's own `max` passes the gradient to every number that equals the maximum, and not to one of them.
fn first_largest(x: &Tensor) -> Result<Tensor> {
    let t = x.dim(1)?;
    let from_the_end: Vec<f64> = (0..t).map(|n| (t - n) as f64).collect();
    let from_the_end =
        Tensor::from_vec(from_the_end, (1, t, 1), x.device())?.to_dtype(DType::F32)?;
    let largest = x.broadcast_eq(&x.max_keepdim(1)?)?.to_dtype(DType::F32)?;
    let rank = largest.broadcast_mul(&from_the_end)?;
    rank.broadcast_eq(&rank.max_keepdim(1)?)
}
