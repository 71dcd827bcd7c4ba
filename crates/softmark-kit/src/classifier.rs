//! A classifier with one layer of attention: what all parts of the `attention` assignment make
//! together.

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
    /// The longest text that has positions.
    pub max_len: usize,
    /// `D`, the width of the model.
    pub d_model: usize,
    /// `H`, the number of heads; each is `K = D / H` wide.
    pub heads: usize,
    /// `C`, the number of classes.
    pub classes: usize,
    /// Whether a layer norm follows the attention.
    pub norm: bool,
    /// How a text becomes one vector.
    pub pooling: Pooling,
}

/// What makes the parts that an [`AttentionClassifier`] stands on.
///
/// Use what it makes as it is: it is how the classifier is graded on its own merits, whatever the
/// state of your other parts.
pub trait AttentionParts {
    /// Makes multi-head attention with the parameters below `vb`, scaled dot-product attention
    /// inside.
    ///
    /// # Errors
    ///
    /// What the part's own `new` returns.
    fn attention(
        &self,
        config: AttentionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn MultiHeadAttention>>;

    /// Makes learned positions with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// What the part's own `new` returns.
    fn position(
        &self,
        config: PositionConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Box<dyn LearnedPosition>>;

    /// Makes a pooling of that kind; it has no parameters.
    fn pooling(&self, kind: Pooling) -> Box<dyn MaskedPooling>;
}

/// A classifier of texts: embedded tokens, learned positions, one self-attention, pooling, a linear
/// head.
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
/// A token that is padding is hidden from every query. Mean and variance of the norm are those of
/// each position's `D` numbers, the variance being divided by `D`.
///
/// There is no residual connection and no feed-forward network, and nothing is scaled. Logits are
/// what the cross-entropy takes: no softmax comes after the head.
///
/// The attention is that of Vaswani et al., *Attention Is All You Need* (2017), section 3.2.2, and
/// the norm that of Ba et al., *Layer Normalization* (2016), section 3.
///
/// # Parameters
///
/// [`new`](Self::new) asks `vb` for what is its own, and has the parts made by `below`: positions from
/// `vb` itself, attention below `self_attn`.
///
/// | name | shape |
/// |---|---|
/// | `token_embedding.weight` | `[V, D]` |
/// | `position_embedding.weight` | `[max_len, D]`, asked for by the positions |
/// | `self_attn.q_proj.weight` and so on | those of [`MultiHeadAttention`] |
/// | `norm.weight`, `norm.bias` | `[D]`, only where the config says `norm` |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` |
///
/// # At the edges
///
/// - A text whose mask is all 0 is pooled to zeros: its logits are the head's bias, never `NaN`.
/// - Whatever ids stand at padding change no bit of the logits, and neither do other texts of the
///   batch.
/// - An id that is not below `V`, and a text longer than `max_len`, are errors, not panics.
/// - Gradients reach all parameters.
///
/// # Examples
///
/// `Indifferent` is right where the weight of the head is zero.
///
/// ```
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
    /// Makes the classifier: its own parameters from `vb`, its parts by way of `below`.
    ///
    /// # Errors
    ///
    /// What `below` and `vb` return.
    fn new(
        config: ClassifierConfig,
        below: &dyn AttentionParts,
        vb: VarBuilder<'_>,
    ) -> Result<Self>
    where
        Self: Sized;

    /// Gives each text of a batch a number for each class: the larger, the more likely.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, `T ≤ max_len`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, C]`, `f32`
    ///
    /// # Errors
    ///
    /// When an id is not below `V`, or what the parts return.
    fn forward(&self, ids: &Tensor, mask: &Tensor) -> Result<Tensor>;
}
