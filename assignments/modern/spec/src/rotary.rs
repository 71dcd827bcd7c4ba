//! Rotary positions.

use candle_core::{Result, Tensor};

/// `θ` of [`Rotary`].
pub const BASE: f64 = 10_000.0;

/// Rotary positional encoding: rotates pairs of channels by angles that grow with the position.
///
/// ```text
/// a(t, i) = t · θ^(−2i/K)                     t = 0, 1, …   i = 0 .. K/2   θ = 10000
/// y[t, i]       = x[t, i] · cos a(t, i) − x[t, i + K/2] · sin a(t, i)
/// y[t, i + K/2] = x[t, i] · sin a(t, i) + x[t, i + K/2] · cos a(t, i)       [B, H, T, K]
/// ```
///
/// From Su et al., *`RoFormer`: Enhanced Transformer with Rotary Position Embedding* (2021), section 3.2.2. The paper
/// pairs channels `2i` and `2i + 1`; here a pair is **channels `i` and `i + K/2`**, the layout of most published
/// models.
///
/// Rotated by their positions, a query and a key have a dot product that depends on the distance of the two
/// positions, and not on where they are.
///
/// The encoding has no parameters.
///
/// # Edge cases
///
/// - Position 0 is not rotated.
/// - `T` may be any length. Angles are accurate at far positions as well: at position 5000, sine and cosine are
///   right to the digits of `f32`, which an angle computed in `f32` is not.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input.
///
/// # Examples
///
/// The first step of the first pair is one radian.
///
/// ```
/// use modern_spec::prelude::*;
///
/// fn one_radian<R: Rotary>() -> Result<Tensor> {
///     let x = Tensor::new(&[[[[1_f32, 0.0], [1.0, 0.0]]]], &Device::Cpu)?; // [B, H, T, K]
///     R::new(2)?.rotate(&x) // [[[[1.0, 0.0], [0.5403, 0.8415]]]]
/// }
/// ```
pub trait Rotary {
    /// Constructs the encoding for heads of `width` channels (`K`).
    ///
    /// # Errors
    ///
    /// Fails if `width` is odd.
    fn new(width: usize) -> Result<Self>
    where
        Self: Sized;

    /// Rotates the vector at each position; the first position is 0.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, H, T, K]`, `f32`
    /// - returns `[B, H, T, K]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `K`.
    fn rotate(&self, x: &Tensor) -> Result<Tensor>;
}
