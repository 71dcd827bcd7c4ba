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
/// ```
/// use modern_spec::prelude::*;
///
/// fn zeros<N: SwiGlu>(vb: VarBuilder<'_>) -> Result<Tensor> {
///     let x = Tensor::zeros((2, 3, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
///     N::new(4, 8, vb)?.forward(&x) // zeros, for any parameters
/// }
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
