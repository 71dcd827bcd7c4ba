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
/// From Su et al., *RoFormer: Enhanced Transformer with Rotary Position Embedding* (2021), section 3.2.2. The paper
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
/// `FirstOnly` is correct only for sequences of length 1.
///
/// ```
/// use modern_spec::prelude::*;
///
/// struct FirstOnly;
///
/// impl Rotary for FirstOnly {
///     fn new(_width: usize) -> Result<Self> {
///         Ok(Self)
///     }
///     fn rotate(&self, x: &Tensor) -> Result<Tensor> {
///         Ok(x.clone())
///     }
/// }
///
/// let x = Tensor::ones((2, 3, 1, 4), DType::F32, &Device::Cpu)?; // [B, H, T, K]
/// assert_eq!(FirstOnly::new(4)?.rotate(&x)?.dims4()?, (2, 3, 1, 4));
/// # Ok::<(), candle_core::Error>(())
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
