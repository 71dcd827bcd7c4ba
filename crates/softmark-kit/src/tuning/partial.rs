//! Tuning the last layers.

use candle_core::{Result, Tensor};
use candle_nn::VarBuilder;

use crate::pretrained::PretrainedConfig;

/// The sizes of a classifier of which the last layers are tuned.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PartialConfig {
    /// The encoder below.
    pub base: PretrainedConfig,
    /// `n`, how many of its layers learn, counted from the last; at most all of them.
    pub unfrozen: usize,
    /// `C`, the classes.
    pub classes: usize,
    /// With which probability the head drops numbers in training.
    pub head_dropout: f32,
}

/// A classifier of texts over a pretrained encoder of which the last `n` layers learn, with a head over the
/// first token.
///
/// ```text
/// h      = encode(embed(ids), mask)                              [B, T, D]
/// first  = h[:, 0]                                               [B, D]
/// hidden = dropout(relu(norm(first · W₁ᵀ + b₁)))                 [B, D]
/// logits = hidden · Wᵀ + b                                       [B, C]
/// ```
///
/// The first token is the one that BERT is pretrained to sum a text up in (Devlin et al., 2019, section
/// 3.1); that the later layers are the ones to tune is Lee et al., *What Would Elsa Do?* (2019). The
/// norm is a layer norm with `ε = 1e-5`. `train` is passed on to `encode`, and to the head's dropout.
///
/// # Parameters
///
/// | name | shape | |
/// |---|---|---|
/// | `base.layers.N.…`, of the last `n` layers | those of [`PretrainedConfig::parameters`](crate::pretrained::PretrainedConfig::parameters) | learn |
/// | `base.…`, all others | the same | frozen |
/// | `linear1.weight`, `linear1.bias` | `[D, D]`, `[D]` | learn |
/// | `norm.weight`, `norm.bias` | `[D]`, `[D]` | learn |
/// | `classifier.weight`, `classifier.bias` | `[C, D]`, `[C]` | learn |
///
/// # At the edges
///
/// - With `n = 0` the head alone learns; with as many as there are, all layers do, and still no table.
/// - Whatever ids stand at padding change no bit of the logits, and neither do other texts of the
///   batch. The first token of a text is never padding.
///
/// # Examples
///
/// `Indifferent` is right where the weight of the last map is zero.
///
/// ```
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
    /// Makes the classifier, with an encoder inside whose last layers learn.
    ///
    /// # Errors
    ///
    /// What `vb` returns.
    fn new(config: PartialConfig, vb: VarBuilder<'_>) -> Result<Self>
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
