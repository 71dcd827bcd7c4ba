//! A classifier with one layer of attention, built from all components of the `attention` assignment.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::multi_head::{AttentionConfig, MultiHeadAttention};
use crate::pooling::{MaskedPooling, Pooling};
use crate::position::{LearnedPosition, PositionConfig};

/// The sizes and switches of an [`AttentionClassifier`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassifierConfig {
    /// `V`, the number of token ids; id 0 is padding.
    pub vocabulary: usize,
    /// Maximum length of a text.
    pub max_len: usize,
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of heads; each is `K = D / H` wide.
    pub heads: usize,
    /// `C`, the number of classes.
    pub classes: usize,
    /// True if a layer norm follows the attention.
    pub norm: bool,
    /// Method of pooling a text into one vector.
    pub pooling: Pooling,
}

/// Constructor of the components inside an [`AttentionClassifier`].
///
/// Use the constructed components unchanged: the classifier is graded on its own merits, independently of
/// your other components.
pub trait AttentionParts {
    /// Constructs multi-head attention with the parameters below `vb` and scaled dot-product attention
    /// inside.
    ///
    /// # Errors
    ///
    /// Returns the error of the component's `new`.
    fn attention(
        &self,
        config: AttentionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn MultiHeadAttention>>;

    /// Constructs learned positions with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the component's `new`.
    fn position(
        &self,
        config: PositionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn LearnedPosition>>;

    /// Constructs a pooling of this kind, which has no parameters.
    fn pooling(&self, kind: Pooling) -> Box<dyn MaskedPooling>;
}

/// A text classifier: embedded tokens, learned positions, one self-attention, pooling, a linear head.
///
/// ```text
/// x      = position(token_embedding[ids])                 [B, T, D]
/// a      = attention(x, x, x, seen).output                [B, T, D]
///          seen[b, i, j] = mask[b, j]                     [B, T, T]
/// a      = γ · (a − mean) / √(variance + ε) + β           where the config says `norm`; ε = 1e-5
/// pooled = pooling(a, mask)                               [B, D]
/// logits = pooled · Wᵀ + b                                [B, C]
/// ```
///
/// Padding is hidden from every query. The mean and the variance of the norm are computed over the `D`
/// channels of each position; the variance is divided by `D`.
///
/// There is no residual connection, no feed-forward network and no scaling. The logits are inputs of the
/// cross-entropy: there is no softmax after the head.
///
/// The attention is that of Vaswani et al., *Attention Is All You Need* (2017), section 3.2.2, and
/// the norm that of Ba et al., *Layer Normalization* (2016), section 3.
///
/// # Parameters
///
/// [`new`](Self::new) requests its own parameters from `vb` and has the components constructed by `below`:
/// the positions from `vb` itself, the attention below `self_attn`.
///
/// | name | shape |
/// |---|---|
/// | `token_embedding.weight` | `[V, D]` |
/// | `position_embedding.weight` | `[max_len, D]`, requested by the positions |
/// | `self_attn.q_proj.weight` and so on | those of [`MultiHeadAttention`] |
/// | `norm.weight`, `norm.bias` | `[D]`, only if `norm` is set |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` |
///
/// # Edge cases
///
/// - A text whose mask is all 0 is pooled to zeros: its logits are the head's bias, never `NaN`.
/// - Neither the ids at padding nor other texts of the batch change a bit of the logits.
/// - An id that is not less than `V`, a text longer than `max_len`, and a mask whose shape is not that of the ids are
///   errors, not panics.
/// - Gradients reach all parameters.
///
/// # Examples
///
/// `Indifferent` is correct if the weight of the head is zero.
///
/// ```
/// # use attention_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct Indifferent(Tensor);
///
/// impl AttentionClassifier for Indifferent {
///     fn new(
///         config: ClassifierConfig,
///         _below: &dyn AttentionParts,
///         vb: VarBuilder<'_>,
///     ) -> Result<Self> {
///         Ok(Self(vb.pp("classifier").get(config.classes, "bias")?))
///     }
///     fn forward(&self, ids: &Tensor, _mask: &Tensor) -> Result<Tensor> {
///         self.0.broadcast_as((ids.dim(0)?, self.0.dim(0)?))
///     }
/// }
///
/// struct NoParts;
/// # impl AttentionParts for NoParts {
/// #     fn attention(&self, _: AttentionConfig, _: VarBuilder<'_>)
/// #         -> Result<Box<dyn MultiHeadAttention>> { candle_core::bail!("none here") }
/// #     fn position(&self, _: PositionConfig, _: VarBuilder<'_>)
/// #         -> Result<Box<dyn LearnedPosition>> { candle_core::bail!("none here") }
/// #     fn pooling(&self, _: Pooling) -> Box<dyn MaskedPooling> { unimplemented!() }
/// # }
///
/// let vb = VarBuilder::zeros(DType::F32, &Device::Cpu);
/// let config = ClassifierConfig {
///     vocabulary: 9,
///     max_len: 8,
///     d_model: 4,
///     heads: 2,
///     classes: 5,
///     norm: false,
///     pooling: Pooling::Mean,
/// };
/// let model = Indifferent::new(config, &NoParts, vb)?;
/// let ids = Tensor::ones((2, 3), DType::U32, &Device::Cpu)?; // [B, T]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(model.forward(&ids, &mask)?.dims2()?, (2, 5)); // [B, C]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait AttentionClassifier {
    /// Constructs the classifier: its own parameters from `vb`, its components through `below`.
    ///
    /// # Errors
    ///
    /// Returns the error of `below` or `vb`.
    fn new(
        config: ClassifierConfig,
        below: &dyn AttentionParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// Returns a logit for each text of a batch and each class; larger means more likely.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, `T ≤ max_len`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, C]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if an id is not less than `V`, if the text is longer than `max_len`, if the mask has another shape than
    /// `[B, T]` (this includes `[1, T]` and `[B, 1]`), or if a component fails. The components return most of these errors
    /// where they are handed the mask and the whole text.
    fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor>;
}
