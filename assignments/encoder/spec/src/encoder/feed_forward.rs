//! The position-wise feed-forward network.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::EncoderConfig;

/// The position-wise feed-forward network: two linear maps with an activation between them.
///
/// ```text
/// hidden = activation(x · W₁ᵀ + b₁)           [B, T, F]
/// output = dropout(hidden) · W₂ᵀ + b₂         [B, T, D]
/// ```
///
/// From Vaswani et al., *Attention Is All You Need* (2017), section 3.3. The activation is
/// `config.activation`; GELU is the exact one, with the error function (`nn::ops::gelu_erf`), not its
/// approximation by `tanh`.
///
/// If `train` is true, dropout sets each element of `hidden` to zero with probability `p = config.dropout`,
/// and multiplies the others by `1 / (1 − p)`; otherwise it does nothing. Use the kit's dropout,
/// [`nn::Dropout`](crate::nn::Dropout), or `candle_nn`'s, which is the same in this course. The published candle-nn
/// draws from a generator that cannot be seeded, so trainings with it are not reproducible.
///
/// # Parameters
///
/// [`new`](Self::new) requests exactly these parameters from `vb`, by these names.
///
/// | name | shape |
/// |---|---|
/// | `linear1.weight`, `linear1.bias` | `[F, D]`, `[F]` |
/// | `linear2.weight`, `linear2.bias` | `[D, F]`, `[D]` |
///
/// # Edge cases
///
/// - Each position is computed independently of other positions and of other examples.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all four parameters.
///
/// # Examples
///
/// `Silent` is correct if the weight and the bias of `linear2` are zero.
///
/// ```
/// # use encoder_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct Silent;
///
/// impl FeedForward for Silent {
///     fn new(_config: EncoderConfig, _vb: VarBuilder<'_>) -> Result<Self> {
///         Ok(Self)
///     }
///     fn forward(&self, x: &Tensor, _train: bool) -> Result<Tensor> {
///         x.zeros_like()
///     }
/// }
///
/// let vb = VarBuilder::zeros(DType::F32, &Device::Cpu);
/// let part = Silent::new(EncoderConfig::reference(), vb)?;
/// let x = Tensor::ones((2, 3, 64), DType::F32, &Device::Cpu)?; // [B, T, D]
/// assert_eq!(part.forward(&x, false)?.dims3()?, (2, 3, 64));
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait FeedForward {
    /// Constructs the network, with its parameters from `vb` by the names in the table above.
    ///
    /// # Errors
    ///
    /// Fails if a parameter is missing from `vb` or has another shape.
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Applies the network to each position.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// Fails if the last axis of `x` is not `D`.
    fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor>;
}
