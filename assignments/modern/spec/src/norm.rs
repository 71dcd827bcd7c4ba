//! Root mean square layer normalization.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

/// `ε` of [`RmsNorm`].
pub const EPSILON: f64 = 1e-6;

/// Root mean square layer normalization.
///
/// ```text
/// y = x / √(mean(x²) + ε) ⊙ weight        mean over the last axis; ε = 1e-6      [B, T, D]
/// ```
///
/// From Zhang and Sennrich, *Root Mean Square Layer Normalization* (2019), section 4. No mean is subtracted, and
/// there is no bias. `ε` is added to the mean before the root is taken.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `weight` | `[D]`; ones at the start of a training |
///
/// # Edge cases
///
/// - A position whose channels are all 0 gives zeros, never `NaN`.
/// - `ε` matters where `x²` is as small as `ε`. Numbers up to 10¹⁵ in magnitude give finite results.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and `weight`.
///
/// # Examples
///
/// At `D = 1`, numbers much larger than `ε` become 1 or −1.
///
/// ```
/// use modern_spec::prelude::*;
///
/// fn signs<N: RmsNorm>(vb: VarBuilder<'_>) -> Result<Tensor> {
///     let x = Tensor::new(&[[[3_f32], [-5.0]]], &Device::Cpu)?; // [B, T, D]
///     N::new(1, vb)?.forward(&x) // [[[1.0], [-1.0]]], if the weight is 1
/// }
/// ```
pub trait RmsNorm {
    /// Constructs the norm over `d_model` channels, with its parameter from `vb`.
    ///
    /// # Errors
    ///
    /// Fails if the parameter is missing from `vb` or has another shape.
    fn new(d_model: usize, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Normalizes each position.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `D`. This includes a width of 1, which broadcasting would accept.
    fn forward(&self, x: &Tensor) -> Result<Tensor>;
}
