//! Scaled dot-product attention.

use candle_core::{Result, Tensor};

/// Result of attention: the weighted sums of the values, and the weights.
#[derive(Debug, Clone)]
pub struct AttentionOutput {
    /// Weighted sums of the values.
    pub output: Tensor,
    /// Weight of each key for each query, after the softmax and before any dropout.
    pub weights: Tensor,
}

/// Scaled dot-product attention over `H` heads at once.
///
/// ```text
/// scores  = query · keyᵀ / √K                 [B, H, Tq, Tk]
/// weights = softmax(scores) over the keys     [B, H, Tq, Tk]
///           taken only over keys whose mask is 1; exactly 0 at the others
/// output  = weights · value                   [B, H, Tq, K]
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.2.1, equation 1.
///
/// The attention has no parameters.
///
/// # Edge cases
///
/// - A fully masked query gets weights of 0 and an output of 0, never `NaN`.
/// - Weights of masked keys are exactly 0: finite numbers in a masked key or value do not change the result
///   by a single bit. This includes numbers so large that the score of a masked key is infinite or `NaN`.
/// - Large scores (such as ±10⁴) neither overflow nor give `NaN`. With a mask, too, the weights of visible
///   keys sum to one however far below zero their scores are, as long as the scores are finite.
/// - `Tq` and `Tk` may differ, and any size may be 1.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients flow back from `output` to `query`, `key` and `value`. Gradients through `weights` are not required.
///
/// # Examples
///
/// If there is only one key, its weight is 1 and its value is the output. `OnlyOneKey` is correct for that
/// case and for no other.
///
/// ```
/// # use attention_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct OnlyOneKey;
///
/// impl ScaledDotProductAttention for OnlyOneKey {
///     fn new() -> Self {
///         Self
///     }
///     fn attend(
///         &self,
///         query: &Tensor,
///         key: &Tensor,
///         value: &Tensor,
///         _mask: Option<&Tensor>,
///     ) -> Result<AttentionOutput> {
///         let (b, h, tq, k) = query.dims4()?;
///         let (_, _, tk, _) = key.dims4()?;
///         let output = value.broadcast_as((b, h, tq, k))?;
///         let weights = Tensor::ones((b, h, tq, tk), DType::F32, query.device())?;
///         Ok(AttentionOutput { output, weights })
///     }
/// }
///
/// let query = Tensor::new(&[[[[0.5_f32, -1.0], [2.0, 0.0]]]], &Device::Cpu)?; // [1, 1, 2, 2]
/// let key = Tensor::new(&[[[[1.0_f32, 1.0]]]], &Device::Cpu)?; // [1, 1, 1, 2]
/// let value = Tensor::new(&[[[[3.0_f32, 4.0]]]], &Device::Cpu)?; // [1, 1, 1, 2]
/// let AttentionOutput { output, weights } = OnlyOneKey::new().attend(&query, &key, &value, None)?;
/// assert_eq!(output.dims4()?, (1, 1, 2, 2));
/// assert_eq!(weights.dims4()?, (1, 1, 2, 1));
/// assert_eq!(output.i((0, 0, 1))?.to_vec1::<f32>()?, [3.0, 4.0]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait ScaledDotProductAttention {
    /// Constructs the attention, which has no settings.
    fn new() -> Self
    where
        Self: Sized;

    /// Computes attention from `query` to `key`, with the values `value`.
    ///
    /// # Shapes
    ///
    /// - `query`: `[B, H, Tq, K]`, `f32`
    /// - `key`, `value`: `[B, H, Tk, K]`, `f32`
    /// - `mask`: `[B, 1, Tq, Tk]` (the same for every head) or `[B, H, Tq, Tk]`, `u8`;
    ///   **1 = may look, 0 = may not**; `None` lets every query see every key
    /// - returns `output` `[B, H, Tq, K]` and `weights` `[B, H, Tq, Tk]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match. (It is not checked whether sizes of 1 are broadcast.) Return an
    /// error; a panic is reported separately and loses the point.
    fn attend(
        &self,
        query: &Tensor,
        key: &Tensor,
        value: &Tensor,
        mask: Option<&Tensor>,
    ) -> Result<AttentionOutput>;
}
