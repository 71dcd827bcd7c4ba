//! Layer norm and RMS norm.

use candle_core::{Module, Result, Tensor};
use candle_nn::VarBuilder;
pub use softmark_kit::nn::{LayerNorm, LayerNormConfig, layer_norm, layer_norm_no_bias};

/// RMS norm: `y = x / √(mean(x²) + ε) · weight`, over the last axis.
///
/// # Shapes
///
/// - `weight`: `[D]`
/// - `forward` takes `[…, D]` and returns the same shape
///
/// ```
/// use candle_core::{Device, Module, Tensor};
/// use softmark_candle_nn::RmsNorm;
///
/// let norm = RmsNorm::new(Tensor::new(&[1_f32, 2.0], &Device::Cpu)?, 0.0);
/// let y = norm.forward(&Tensor::new(&[3_f32, -3.0], &Device::Cpu)?)?;
/// assert_eq!(y.to_vec1::<f32>()?, [1.0, -2.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
#[derive(Debug, Clone)]
pub struct RmsNorm(LayerNorm);

impl RmsNorm {
    /// Returns a layer with a weight `[D]` and `ε`, which is added to the mean of the squares.
    pub fn new(weight: Tensor, eps: f64) -> Self {
        Self(LayerNorm::rms_norm(weight, eps))
    }

    /// Returns the layer norm that subtracts no mean.
    pub fn into_inner(self) -> LayerNorm {
        self.0
    }

    /// Returns the weight, `[D]`.
    pub fn weight(&self) -> &Tensor {
        self.0.weight()
    }

    /// Returns `ε`.
    pub fn eps(&self) -> f64 {
        self.0.eps()
    }

    /// Does the same as `forward`, which in candle-nn has no gradient.
    ///
    /// # Errors
    ///
    /// Fails if the last axis does not have the length of the weight, or if the types differ.
    pub fn forward_diff(&self, xs: &Tensor) -> Result<Tensor> {
        self.0.forward(xs)
    }
}

impl Module for RmsNorm {
    fn forward(&self, xs: &Tensor) -> Result<Tensor> {
        self.0.forward(xs)
    }
}

/// Constructs an RMS norm over `size` channels with the parameter `weight`, initially ones.
///
/// # Errors
///
/// Fails if the parameter is missing from `vb` or has another shape.
pub fn rms_norm(size: usize, eps: f64, vb: VarBuilder<'_>) -> Result<RmsNorm> {
    let config = LayerNormConfig { eps, remove_mean: false, affine: false };
    Ok(RmsNorm(layer_norm(size, config, vb)?))
}
