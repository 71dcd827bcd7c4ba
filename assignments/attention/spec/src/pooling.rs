//! Pooling: one vector for a whole sequence, ignoring padding.

use candle_core::{Result, Tensor};

#[doc(inline)]
pub use softmark_kit::nn::Pooling;

/// Pools the positions of a sequence into one vector, using the real tokens alone.
///
/// ```text
/// Mean    output[b] = Σₜ mask[b, t] · x[b, t] / Σₜ mask[b, t]
/// Max     output[b, d] = max of x[b, t, d] over the t with mask[b, t] = 1
/// First   output[b] = x[b, t] at the smallest t with mask[b, t] = 1
/// ```
///
/// As in Reimers and Gurevych, *Sentence-BERT* (2019), section 3, where the methods are called MEAN, MAX and
/// CLS.
///
/// The pooling has no parameters.
///
/// # Edge cases
///
/// - A sequence whose mask is all 0 is pooled to a vector of zeros, never to `NaN` or an infinity.
/// - Finite numbers at masked positions do not change the result by a single bit.
/// - All numbers of a channel may be negative: the largest of them is not 0.
///
/// # Examples
///
/// A sequence of one real token is pooled to that token by every method; `OneToken` handles only this case.
///
/// ```
/// # use attention_spec as softmark_kit;
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
    /// Constructs a pooling of the given kind.
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
    /// Fails if the mask has another shape than `[B, T]`. This includes `[1, T]` and `[B, 1]`, since
    /// broadcasting would pool one sequence by the mask of another.
    fn pool(&self, x: &Tensor, mask: Option<&Tensor>) -> Result<Tensor>;
}
