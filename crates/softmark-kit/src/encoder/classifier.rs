//! The classifier: an encoder, pooling and a head.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::encoder::{Encoder, EncoderConfig};

/// What makes the encoder of a classifier.
pub trait ClassifierParts {
    /// Makes an encoder with the parameters below `vb`.
    ///
    /// # Errors
    ///
    /// What the encoder's own `new` returns.
    fn encoder(&self, vb: VarBuilder<'_>) -> Result<Box<dyn Encoder>>;
}

/// A classifier of texts: an encoder, the mean over the real tokens, and a linear head.
///
/// ```text
/// x         = encoder(ids, mask)                                  [B, T, D]
/// pooled[b] = Σₜ mask[b, t] · x[b, t] / Σₜ mask[b, t]             [B, D]
/// logits    = pooled · Wᵀ + b                                     [B, C]
/// ```
///
/// Logits are what the cross-entropy takes: no softmax comes after the head, and nothing comes between
/// the pooling and the head. `train` is passed on to the encoder.
///
/// # Parameters
///
/// [`new`](Self::new) asks `vb` for the head, and has the encoder made from `vb` itself, so that its
/// parameters have the names that they have alone.
///
/// | name | shape |
/// |---|---|
/// | … | those of [`Encoder`] |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` |
///
/// # At the edges
///
/// - A text whose mask is all 0 is pooled to zeros: its logits are the head's bias, never `NaN`.
/// - Whatever ids stand at padding change no bit of the logits, and neither do other texts of the
///   batch.
/// - Gradients reach all parameters of the encoder and of the head.
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
    /// Makes the classifier: the head from `vb`, the encoder by way of `below`.
    ///
    /// # Errors
    ///
    /// What `below` and `vb` return.
    fn new(
        config: EncoderConfig,
        classes: usize,
        below: &dyn ClassifierParts,
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
    /// What the encoder returns.
    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor>;
}
