//! Prefix tuning.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::pretrained::PretrainedConfig;

/// The sizes of a classifier that is tuned by a prefix.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PrefixConfig {
    /// Config of the encoder.
    pub base: PretrainedConfig,
    /// `P`, the length of the prefix, at least 1; `None` if there is no prefix and the head alone is trained.
    pub prefix_length: Option<usize>,
    /// `C`, the number of classes.
    pub classes: usize,
}

/// A text classifier on a frozen pretrained encoder: trained are a prefix of vectors before the embedded
/// tokens, and a linear head.
///
/// ```text
/// x         = embed(ids)                                             [B, T, D]
/// h         = encode([prefix; x], [1 … 1; mask])                     [B, P + T, D]
/// pooled[b] = Σₜ mask[b, t] · h[b, P + t] / Σₜ mask[b, t]            [B, D]
/// logits    = pooled · Wᵀ + b                                        [B, C]
/// ```
///
/// From Li and Liang, *Prefix-Tuning* (2021), and Lester et al., *The Power of Scale for Parameter-Efficient
/// Prompt Tuning* (2021), whose prefix is at the input alone, as here. Every text of a batch has the same
/// prefix. The prefix is a direct input of the layers: no position is added to it and no norm applied, and
/// the tokens keep the positions that they have without it. Tokens and prefix attend to one another, but the
/// outputs at the prefix are not pooled.
///
/// `embed` and `encode` are those of a
/// [`PretrainedEncoder`](crate::pretrained::PretrainedEncoder); `train` is passed on to `encode`.
///
/// # Parameters
///
/// | name | shape | |
/// |---|---|---|
/// | `base.…` | those of [`PretrainedConfig::parameters`](crate::pretrained::PretrainedConfig::parameters) | frozen |
/// | `prefix` | `[P, D]` | trained |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` | trained |
///
/// If `prefix_length` is `None`, `prefix` is not requested.
///
/// # Edge cases
///
/// - A text whose mask is all 0 is pooled to zeros: its logits are the head's bias, never `NaN`.
/// - Neither the ids at padding nor other texts of the batch change a bit of the logits.
/// - In training, gradients reach the prefix and the head, and no parameter of the encoder. Outside of training
///   none are needed.
///
/// # Examples
///
/// `Indifferent` is correct if the weight of the head is zero.
///
/// ```
/// # use prefix_tuning_spec as softmark_kit;
/// use softmark_kit::prelude::*;
/// use softmark_kit::pretrained::PretrainedConfig;
///
/// struct Indifferent(Tensor);
///
/// impl PrefixTuning for Indifferent {
///     fn new(config: PrefixConfig, vb: VarBuilder<'_>) -> Result<Self> {
///         Ok(Self(vb.pp("classifier").get(config.classes, "bias")?))
///     }
///     fn forward(&self, ids: &Tensor, _mask: &Tensor, _train: bool) -> Result<Tensor> {
///         self.0.broadcast_as((ids.dim(0)?, self.0.dim(0)?))
///     }
/// }
///
/// let base = PretrainedConfig::from_json(
///     r#"{ "model_type": "bert", "vocab_size": 9, "hidden_size": 8, "num_hidden_layers": 1,
///          "num_attention_heads": 2, "intermediate_size": 16, "hidden_act": "gelu",
///          "max_position_embeddings": 4 }"#,
/// )
/// .map_err(candle_core::Error::wrap)?;
/// let config = PrefixConfig { base, prefix_length: Some(5), classes: 6 };
/// let model = Indifferent::new(config, VarBuilder::zeros(DType::F32, &Device::Cpu))?;
/// let ids = Tensor::ones((2, 3), DType::U32, &Device::Cpu)?; // [B, T]
/// let mask = Tensor::ones((2, 3), DType::U8, &Device::Cpu)?; // [B, T]
/// assert_eq!(model.forward(&ids, &mask, false)?.dims2()?, (2, 6)); // [B, C]
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait PrefixTuning {
    /// Constructs the classifier, with a frozen encoder inside.
    ///
    /// # Errors
    ///
    /// Returns the error of `vb`.
    fn new(config: PrefixConfig, vb: VarBuilder<'_>) -> Result<Self>
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
