//! Tuned classifiers, with a prefix or with their last layers.

use candle_core::{Error, Result, Tensor};
use softmark_kit::component::{Component, Inputs, Outputs, Sizes};
use softmark_kit::nn::{Activation, dropout};
use softmark_kit::pretrained::{Family, PretrainedConfig};

use crate::adapter::values::numbers;

/// Seed of dropout; fixed, so that the same request draws the same masks regardless of earlier requests.
const DROPOUT_SEED: u64 = 1;

pub(super) fn permille(sizes: &Sizes, name: &str) -> Result<f32> {
    Ok(f32::from(u16::try_from(sizes.get(name)?).map_err(Error::wrap)?) / 1000.0)
}

/// Returns the encoder's config; `dropout` is the name of the size that holds the dropout rate in
/// thousandths.
pub(super) fn base(sizes: &Sizes, dropout: &str) -> Result<PretrainedConfig> {
    let types = sizes.get("types")?;
    let exponent = i32::try_from(sizes.get("epsilon")?).map_err(Error::wrap)?;
    let dropout = permille(sizes, dropout)?;
    Ok(PretrainedConfig {
        family: if types > 0 { Family::Bert } else { Family::DistilBert },
        vocabulary: sizes.get("vocabulary")?,
        max_len: sizes.get("max_len")?,
        token_types: types,
        d_model: sizes.get("d_model")?,
        heads: sizes.get("heads")?,
        d_ff: sizes.get("d_ff")?,
        layers: sizes.get("layers")?,
        activation: if sizes.get("gelu")? == 1 { Activation::Gelu } else { Activation::Relu },
        norm_eps: 10_f64.powi(-exponent),
        dropout,
        attention_dropout: dropout,
    })
}

/// Forward pass of a tuned classifier of either kind: from ids, mask and `train` to logits.
pub(super) type Logits = Box<dyn Fn(&Tensor, &Tensor, bool) -> Result<Tensor>>;

pub(super) struct Tuned {
    train: bool,
    classes: usize,
    classifier: Logits,
}

impl Tuned {
    pub(super) fn new(sizes: &Sizes, classifier: Logits) -> Result<Self> {
        let (train, classes) = (sizes.get("train")? == 1, sizes.get("classes")?);
        Ok(Self { train, classes, classifier })
    }
}

/// Returns the logits without superfluous axes of size 1, so that a wrong shape can be reported apart from
/// wrong values.
fn without_spare_axes(logits: &Tensor, due: [usize; 2]) -> Result<Tensor> {
    let long = |dims: &[usize]| dims.iter().copied().filter(|size| *size != 1).collect::<Vec<_>>();
    let is_spare = logits.rank() > due.len() && long(logits.dims()) == long(&due);
    if is_spare { logits.reshape(due.as_slice()) } else { Ok(logits.clone()) }
}

impl Component for Tuned {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        dropout::begin_step(DROPOUT_SEED, 0);
        let (ids, mask) = (inputs.get("ids")?, inputs.get("mask")?);
        let logits = (self.classifier)(ids, mask, self.train)?;
        let axes = numbers(logits.dims().iter().map(|size| *size as f32).collect())?;
        let logits = without_spare_axes(&logits, [ids.dim(0)?, self.classes])?;
        Ok(vec![("logits", logits), ("axes", axes)])
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        (self.classifier)(ids, mask, train)
    }
}
