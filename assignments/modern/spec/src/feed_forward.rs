//! The gated feed-forward network.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

/// A feed-forward network whose hidden layer is multiplied by a gate.
///
/// ```text
/// gate   = x · W_gateᵀ                        [B, T, F]
/// up     = x · W_upᵀ                          [B, T, F]
/// output = (silu(gate) ⊙ up) · W_downᵀ        [B, T, D]
///          silu(z) = z / (1 + e⁻ᶻ)
/// ```
///
/// From Shazeer, *GLU Variants Improve Transformer* (2020), equation 6. There are no biases.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `gate_proj.weight`, `up_proj.weight` | `[F, D]` |
/// | `down_proj.weight` | `[D, F]` |
///
/// # Edge cases
///
/// - Large gates (such as ±10⁴) neither overflow nor give `NaN`: `silu` is 0 far below zero.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all three parameters.
///
/// # Examples
///
/// `Closed` is correct only if all gates are 0.
///
/// ```
/// use modern_spec::prelude::*;
///
/// struct Closed;
///
/// impl SwiGlu for Closed {
///     fn new(_d_model: usize, _d_ff: usize, _vb: VarBuilder<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///     fn forward(&self, x: &Tensor) -> Result<Tensor> {
///         x.zeros_like()
///     }
/// }
///
/// let network = Closed::new(4, 8, VarBuilder::zeros(DType::F32, &Device::Cpu))?;
/// let x = Tensor::ones((2, 3, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
/// assert_eq!(network.forward(&x)?.dims3()?, (2, 3, 4));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait SwiGlu {
    /// Constructs the network of width `d_model` (`D`) and inner width `d_ff` (`F`), with its parameters from `vb`.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is missing from `vb` or has another shape.
    fn new(d_model: usize, d_ff: usize, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Applies the network to each position.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `D`.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;
}
