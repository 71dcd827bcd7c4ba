//! The classifier: an encoder, pooling and a head.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{Encoder, EncoderConfig};

/// Constructor of the encoder inside a classifier.
pub trait ClassifierParts {
    /// Constructs an encoder with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// Returns the error of the encoder's `new`.
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>>;
}

/// A text classifier: an encoder, the mean over the real tokens, and a linear head.
///
/// ```text
/// x         = encoder(ids, mask)                                  [B, T, D]
/// pooled[b] = Σₜ mask[b, t] · x[b, t] / Σₜ mask[b, t]             [B, D]
/// logits    = pooled · Wᵀ + b                                     [B, C]
/// ```
///
/// The logits are inputs of the cross-entropy: there is no softmax after the head, and nothing between the
/// pooling and the head. `train` is passed on to the encoder.
///
/// # Parameters
///
/// [`new`](Self::new) requests the head from `vb` and has the encoder constructed from `vb` itself, so that
/// its parameters keep their names.
///
/// | name | shape |
/// |---|---|
/// | … | those of [`Encoder`] |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` |
///
/// # Edge cases
///
/// - A text whose mask is all 0 is pooled to zeros: its logits are the head's bias, never `NaN`.
/// - Neither the ids at padding nor other texts of the batch change a bit of the logits.
/// - Gradients reach all parameters of the encoder and of the head.
///
/// # Examples
///
/// `Indifferent` is correct if the weight of the head is zero.
///
/// ```
/// # use encoder_spec as softmark_kit;
/// use softmark_kit::prelude::*;
///
/// struct Indifferent(Tensor);
///
/// impl TextClassifier for Indifferent {
///     fn new(
///         _: EncoderConfig,
///         classes: usize,
///         _below: &dyn ClassifierParts,
///         vb: VarBuilder<'_>,
///     ) -> Result<Self> {
///         Ok(Self(vb.pp("classifier").get(classes, "bias")?))
///     }
///     fn forward(&self, ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
///         self.0.broadcast_as((ids.dim(0)?, self.0.dim(0)?))
///     }
/// }
///
/// struct NoEncoder;
/// # impl ClassifierParts for NoEncoder {
/// #     fn encoder(&self, _: VarBuilder<'_>) -> Result<Box<dyn Encoder>> {
/// #         candle_core::bail!("no encoder here")
/// #     }
/// # }
///
/// let vb = VarBuilder::zeros(DType::F32, &Device::Cpu);
/// let model = Indifferent::new(EncoderConfig::reference(), 6, &NoEncoder, vb)?;
/// let ids = Tensor::ones((2, 3), DType::U32, &Device::Cpu)?; // [B, T]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(model.forward(&ids, &mask, false)?.dims2()?, (2, 6)); // [B, C]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait TextClassifier {
    /// Constructs the classifier: the head from `vb`, the encoder through `below`.
    ///
    /// # Errors
    ///
    /// Returns the error of `below` or `vb`.
    fn new(
        config: EncoderConfig,
        classes: usize,
        below: &dyn ClassifierParts,
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
    /// Returns the error of the encoder.
    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}
