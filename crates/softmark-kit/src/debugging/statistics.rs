//! Attention weights in three numbers a head.

use candle_core::{Result, Tensor};

use crate::hooks::HeadStatistics;

/// What reads attention weights in numbers: [`HeadStatistics`] for each head.
///
/// Each number is a mean over **all real queries of the batch**: those at which `mask` is 1. A real
/// query's weights `w` over the `T` keys, of which `n` are real, have
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
/// # At the edges
///
/// - A text of two real tokens counts twice as much as one of a single real token: it has twice as many
///   real queries.
/// - Padded queries play no part, whatever their weights are; `NaN` there must not show.
/// - Where no query of the whole batch is real, there is nothing to take a mean of: an error.
/// - `weights` may be a view that is not contiguous in memory.
///
/// # Examples
///
/// `Even` is right where every head looks at all tokens alike and none is padding.
///
/// ```
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
    /// The numbers of each head, in the order of the heads.
    ///
    /// # Shapes
    ///
    /// - `weights`: `[B, H, T, T]`, `f32`; the rows of real queries sum to one
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    ///
    /// # Errors
    ///
    /// When no token is real.
    fn of(weights: &Tensor, mask: &Tensor) -> Result<Vec<HeadStatistics>>;
}
