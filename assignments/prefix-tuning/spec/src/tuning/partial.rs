//! Tuning of the last layers.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::pretrained::PretrainedConfig;

/// The sizes of a classifier whose last layers are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartialConfig {
    /// Config of the encoder.
    pub base: PretrainedConfig,
    /// `n`, the number of tuned layers, counted from the last; at most all layers.
    pub unfrozen: usize,
    /// `C`, the number of classes.
    pub classes: usize,
    /// Probability of dropout in the head, in training.
    pub head_dropout: f32,
}

/// A text classifier on a pretrained encoder whose last `n` layers are tuned, with a head over the first token.
///
/// ```text
/// h      = encode(embed(ids), mask)                              [B, T, D]
/// first  = h[:, 0]                                               [B, D]
/// hidden = dropout(relu(norm(first · W₁ᵀ + b₁)))                 [B, D]
/// logits = hidden · Wᵀ + b                                       [B, C]
/// ```
///
/// BERT is pretrained to summarize a text in its first token (Devlin et al., 2019, section 3.1); tuning the
/// later layers follows Lee et al., *What Would Elsa Do?* (2019). The norm is a layer norm with `ε = 1e-5`.
/// `train` is passed on to `encode`, and to the head's dropout.
///
/// # Parameters
///
/// | name | shape | training |
/// |---|---|---|
/// | `base.layers.N.…`, of the last `n` layers | those of [`PretrainedConfig::parameters`](crate::pretrained::PretrainedConfig::parameters) | trained |
/// | `base.…`, all others | the same | frozen |
/// | `linear1.weight`, `linear1.bias` | `[D, D]`, `[D]` | trained |
/// | `norm.weight`, `norm.bias` | `[D]`, `[D]` | trained |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` | trained |
///
/// # Edge cases
///
/// - Gradients are needed in training only.
/// - With `n = 0` the head alone is trained; with all layers tuned, the embedding tables are still frozen.
/// - Neither the ids at padding nor other texts of the batch change a bit of the logits. The first token of a
///   text is never padding.
///
/// # Examples
///
/// `Indifferent` is correct if the weight of the last map is zero.
///
/// ```
/// # use prefix_tuning_spec as softmark_kit;
/// use softmark_kit::prelude::*;
/// use softmark_kit::pretrained::PretrainedConfig;
///
/// struct Indifferent(Tensor);
///
/// impl PartialTuning for Indifferent {
///     fn new(config: PartialConfig, vb: VarBuilder<'_>) -> Result<Self> {
///         Ok(Self(vb.pp("classifier").get(config.classes, "bias")?))
///     }
///     fn forward(&self, ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
///         self.0.broadcast_as((ids.dim(0)?, self.0.dim(0)?))
///     }
/// }
///
/// let base = PretrainedConfig::from_json(
///     r#"{ "model_type": "bert", "vocab_size": 9, "hidden_size": 8, "num_hidden_layers": 4,
///          "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu",
///          "max_position_embeddings": 4 }"#,
/// )
/// .map_err(candle_core::Error::wrap)?;
/// let config = PartialConfig { base, unfrozen: 2, classes: 6, head_dropout: 0.1 };
/// let model = Indifferent::new(config, VarBuilder::zeros(DType::F32, &Device::Cpu))?;
/// let ids = Tensor::ones((2, 3), DType::U32, &Device::Cpu)?; // [B, T]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(model.forward(&ids, &mask, false)?.dims2()?, (2, 6)); // [B, C]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait PartialTuning {
    /// Constructs the classifier, with an encoder inside whose last layers are tuned.
    ///
    /// # Errors
    ///
    /// Returns the error of `vb`.
    fn new(config: PartialConfig, vb: VarBuilder<'_>) -> Result<Self>
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
