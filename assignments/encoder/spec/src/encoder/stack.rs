//! The encoder: embeddings and a stack of layers.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{EncoderConfig, EncoderLayer};

/// Constructor of the layers of an encoder.
pub trait EncoderParts {
    /// Constructs one layer with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the layer's `new`.
    fn layer(&self, vb: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>>;
}

/// An encoder: embedded tokens and positions, then `N` layers.
///
/// ```text
/// x₀[b, t] = dropout(token[ids[b, t]] + position[t])              [B, T, D]
/// xₙ       = layerₙ(xₙ₋₁)                     n = 1 .. N          [B, T, D]
/// output   = norm(x_N) where the layers are pre-norm, else x_N    [B, T, D]
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3, with learned positions as in Devlin et
/// al.,
/// *BERT* (2018). The embedding is not multiplied by `√D`. A stack of pre-norm layers ends in a layer norm of
/// its own (Xiong et al., 2020), with `ε = 1e-5`; a stack of post-norm layers has none, since its last layer
/// ends in one.
///
/// `token[0]`, the row of padding, counts as zeros, regardless of the table, and gets no gradient, as with
/// [`nn::embedding_with_padding`](crate::nn::embedding_with_padding).
///
/// # Parameters
///
/// [`new`](Self::new) requests the tables and the norm from `vb`, and has the layers constructed below
/// `layers.0`, `layers.1` and so on: each has parameters of its own.
///
/// | name | shape |
/// |---|---|
/// | `token_embedding.weight` | `[V, D]` |
/// | `position_embedding.weight` | `[max_len, D]` |
/// | `layers.n.` … | those of [`EncoderLayer`] |
/// | `norm.weight`, `norm.bias` | `[D]`; only if the layers are pre-norm |
///
/// With [`EncoderConfig::reference`] there are 419,968 parameters.
///
/// # Edge cases
///
/// - `N = 0` layers are allowed.
/// - An id of `V` or more, also at padding, and a sequence longer than `max_len` are an error of
///   [`forward`](Self::forward), not a panic.
/// - Ids at padding do not change a bit of the output at real tokens.
/// - Gradients reach the rows of the tokens and positions that occur, and all parameters of all layers.
///
/// # Examples
///
/// `OneToken` is correct for an encoder without layers, with positions of zeros, and the token 1.
///
/// ```
/// # use encoder_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct OneToken(Tensor);
///
/// impl Encoder for OneToken {
///     fn new(config: EncoderConfig, _: &dyn EncoderParts, vb: VarBuilder<'_>) -> Result<Self> {
///         let shape = (config.vocabulary, config.d_model);
///         Ok(Self(vb.pp("token_embedding").get(shape, "weight")?.i(1)?))
///     }
///     fn forward(&self, ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
///         let (b, t) = ids.dims2()?;
///         self.0.broadcast_as((b, t, self.0.dim(0)?))
///     }
/// }
///
/// struct NoLayers;
/// # impl EncoderParts for NoLayers {
/// #     fn layer(&self, _: VarBuilder<'_>) -> Result<Box<dyn EncoderLayer>> {
/// #         candle_core::bail!("no layers here")
/// #     }
/// # }
///
/// let config = EncoderConfig { layers: 0, ..EncoderConfig::reference() };
/// let encoder = OneToken::new(config, &NoLayers, VarBuilder::zeros(DType::F32, &Device::Cpu))?;
/// let ids = Tensor::ones((2, 3), DType::U32, &Device::Cpu)?; // [B, T]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(encoder.forward(&ids, &mask, false)?.dims3()?, (2, 3, 64)); // [B, T, D]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait Encoder {
    /// Constructs the encoder: tables and final norm from `vb`, the layers through `below`.
    ///
    /// # Errors
    ///
    /// Returns the error of `below` or `vb`.
    fn new(config: EncoderConfig, below: &dyn EncoderParts, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Encodes a batch of sequences.
    ///
    /// # Shapes
    ///
    /// - `ids`: `[B, T]`, `u32`, `T ≤ max_len`
    /// - `mask`: `[B, T]`, `u8`; **1 = a real token, 0 = padding**
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if an id is `V` or more, if `T` is greater than `max_len`, or if the shapes do not match.
    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}
