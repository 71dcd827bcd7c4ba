//! Classifiers over an encoder of post-norm layers: trained from scratch, or with a tuned part.

use std::collections::BTreeMap;

use candle_nn::Init;
use softmark_kit::init::Parameters;
use softmark_kit::nn::pooling::{masked_first, masked_mean};
use softmark_kit::nn::{Activation, Dropout, LayerNorm, Linear, layer_norm, linear, ops};
use softmark_kit::prelude::*;
use softmark_kit::pretrained::{Family, Weights};
use softmark_kit::train::Model;

use crate::encoder::EPSILON;
use crate::trec::data::MAX_LEN;

/// Dropout of an encoder from scratch and of the head.
const DROPOUT: f32 = 0.1;

/// Standard deviation of the initial prefix and of the initial positions.
const SPREAD: f64 = 0.02;

/// Sizes of an encoder from scratch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stack {
    /// Number of post-norm layers.
    pub(super) layers: usize,
    /// Width of the model, `D`.
    pub(super) width: usize,
    /// Number of heads, `H`.
    pub(super) heads: usize,
}

impl Stack {
    /// Returns the sizes as those of an encoder with `vocabulary` tokens.
    fn config(self, vocabulary: usize) -> PretrainedConfig {
        PretrainedConfig {
            family: Family::DistilBert, // no segment types
            vocabulary,
            max_len: MAX_LEN,
            token_types: 0,
            d_model: self.width,
            heads: self.heads,
            d_ff: 4 * self.width,
            layers: self.layers,
            activation: Activation::Gelu,
            norm_eps: EPSILON,
            dropout: DROPOUT,
            attention_dropout: DROPOUT,
        }
    }
}

/// Trained part of a pretrained encoder's classifier.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Method {
    /// A linear head over the mean of the tokens.
    Head,
    /// A linear head over the mean of the tokens, and a prefix of this length.
    Prefix(usize),
    /// The last layers, of this number, and a head of two linear maps over the first token.
    Last(usize),
}

impl Method {
    /// Returns the name in the names of runs.
    pub(super) fn name(self) -> String {
        match self {
            Self::Head => "head".to_owned(),
            Self::Prefix(length) => format!("prefix-{length}"),
            Self::Last(layers) => format!("last-{layers}"),
        }
    }

    /// Returns the description in tables.
    pub(super) fn title(self) -> String {
        match self {
            Self::Head => "head alone".to_owned(),
            Self::Prefix(length) => format!("prefix of {length} and head"),
            Self::Last(layers) => format!("last {layers} layers and head"),
        }
    }
}

/// The head used with trained last layers.
struct DeepHead {
    first: Linear,
    norm: LayerNorm,
    dropout: Dropout,
    second: Linear,
}

enum Head {
    Mean(Linear),
    First(DeepHead),
}

/// An encoder with a head.
pub(super) struct Classifier {
    base: PretrainedEncoder,
    prefix: Option<Tensor>,
    head: Head,
    /// True if the whole encoder is trained, so that the dropout of its layers is active in training. None follows
    /// its embeddings.
    from_scratch: bool,
}

impl Classifier {
    /// Constructs a classifier whose parameters are all drawn and trained.
    pub(super) fn from_scratch(
        stack: Stack,
        vocabulary: usize,
        classes: usize,
        parameters: &Parameters,
    ) -> Result<Self> {
        let vb = parameters.builder();
        let spread = Init::Randn { mean: 0.0, stdev: SPREAD };
        let positions = vb.pp("base.position_embedding");
        positions.get_with_hints((MAX_LEN, stack.width), "weight", spread)?;
        Ok(Self {
            base: PretrainedEncoder::new(stack.config(vocabulary), vb.pp("base"))?,
            prefix: None,
            head: Head::Mean(linear(stack.width, classes, vb.pp("classifier"))?),
            from_scratch: true,
        })
    }

