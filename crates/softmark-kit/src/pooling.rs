//! Pooling: one vector for a whole sequence, padding left out.

use candle_core::{Result, Tensor};

/// How a sequence becomes one vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Pooling {
    /// The mean over the positions that the mask lets through.
    Mean,
    /// In each channel the largest value among the positions that the mask lets through.
    Max,
    /// The vector at the first position that the mask lets through.
    First,
}

/// Pools the positions of a sequence into one vector, looking only at real tokens.
///
/// ```text
/// Mean    output[b] = Σₜ mask[b, t] · x[b, t] / Σₜ mask[b, t]
/// Max     output[b, d] = max of x[b, t, d] over the t with mask[b, t] = 1
/// First   output[b] = x[b, t] at the smallest t with mask[b, t] = 1
/// ```
///
/// As in Reimers and Gurevych, *Sentence-BERT* (2019), section 3, which calls them MEAN, MAX and
/// CLS.
///
/// It has no parameters.
///
/// # At the edges
///
/// - A sequence whose mask is all 0 has nothing to pool: the result is a vector of zeros, never
///   `NaN` or an infinity.
/// - Whatever finite number stands at a masked position changes nothing, not by a single bit.
/// - Channels may be negative throughout: the largest of them is not 0.
///
/// # Examples
///
/// A sequence of one real token pools to that token, whichever way; `OneToken` knows no other.
///
/// ```
/// use softmark_kit::prelude::*;
///
/// struct OneToken;
///
/// impl MaskedPooling for OneToken {
///     fn new(_kind: Pooling) -> Self {
///         Self
///     }
///     fn pool(&self, x: &Tensor, _mask: Option<&Tensor>) -> Result<Tensor> {
///         x.squeeze(1)
///     }
/// }
///
/// let x = Tensor::new(&[[[-1.0_f32, 2.0]]], &Device::Cpu)?; // [B, T, D]
/// let mask = Tensor::new(&[[1_u8]], &Device::Cpu)?; // [B, T]
/// let pooled = OneToken::new(Pooling::Max).pool(&x, Some(&mask))?; // [B, D]
/// assert_eq!(pooled.to_vec2::<f32>()?, [[-1.0, 2.0]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait MaskedPooling {
    /// Makes a pooling of the given kind.
    fn new(kind: Pooling) -> Self
    where
        Self: Sized;

    /// Pools each sequence of the batch.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**; `None` means that all are real
    /// - returns `[B, D]`, `f32`
    ///
    /// # Errors
    ///
    /// When the mask has another shape than `[B, T]`; `[1, T]` and `[B, 1]` are no exceptions, since
    /// broadcasting would pool one sequence by the mask of another.
    fn pool(&self, x: &Tensor, mask: Option<&Tensor>) -> Result<Tensor>;
}
