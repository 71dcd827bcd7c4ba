//! Functions of tensors.

use candle_core::{Module, Result, Tensor};
pub use candle_nn::ops::{
    Identity, hard_sigmoid, layer_norm_slow, leaky_relu, mish, pixel_shuffle, pixel_unshuffle,
    replication_pad2d, rms_norm_slow, selu, swiglu,
};
pub use softmark_kit::nn::Dropout;
pub use softmark_kit::nn::ops::{dropout, log_softmax, sigmoid, silu, softmax, softmax_last_dim};

use crate::layer_norm::LayerNorm;

/// Computes layer norm over the last axis: `y = (x − mean(x)) / √(var(x) + ε) · alpha + beta`.
///
/// # Errors
///
/// Fails if the last axis does not have the length of `alpha` and `beta`, or if the types differ.
pub fn layer_norm(xs: &Tensor, alpha: &Tensor, beta: &Tensor, eps: f32) -> Result<Tensor> {
    LayerNorm::new(alpha.clone(), beta.clone(), eps.into()).forward(xs)
}

/// Computes RMS norm over the last axis: `y = x / √(mean(x²) + ε) · alpha`.
///
/// # Errors
///
/// Fails if the last axis does not have the length of `alpha`, or if the types differ.
pub fn rms_norm(xs: &Tensor, alpha: &Tensor, eps: f32) -> Result<Tensor> {
    LayerNorm::rms_norm(alpha.clone(), eps.into()).forward(xs)
}
