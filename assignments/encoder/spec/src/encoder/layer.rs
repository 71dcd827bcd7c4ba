//! The encoder layer and its components.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{EncoderConfig, FeedForward};

/// Multi-head self-attention over the real tokens of a sequence. Provided: `src/attention.rs`.
///
/// The result is that of `MultiHeadAttention` of the `attention` assignment with `x` as query, key and value,
/// where every query sees exactly the real tokens. Without real tokens, the output is the bias of `out_proj`.
/// In training, dropout is applied to the weights.
///
/// # Parameters
///
/// | name | shape |
/// |---|---|
/// | `q_proj.weight`, `k_proj.weight`, `v_proj.weight`, `out_proj.weight` | `[D, D]` |
/// | `q_proj.bias`, `k_proj.bias`, `v_proj.bias`, `out_proj.bias` | `[D]` |
pub trait SelfAttention {
    /// Constructs the attention, with its parameters from `vb` by the names in the table above.
    ///
    /// # Errors
    ///
    /// Fails if `heads` does not divide `d_model`, or if a parameter is missing from `vb` or has another shape.
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Computes attention from every position to the real tokens.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match.
    fn attend(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}

/// Constructor of the two sublayers of an encoder layer.
///
/// The constructor has the config; the layer chooses the names of the sublayers' parameters.
pub trait LayerParts {
    /// Constructs a self-attention with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the attention's `new`.
    fn attention(&self, vb: VarBuilder<'_>) -> Result<Box<dyn SelfAttention>>;

    /// Constructs a feed-forward network with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the feed-forward network's `new`.
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
/// Post-norm follows Vaswani et al., *Attention Is All You Need* (2017), section 3.1; pre-norm follows Xiong
/// et al., *On Layer Normalization in the Transformer Architecture* (2020), figure 1. `config.norm` selects one.
///
/// A layer norm (Ba et al., *Layer Normalization*, 2016) takes mean and variance over the `D` channels of one
/// position, the variance as the mean of squared deviations (divided by `D`, not by `D − 1`), and has
/// `ε = 1e-5`.
///
/// If `train` is true, dropout with probability `config.dropout` is applied to the output of each sublayer
/// before it is added; `train` is passed on to both sublayers.
///
/// # Parameters
///
/// [`new`](Self::new) requests the norms from `vb`, and has the sublayers constructed below these names.
///
/// | name | shape |
/// |---|---|
/// | `self_attn.` … | those of [`SelfAttention`] |
/// | `feed_forward.` … | those of [`FeedForward`] |
/// | `norm1.weight`, `norm1.bias` | `[D]` |
/// | `norm2.weight`, `norm2.bias` | `[D]` |
///
/// # Edge cases
///
/// - If both sublayers return zeros, a pre-norm layer is the identity, and a post-norm layer is
///   `norm2(norm1(x))`.
/// - Values at padding do not change a bit of the output at real tokens.
/// - Padding has an output as well, which is not used.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all parameters, those of the norms included.
///   `LayerNorm` of the published candle-nn silently drops gradients; [`nn::layer_norm`](crate::nn::layer_norm)
///   of this crate and `candle_nn`'s in this course do not, nor does a norm written with ordinary operations.
///
/// # Examples
///
/// `Identity` is correct for a pre-norm layer whose sublayers return zeros.
///
/// ```
/// # use encoder_spec as softmark_kit;
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
    /// Constructs the layer: the norms from `vb`, the sublayers through `below`.
    ///
    /// Use the sublayers of `below` unchanged: the layer is graded on its own merits, independently of your
    /// feed-forward network.
    ///
    /// # Errors
    ///
    /// Returns the error of `below` or `vb`.
    fn new(config: EncoderConfig, below: &dyn LayerParts, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Applies the layer to a batch of sequences.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the shapes do not match.
    fn forward(&self, x: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}
