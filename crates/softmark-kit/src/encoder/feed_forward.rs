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
/// Where `train` is true, dropout sets each number of `hidden` to zero with probability
/// `config.dropout`, and multiplies those that stay with `1 / (1 − p)`; where it is false, it does
/// nothing. It is the kit's own, [`nn::Dropout`](crate::nn::Dropout): candle's draws from a generator
/// that cannot be seeded, so no two trainings with it are the same.
///
/// # Parameters
///
/// [`new`](Self::new) asks `vb` for exactly these, by these names.
///
/// | name | shape |
/// |---|---|
/// | `linear1.weight`, `linear1.bias` | `[F, D]`, `[F]` |
/// | `linear2.weight`, `linear2.bias` | `[D, F]`, `[D]` |
///
/// # At the edges
///
/// - Each position is computed by itself: others, and other examples, have no influence.
/// - Inputs may be views that are not contiguous in memory.
/// - Gradients reach the input and all four parameters.
///
/// # Examples
///
/// `Silent` is right where the weight and the bias of `linear2` are zero.
///
/// ```
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
    /// Makes the network, with its parameters from `vb` by the names in the table above.
    ///
    /// # Errors
    ///
    /// What `vb` returns when a parameter is missing or has another shape.
    fn new(config: EncoderConfig, vb: VarBuilder<'_>) -> Result<Self>
    where
        Self: Sized;

    /// Passes each position through the network.
    ///
    /// # Shapes
    ///
    /// - `x`: `[B, T, D]`, `f32`
    /// - returns `[B, T, D]`, `f32`
    ///
    /// # Errors
    ///
    /// When `x` is not `D` wide.
    fn forward(&self, x: &Tensor, train: bool) -> Result<Tensor>;
}
