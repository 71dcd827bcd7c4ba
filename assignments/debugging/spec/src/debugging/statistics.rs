//! Statistics of attention weights: three numbers per head.

use candle_core::{Result, Tensor};

use crate::hooks::HeadStatistics;

/// Computes statistics of attention weights: [`HeadStatistics`] for each head.
///
/// Each number is a mean over **all real queries of the batch**, those at which `mask` is 1. For the weights
/// `w` of a real query over the `T` keys, of which `n` are real:
///
/// ```text
/// entropy       −Σ w · ln w            over all keys, in nats; 0 · ln 0 counts as 0
/// from_uniform  ½ · Σ |w − 1/n|        over the real keys
/// on_padding    Σ w                    over the keys at padding
/// ```
///
/// Entropy is Shannon's, *A Mathematical Theory of Communication* (1948); half the sum of differences
/// is the total variation distance.
///
/// # Edge cases
///
/// - A text of two real tokens has twice the influence of a text with one, since it has twice as many real queries.
/// - Padded queries are ignored, whatever their weights are, including `NaN`.
/// - If no query of the whole batch is real, there is no mean: this is an error.
/// - `weights` may be a view that is not contiguous in memory.
///
/// # Examples
///
/// `Even` is correct if every head attends equally to all tokens and there is no padding.
///
/// ```
/// # use debugging_spec as softmark_kit;
/// use softmark_kit::debugging::AttentionStatistics;
/// use softmark_kit::hooks::HeadStatistics;
/// use softmark_kit::prelude::*;
///
/// struct Even;
///
/// impl AttentionStatistics for Even {
///     fn of(weights: &Tensor, _mask: &Tensor) -> Result<Vec<HeadStatistics>> {
///         let (_, heads, _, keys) = weights.dims4()?;
///         let entropy = (keys as f64).ln();
///         Ok(vec![HeadStatistics { entropy, from_uniform: 0.0, on_padding: 0.0 }; heads])
///     }
/// }
///
/// let weights = Tensor::full(0.25_f32, (1, 2, 4, 4), &Device::Cpu)?; // [B, H, T, T]
/// let mask = Tensor::ones((1, 4), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(Even::of(&weights, &mask)?.len(), 2);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait AttentionStatistics {
    /// Returns the statistics of each head, in the order of the heads.
    ///
    /// # Shapes
    ///
    /// - `weights`: `[B, H, T, T]`, `f32`; the rows of real queries sum to one
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    ///
    /// # Errors
    ///
    /// Fails if no token is real.
    fn of(weights: &Tensor, mask: &Tensor) -> Result<Vec<HeadStatistics>>;
}
