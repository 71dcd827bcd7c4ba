//! Rotary position embeddings, with gradients.
//!
//! ```text
//! y[a] = x[a] · cos − x[b] · sin
//! y[b] = x[b] · cos + x[a] · sin
//! ```
//!
//! for each pair of channels `(a, b)` of a head. Of `B` examples with `H` heads of width `K` and `T` positions, `xs` has
//! the shape `[B, H, T, K]`; `cos` and `sin` have `[T′, K / 2]` with `T′ ≥ T`, or `[B, T′, K / 2]`, and may be of any layout.

use candle_core::{D, Result, Tensor};

/// Rotates the pairs of channels `(i, i + K / 2)`.
///
/// # Errors
///
/// Fails if the shapes do not agree.
///
/// ```
/// use candle_core::{Device, Tensor};
/// use softmark_candle_nn::rotary_emb::rope;
///
/// let x = Tensor::new(&[[[[1_f32, 2.0, 3.0, 4.0]]]], &Device::Cpu)?;
/// let (cos, sin) = (Tensor::new(&[[0_f32, 1.0]], &Device::Cpu)?, Tensor::new(&[[1_f32, 0.0]], &Device::Cpu)?);
/// assert_eq!(rope(&x, &cos, &sin)?.flatten_all()?.to_vec1::<f32>()?, [-3.0, 2.0, 1.0, 4.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub fn rope(xs: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    let (_, _, length, width) = xs.dims4()?;
    let half = width / 2;
    let (cos, sin) = (factors(cos, length)?, factors(sin, length)?);
    let (a, b) = (xs.narrow(D::Minus1, 0, half)?, xs.narrow(D::Minus1, half, width - half)?);
    let (a, b) = rotated(&a, &b, &cos, &sin)?;
    Tensor::cat(&[a, b], D::Minus1)
}

/// Rotates the pairs of channels `(2 · i, 2 · i + 1)`.
///
/// # Errors
///
/// Returns the errors of [`rope`].
pub fn rope_i(xs: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    let (batch, heads, length, width) = xs.dims4()?;
    let (cos, sin) = (factors(cos, length)?, factors(sin, length)?);
    let pairs = xs.reshape((batch, heads, length, width / 2, 2))?;
    let of_pair = |at: usize| pairs.narrow(D::Minus1, at, 1)?.squeeze(D::Minus1);
    let (a, b) = rotated(&of_pair(0)?, &of_pair(1)?, &cos, &sin)?;
    Tensor::stack(&[a, b], D::Minus1)?.reshape(xs.shape())
}

/// Does the same as [`rope`], which in candle-nn has no gradient.
///
/// # Errors
///
/// Returns the errors of [`rope`].
pub fn rope_slow(xs: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    rope(xs, cos, sin)
}

/// Does the same as [`rope_i`], which in candle-nn has no gradient.
///
/// # Errors
///
/// Returns the errors of [`rope_i`].
pub fn rope_i_slow(xs: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    rope_i(xs, cos, sin)
}

/// Does the same as [`rope`] for `xs` of the shape `[B, T, H, K]`.
///
/// # Errors
///
/// Returns the errors of [`rope`].
pub fn rope_thd(xs: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<Tensor> {
    rope(&xs.transpose(1, 2)?, cos, sin)?.transpose(1, 2)?.contiguous()
}

/// Returns the cosines or sines of the first `length` positions, for all heads: `[1, 1, T, K / 2]` or `[B, 1, T, K / 2]`.
fn factors(table: &Tensor, length: usize) -> Result<Tensor> {
    let table = if table.rank() == 2 { table.unsqueeze(0)? } else { table.clone() };
    table.narrow(1, 0, length)?.unsqueeze(1)
}

/// Rotates each `(a, b)`.
fn rotated(a: &Tensor, b: &Tensor, cos: &Tensor, sin: &Tensor) -> Result<(Tensor, Tensor)> {
    let first = (a.broadcast_mul(cos)? - b.broadcast_mul(sin)?)?;
    let second = (b.broadcast_mul(cos)? + a.broadcast_mul(sin)?)?;
    Ok((first, second))
}
