//! A published encoder with its tuned parts.

use std::collections::BTreeMap;

use candle_core::{DType, Device, Module as _, Result, Tensor};
use candle_nn::{Init, VarBuilder};
use softmark_kit::init::Parameters;
use softmark_kit::nn::pooling::{masked_first, masked_mean};
use softmark_kit::nn::{Dropout, LayerNorm, Linear, dropout, layer_norm, linear, ops};
use softmark_kit::pretrained::{PretrainedConfig, PretrainedEncoder, Weights};
use softmark_kit::train::Model;

/// Method of tuning.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Way {
    /// A linear head over the mean of the tokens.
    Head,
    /// A linear head over the mean of the tokens, and a prefix of this length.
    Prefix(usize),
    /// The last layers, of this number, and a head of two linear maps over the first token.
    Last(usize),
}

impl Way {
    pub(crate) fn parse(text: &str) -> std::result::Result<Self, String> {
        let number = |of: &str| of.parse().map_err(|_| format!("`{text}` ends in no number"));
        match (text.strip_prefix("prefix"), text.strip_prefix("last")) {
            _ if text == "head" => Ok(Self::Head),
            (Some(length), _) => number(length).map(Self::Prefix),
            (_, Some(layers)) => number(layers).map(Self::Last),
            _ => Err(format!("`{text}` is none of `head`, `prefix5`, `last2`")),
        }
    }

    /// Returns the default number of epochs and learning rate.
    pub(crate) fn usual(self) -> (usize, f64) {
        match self {
            Self::Head | Self::Prefix(_) => (20, 1e-2),
            Self::Last(_) => (4, 3e-4),
        }
    }
}

/// The head used with the tuned last layers.
struct Deep {
    first: Linear,
    norm: LayerNorm,
    dropout: Dropout,
    second: Linear,
}

enum Head {
    Mean(Linear),
    First(Deep),
}

/// A frozen encoder with its tuned parts.
pub(crate) struct Tuned {
    base: PretrainedEncoder,
    prefix: Option<Tensor>,
    head: Head,
}

impl Tuned {
    /// Constructs the model; tuned parameters are created in `parameters`, all others keep the published values.
    pub(crate) fn new(
        config: PretrainedConfig,
        weights: &Weights,
        way: Way,
        classes: usize,
        parameters: &Parameters,
    ) -> Result<Self> {
        let (d, vb) = (config.d_model, parameters.builder());
        let tuned = if let Way::Last(layers) = way { layers.min(config.layers) } else { 0 };
        let learns = |name: &str| {
            (config.layers - tuned..config.layers)
                .any(|n| name.starts_with(&format!("layers.{n}.")))
        };
        let mut all = BTreeMap::new();
        for (name, tensor) in weights.tensors() {
            let tensor = if learns(name) {
                parameters.give(&format!("base.{name}"), tensor);
                vb.pp("base").get(tensor.shape(), name)?
            } else {
                tensor.clone()
            };
            all.insert(name.clone(), tensor);
        }
        let all = VarBuilder::from_tensors(all.into_iter().collect(), DType::F32, &Device::Cpu);
        let prefix = match way {
            Way::Prefix(length) => {
                let init = Init::Randn { mean: 0.0, stdev: 0.02 };
                Some(vb.get_with_hints((length, d), "prefix", init)?)
            }
            Way::Head | Way::Last(_) => None,
        };
        let head = if tuned == 0 {
            Head::Mean(linear(d, classes, vb.pp("classifier"))?)
        } else {
            Head::First(Deep {
                first: linear(d, d, vb.pp("head.linear1"))?,
                norm: layer_norm(d, 1e-5, vb.pp("head.norm"))?,
                dropout: Dropout::new(0.1),
                second: linear(d, classes, vb.pp("head.linear2"))?,
            })
        };
        Ok(Self { base: PretrainedEncoder::new(config, all)?, prefix, head })
    }

    /// Encodes texts behind the prefix and returns the outputs of the texts alone.
    fn encode(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        let embedded = self.base.embed(ids)?;
        let Some(prefix) = &self.prefix else { return self.base.encode(&embedded, mask, train) };
        let (length, texts) = (prefix.dim(0)?, ids.dim(0)?);
        let x = Tensor::cat(&[&prefix.unsqueeze(0)?.repeat((texts, 1, 1))?, &embedded], 1)?;
        let before = Tensor::ones((texts, length), DType::U8, ids.device())?;
        let mask = Tensor::cat(&[&before, &mask.to_dtype(DType::U8)?], 1)?;
        self.base.encode(&x, &mask, train)?.narrow(1, length, ids.dim(1)?)
    }
}

impl Model for Tuned {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        match &self.head {
            Head::Mean(head) => head.forward(&masked_mean(&self.encode(ids, mask, false)?, mask)?),
            Head::First(Deep { first, norm, dropout, second }) => {
                let x = masked_first(&self.encode(ids, mask, train)?, mask)?;
                let x = ops::relu(&norm.forward(&first.forward(&x)?)?)?;
                second.forward(&dropout.forward(&x, train)?)
            }
        }
    }

    fn begin_step(&self, seed: u64, step: u64) {
        dropout::begin_step(seed, step);
    }
}
