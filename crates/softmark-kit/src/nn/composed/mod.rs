//! The same layers built from candle's own operations, used for other devices and types and as a reference
//! for the fused kernels.
//!
//! Intermediate results are kept for the backward pass, so on the CPU these layers take several times as long
//! and as much memory. All of them have gradients.

#[cfg(feature = "attention")]
mod attention;
#[cfg(feature = "pooling")]
mod pooling;

use candle_core::shape::Dim;
use candle_core::{D, DType, Result, Tensor};

#[cfg(feature = "attention")]
pub(in crate::nn) use attention::attention_with;
#[cfg(feature = "attention")]
pub use attention::{attention, attention_weights};
#[cfg(feature = "pooling")]
pub use pooling::pooling;

use crate::nn::options::CrossEntropyOptions;

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
