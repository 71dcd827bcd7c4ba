//! Residual connection with a scale.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

/// Residual connection whose branch is scaled channel by channel.
///
/// ```text
/// y = x + scale ⊙ branch        [B, T, D]
/// ```
///
/// From Touvron et al., *Going deeper with Image Transformers* (2021), section 3.1. The scale belongs to the branch
/// alone.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `scale` | `[D]` |
///
/// # Edge cases
///
/// - With a scale of 0, the output is `x`.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach both inputs and `scale`.
///
/// # Examples
///
/// ```
/// use sample_id_spec::prelude::*;
///
/// fn doubled<R: ScaledResidual>(vb: VarBuilder<'_>) -> Result<Tensor> {
///     let x = Tensor::new(&[[[3_f32]]], &Device::Cpu)?; // [B, T, D]
///     R::new(1, vb)?.forward(&x, &x) // [[[6.0]]], if the scale is 1
/// }
/// ```
pub trait ScaledResidual {
    /// Constructs the layer for `d_model` channels, with its parameter from `vb`.
    ///
    /// # Errors
    ///
    /// Fails if the parameter is missing from `vb` or has another shape.
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Adds the scaled branch to `x`.
    ///
    /// # Shapes
    ///
    /// - `x` and `branch`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `D`, or `branch` has another shape than `x`. This includes shapes that
    /// broadcasting would accept.
    fn forward(&self, x: &Tensor, branch: &Tensor) -> Result<Tensor>;
}
