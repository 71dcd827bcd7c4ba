//! Task 2: tuning the last layers.
//!
//! The specification is the documentation of [`PartialTuning`].

use softmark_kit::nn::{Dropout, LayerNorm, Linear, layer_norm, linear};
use softmark_kit::prelude::*;

/// An encoder whose last layers learn, and a head over the first token.
#[derive(Debug)]
pub struct PartialClassifier {
    base: PretrainedEncoder,
    hidden: Linear,
    norm: LayerNorm,
    dropout: Dropout,
    head: Linear,
}

impl PartialTuning for PartialClassifier {
    fn new(config: PartialConfig, vb: VarBuilder<'_>) -> Result<Self> {
        let (d, layers) = (config.base.d_model, config.base.layers);
        let learned: Vec<String> = (layers.saturating_sub(config.unfrozen)..layers)
            .map(|layer| format!("layers.{layer}."))
            .collect();
        let learns = move |name: &str| learned.iter().any(|layer| name.starts_with(layer));
        Ok(Self {
            base: PretrainedEncoder::new(config.base, learning(vb.pp("base"), learns))?,
            hidden: linear(d, d, vb.pp("linear1"))?,
            norm: layer_norm(d, 1e-5, vb.pp("norm"))?,
            dropout: Dropout::new(config.head_dropout),
            head: linear(d, config.classes, vb.pp("classifier"))?,
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let h = self.base.encode(&self.base.embed(ids)?, mask, train)?; // [B, T, D]
        let first = h.i((.., 0))?; // [B, D]
        let hidden = self.norm.forward(&self.hidden.forward(&first)?)?.relu()?;
        self.head.forward(&self.dropout.forward(&hidden, train)?)
    }
}