    /// Constructs a classifier over a published encoder: trained parameters are created in `parameters`, all
    /// others keep the published values.
    pub(super) fn tuned(
        config: PretrainedConfig,
        weights: &Weights,
        method: Method,
        classes: usize,
        parameters: &Parameters,
    ) -> Result<Self> {
        let (d, vb) = (config.d_model, parameters.builder());
        let trained = if let Method::Last(layers) = method { layers.min(config.layers) } else { 0 };
        let trained: Vec<String> =
            (config.layers - trained..config.layers).map(|n| format!("layers.{n}.")).collect();
        let mut all = BTreeMap::new();
        for (name, tensor) in weights.tensors() {
            let tensor = if trained.iter().any(|layer| name.starts_with(layer)) {
                parameters.give(&format!("base.{name}"), tensor);
                vb.pp("base").get(tensor.shape(), name)?
            } else {
                tensor.clone()
            };
            all.insert(name.clone(), tensor);
        }
        let device = parameters.device();
        let all = VarBuilder::from_tensors(all.into_iter().collect(), DType::F32, device);
        let prefix = match method {
            Method::Prefix(length) => {
                let spread = Init::Randn { mean: 0.0, stdev: SPREAD };
                Some(vb.get_with_hints((length, d), "prefix", spread)?)
            }
            Method::Head | Method::Last(_) => None,
        };
        let head = match method {
            Method::Head | Method::Prefix(_) => {
                Head::Mean(linear(d, classes, vb.pp("classifier"))?)
            }
            Method::Last(_) => Head::First(DeepHead {
                first: linear(d, d, vb.pp("head.linear1"))?,
                norm: layer_norm(d, EPSILON, vb.pp("head.norm"))?,
                dropout: Dropout::new(DROPOUT),
                second: linear(d, classes, vb.pp("head.linear2"))?,
            }),
        };
        let base = PretrainedEncoder::new(config, all)?;
        Ok(Self { base, prefix, head, from_scratch: false })
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

impl Model for Classifier {
    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        match &self.head {
            // A frozen encoder is run without dropout.
            Head::Mean(head) => {
                let output = self.encode(ids, mask, train && self.from_scratch)?;
                head.forward(&masked_mean(&output, mask)?)
            }
            Head::First(DeepHead { first, norm, dropout, second }) => {
                let x = masked_first(&self.encode(ids, mask, train)?, mask)?;
                let x = ops::relu(&norm.forward(&first.forward(&x)?)?)?;
                second.forward(&dropout.forward(&x, train)?)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use softmark_data::pretrained::builtin;

    use super::*;

    fn trained(method: Method) -> Vec<String> {
        let pretrained = builtin(&Device::Cpu).unwrap();
        let parameters = Parameters::new(1, &Device::Cpu);
        let (config, weights) = (pretrained.config, &pretrained.weights);
        let model = Classifier::tuned(config, weights, method, 6, &parameters).unwrap();
        let ids = Tensor::new(&[[2_u32, 7, 8, 3]], &Device::Cpu).unwrap();
        let mask = Tensor::ones((1, 4), DType::U8, &Device::Cpu).unwrap();
        assert_eq!(model.logits(&ids, &mask, true).unwrap().dims(), [1, 6]);
        parameters.vars().into_keys().collect()
    }

    #[test]
    fn each_method_trains_its_part() {
        let head = ["classifier.bias", "classifier.weight"];
        assert_eq!(trained(Method::Head), head);
        assert_eq!(trained(Method::Prefix(5)), [head[0], head[1], "prefix"]);
        let last = trained(Method::Last(2));
        let layers = |number: usize| {
            last.iter().filter(|name| name.starts_with(&format!("base.layers.{number}."))).count()
        };
        assert_eq!([0, 1, 2, 3].map(layers), [0, 0, 16, 16]);
        assert_eq!(last.len(), 32 + 6);
    }

    #[test]
    fn from_scratch_everything_is_trained() {
        let parameters = Parameters::new(1, &Device::Cpu);
        let stack = Stack { layers: 2, width: 8, heads: 2 };
        let model = Classifier::from_scratch(stack, 11, 6, &parameters).unwrap();
        let ids = Tensor::new(&[[1_u32, 10, 0]], &Device::Cpu).unwrap();
        let mask = Tensor::new(&[[1_u8, 1, 0]], &Device::Cpu).unwrap();
        let loss = model.logits(&ids, &mask, true).unwrap().sqr().unwrap().sum_all().unwrap();
        let gradients = loss.backward().unwrap();
        let vars = parameters.vars();
        assert!(vars.values().all(|var| gradients.get(var).is_some()));
        // Embeddings and their norm, two layers of 16 tensors, and the head.
        assert_eq!(vars.len(), 4 + 32 + 2);
        let positions = vars["base.position_embedding.weight"].as_tensor();
        let size = positions.abs().unwrap().max_all().unwrap().to_scalar::<f32>().unwrap();
        assert!(size > 0.0 && size < 0.2, "{size}");
    }
}
