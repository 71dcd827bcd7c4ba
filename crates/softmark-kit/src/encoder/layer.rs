//! The encoder layer, and what it is made of.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{EncoderConfig, FeedForward};

/// Multi-head self-attention over the real tokens of a sequence. Provided: `src/attention.rs`.
///
/// What it computes is [`MultiHeadAttention`](crate::MultiHeadAttention) with `x` as query, key and
/// value, and with every query seeing exactly the real tokens. Where there are none, its output is the
/// bias of `out_proj`. In training, dropout is applied to the weights.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `q_proj.weight`, `k_proj.weight`, `v_proj.weight`, `out_proj.weight` | `[D, D]` |
/// | `q_proj.bias`, `k_proj.bias`, `v_proj.bias`, `out_proj.bias` | `[D]` |
pub trait SelfAttention {
    /// Makes the attention, with its parameters from `vb` by the names in the table above.
    ///
    /// # Errors
    ///
    /// When `heads` does not divide `d_model`, or what `vb` returns when a parameter is missing or
    /// has another shape.
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Attends from every position to the real tokens.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// When the shapes do not fit one another.
    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}

/// What makes the two sublayers of an encoder layer.
///
/// It knows the config already; the layer says under which names their parameters stand.
pub trait LayerParts {
    /// Makes a self-attention with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// What the attention's own `new` returns.
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>>;

    /// Makes a feed-forward network with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// What the network's own `new` returns.
    fn feed_forward(&self, vb: VarBuilder<'_>) -> Result<Box<dyn FeedForward>>;
}

/// One layer of an encoder: attention and a feed-forward network, each with a residual connection
/// around it and a layer norm.
///
/// ```text
/// post-norm   y      = norm1(x + dropout(attention(x)))
///             output = norm2(y + dropout(feed_forward(y)))        [B, T, D]
///
/// pre-norm    y      = x + dropout(attention(norm1(x)))
///             output = y + dropout(feed_forward(norm2(y)))        [B, T, D]
///
/// norm(x)     = (x − mean(x)) / √(var(x) + ε) · weight + bias
/// ```
///
/// Post-norm is that of Vaswani et al., *Attention Is All You Need* (2017), section 3.1; pre-norm that
/// of Xiong et al., *On Layer Normalization in the Transformer Architecture* (2020), figure 1. Which of
/// them is `config.norm`.
///
/// A layer norm (Ba et al., *Layer Normalization*, 2016) takes mean and variance over the `D` channels
/// of one position, the variance as the mean of squared deviations (divided by `D`, not by `D − 1`),
/// and has `ε = 1e-5`.
///
/// Where `train` is true, dropout with probability `config.dropout` is applied to what each sublayer
/// gives, before it is added; `train` is passed on to both sublayers.
///
/// # Parameters
///
/// [`new`](Self::new) asks `vb` for the norms, and has the rest made below these names.
///
/// | name | shape |
/// |---|---|
/// | `self_attn.` … | those of [`SelfAttention`] |
/// | `feed_forward.` … | those of [`FeedForward`] |
/// | `norm1.weight`, `norm1.bias` | `[D]` |
/// | `norm2.weight`, `norm2.bias` | `[D]` |
///
/// # At the edges
///
/// - Where both sublayers give zeros, a pre-norm layer is the identity, and a post-norm layer
///   `norm2(norm1(x))`.
/// - Whatever stands at padding changes no bit of what comes out at real tokens.
/// - Padding gets an output as well; nothing is made of it.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all parameters, those of the norms included.
///   `candle_nn::LayerNorm` ends the graph without a word; [`nn::layer_norm`](crate::nn::layer_norm)
///   of this crate does not, and neither does a norm written out in ordinary operations.
///
/// # Examples
///
/// `Identity` is right for a pre-norm layer whose sublayers give zeros.
///
/// ```
/// use softmark_kit::prelude::*;
///
/// struct Identity;
///
/// impl EncoderLayer for Identity {
///     fn new(_: EncoderConfig, _below: &dyn LayerParts, _vb: VarBuilder<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///     fn forward(&self, x: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
///         Ok(x.clone())
///     }
/// }
///
/// let layer = Identity;
/// let x = Tensor::ones((2, 3, 4), DType::F32, &Device::Cpu)?; // [B, T, D]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(layer.forward(&x, &mask, false)?.dims3()?, (2, 3, 4));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait EncoderLayer {
    /// Makes the layer: the norms from `vb`, the sublayers by way of `below`.
    ///
    /// Use what `below` makes as it is: that is how this part is graded on its own merits, whatever the
    /// state of your feed-forward network.
    ///
    /// # Errors
    ///
    /// What `below` and `vb` return.
    fn new(config: EncoderConfig, below: &dyn LayerParts, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Passes a batch of sequences through the layer.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// When the shapes do not fit one another.
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}
