//! Components of the `encoder` assignment, as checks construct and call them.

use std::marker::PhantomData;

use crate::encoder::{
    Activation, ClassifierParts, Configuration, EmbeddingInit, Encoder, EncoderAssignment,
    EncoderConfig, EncoderLayer, EncoderParts, FeedForward, GridSearch, LayerParts, NormPlacement,
    PartsOf, Scores, SearchReport, TextClassifier,
};
use candle_core::{DType, Device, Error, Result, Tensor};
use candle_nn::VarBuilder;
use softmark_kit::nn::dropout;

use crate::stand_in::OppositeParts;
use softmark_kit::component::{self, Component, Components, Inputs, Outputs, Sizes, only};

/// Seed of dropout; fixed, so that the same request draws the same masks regardless of earlier requests.
const DROPOUT_SEED: u64 = 1;

fn one_output(output: Tensor) -> Outputs {
    vec![("output", output)]
}

/// Returns the encoder's config from a request; dropout is sent in thousandths.
///
/// # Errors
///
/// Fails if a size is missing, or the dropout is not in thousandths.
pub fn encoder_config(sizes: &Sizes) -> Result<EncoderConfig> {
    let thousandths = u16::try_from(sizes.get("dropout_permille")?).map_err(Error::wrap)?;
    Ok(EncoderConfig {
        vocabulary: sizes.get("vocabulary")?,
        max_len: sizes.get("max_len")?,
        d_model: sizes.get("d_model")?,
        heads: sizes.get("heads")?,
        d_ff: sizes.get("d_ff")?,
        layers: sizes.get("layers")?,
        norm: if sizes.get("pre_norm")? == 1 { NormPlacement::Pre } else { NormPlacement::Post },
        activation: if sizes.get("gelu")? == 1 { Activation::Gelu } else { Activation::Relu },
        dropout: f32::from(thousandths) / 1000.0,
    })
}

/// A component of the network and its mode, training or evaluation.
#[derive(Debug)]
pub struct Trainable<P: ?Sized> {
    train: bool,
    part: Box<P>,
}

impl<P: ?Sized> Trainable<P> {
    /// Returns the component, in the mode that the sizes say.
    ///
    /// # Errors
    ///
    /// Fails if the sizes do not say the mode.
    pub fn new(sizes: &Sizes, part: Box<P>) -> Result<Self> {
        Ok(Self { train: sizes.get("train")? == 1, part })
    }

    /// Restarts dropout's random stream, at the step of the input `step` if there is one, and returns the `train`
    /// argument of the call: the input `mode`, 0 or 1, if there is one.
    fn begin(&self, inputs: &Inputs) -> Result<bool> {
        let step = inputs.optional("step").map(|step| step.sum_all()?.to_scalar::<u32>());
        dropout::begin_step(DROPOUT_SEED, u64::from(step.transpose()?.unwrap_or(0)));
        match inputs.optional("mode") {
            Some(mode) => Ok(mode.to_vec1::<u8>()? == [1]),
            None => Ok(self.train),
        }
    }
}

impl Component for Trainable<dyn FeedForward> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        Ok(one_output(self.part.forward(inputs.get("x")?, self.begin(inputs)?)?))
    }
}

impl Component for Trainable<dyn EncoderLayer> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let (x, mask) = (inputs.get("x")?, inputs.get("mask")?);
        Ok(one_output(self.part.forward(x, mask, self.begin(inputs)?)?))
    }
}

impl Component for Trainable<dyn Encoder> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let (ids, mask) = (inputs.get("ids")?, inputs.get("mask")?);
        Ok(one_output(self.part.forward(ids, mask, self.begin(inputs)?)?))
    }
}

impl Component for Trainable<dyn TextClassifier> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let (ids, mask) = (inputs.get("ids")?, inputs.get("mask")?);
        Ok(vec![("logits", self.part.forward(ids, mask, self.begin(inputs)?)?)])
    }

    fn logits(&self, ids: &Tensor, mask: &Tensor, train: bool) -> Result<Tensor> {
        self.part.forward(ids, mask, train)
    }
}

struct Glove<G> {
    d_model: usize,
    seed: u64,
    of: PhantomData<fn() -> G>,
}

/// Decodes a text that was sent as bytes.
fn text(bytes: &Tensor) -> Result<String> {
    String::from_utf8(bytes.flatten_all()?.to_vec1()?).map_err(Error::wrap)
}

impl<G: EmbeddingInit> Component for Glove<G> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let vocabulary = text(inputs.get("vocabulary")?)?;
        let vocabulary: Vec<String> = vocabulary.lines().map(str::to_owned).collect();
        let vectors = text(inputs.get("vectors")?)?;
        let (table, found) = G::from_glove(&vocabulary, &vectors, self.d_model, self.seed)?;
        let counts = [found.found as f32, found.missing as f32];
        Ok(vec![("table", table), ("coverage", Tensor::new(&counts, &Device::Cpu)?)])
    }
}

struct Search<S> {
    budget: usize,
    of: PhantomData<fn() -> S>,
}

/// Returns learning rates and batch sizes as a tensor `[n, 2]`.
fn pairs(configurations: &[Configuration]) -> Result<Tensor> {
    let flat = configurations.iter().flat_map(|it| [it.learning_rate, it.batch_size as f64]);
    let flat: Vec<f64> = flat.collect();
    Tensor::from_vec(flat, (configurations.len(), 2), &Device::Cpu)?.to_dtype(DType::F32)
}

impl<S: GridSearch> Component for Search<S> {
    fn forward(&self, inputs: &Inputs) -> Result<Outputs> {
        let rates: Vec<f64> =
            inputs.get("learning_rates")?.to_dtype(DType::F64)?.flatten_all()?.to_vec1()?;
        let sizes: Vec<u32> = inputs.get("batch_sizes")?.flatten_all()?.to_vec1()?;
        let sizes: Vec<usize> = sizes.into_iter().map(|size| size as usize).collect();
        let table = |name: &str| inputs.get(name)?.to_dtype(DType::F64)?.to_vec2::<f64>();
        let (train, validation, test) = (table("train")?, table("validation")?, table("test")?);
        let broken = inputs.optional("broken").map(|it| it.flatten_all()?.to_vec1::<u8>());
        let broken = broken.transpose()?.unwrap_or_default();
        let (mut trained, mut ends_in_error, mut went_on) = (Vec::new(), false, false);
        let mut score = |configuration: Configuration| {
            let at = rates.iter().position(|rate| *rate == configuration.learning_rate);
            let on = sizes.iter().position(|size| *size == configuration.batch_size);
            let found = |table: &[Vec<f64>]| table.get(at?)?.get(on?).copied();
            went_on |= ends_in_error;
            let place = at.zip(on).map(|(at, on)| at * sizes.len() + on);
            if place.and_then(|place| broken.get(place)) == Some(&1) {
                ends_in_error = true;
                candle_core::bail!("this training fails");
            }
            let (Some(train_accuracy), Some(validation_accuracy), Some(test_accuracy)) =
                (found(&train), found(&validation), found(&test))
            else {
                candle_core::bail!("{configuration:?} is not among those that were handed in");
            };
            trained.push(configuration);
            Ok(Scores { train_accuracy, validation_accuracy, test_accuracy })
        };
        let report = match S::search(&rates, &sizes, self.budget, &mut score) {
            // An error that was returned only after further trials is reported as if it had been swallowed.
            Err(_) if went_on => SearchReport { trials: Vec::new(), best: None },
            other => other?,
        };
        let reported: Vec<Configuration> =
            report.trials.iter().map(|trial| trial.configuration).collect();
        let accuracies: Vec<f32> = report
            .trials
            .iter()
            .map(|trial| Tensor::new(trial.scores.validation_accuracy, &Device::Cpu))
            .map(|scalar| scalar?.to_dtype(DType::F32)?.to_scalar())
            .collect::<Result<_>>()?;
        let best = report.best.map_or(-1.0, |at| at as f32);
        Ok(vec![
            ("trained", pairs(&trained)?),
            ("reported", pairs(&reported)?),
            ("accuracies", Tensor::new(accuracies.as_slice(), &Device::Cpu)?),
            ("best", Tensor::new(&[best], &Device::Cpu)?),
        ])
    }
}

fn layer<S: EncoderAssignment>(
    sizes: &Sizes,
    below: &dyn LayerParts,
    vb: VarBuilder<'_>,
) -> Result<Box<dyn Component>> {
    let opposites = OppositeParts(below);
    let below: &dyn LayerParts = if sizes.is_on("stand_ins") { &opposites } else { below };
    let part: Box<dyn EncoderLayer> = Box::new(S::Layer::new(encoder_config(sizes)?, below, vb)?);
    Ok(Box::new(Trainable::new(sizes, part)?))
}

fn stack<S: EncoderAssignment>(
    sizes: &Sizes,
    below: &dyn EncoderParts,
    vb: VarBuilder<'_>,
) -> Result<Box<dyn Component>> {
    let opposites = OppositeParts(below);
    let below: &dyn EncoderParts = if sizes.is_on("stand_ins") { &opposites } else { below };
    let part: Box<dyn Encoder> = Box::new(S::Encoder::new(encoder_config(sizes)?, below, vb)?);
    Ok(Box::new(Trainable::new(sizes, part)?))
}

fn classifier<S: EncoderAssignment>(
    sizes: &Sizes,
    below: &dyn ClassifierParts,
    vb: VarBuilder<'_>,
) -> Result<Box<dyn Component>> {
    let opposites = OppositeParts(below);
    let below: &dyn ClassifierParts = if sizes.is_on("stand_ins") { &opposites } else { below };
    let (config, classes) = (encoder_config(sizes)?, sizes.get("classes")?);
    let part: Box<dyn TextClassifier> = Box::new(S::Classifier::new(config, classes, below, vb)?);
    Ok(Box::new(Trainable::new(sizes, part)?))
}

/// Returns constructors of the components of `A`.
fn parts_of<A>(sizes: &Sizes) -> Result<PartsOf<A>> {
    Ok(PartsOf::new(encoder_config(sizes)?))
}

/// Returns all components of a submission, each built on the submission's own components.
pub fn components<S>() -> Components
where
    S: EncoderAssignment + 'static,
    S::Glove: 'static,
    S::Search: 'static,
{
    Box::new(|part, sizes, vb| match part {
        "feed-forward" => {
            let part: Box<dyn FeedForward> =
                Box::new(S::FeedForward::new(encoder_config(sizes)?, vb)?);
            Ok(Box::new(Trainable::new(sizes, part)?))
        }
        "encoder-layer" => layer::<S>(sizes, &parts_of::<S>(sizes)?, vb),
        "encoder" => stack::<S>(sizes, &parts_of::<S>(sizes)?, vb),
        "classifier" => classifier::<S>(sizes, &parts_of::<S>(sizes)?, vb),
        "glove" => Ok(Box::new(Glove::<S::Glove> {
            d_model: sizes.get("d_model")?,
            seed: sizes.get("seed")? as u64,
            of: PhantomData,
        })),
        "sweep" => {
            let budget = sizes.get("budget")?;
            Ok(Box::new(Search::<S::Search> { budget, of: PhantomData }))
        }
        other => Err(component::unknown(other)),
    })
}

/// Returns the encoder layer of `S` alone, built on the attention and the feed-forward network of `R`, the grader's own:
/// so it is graded on its own merits.
pub fn layer_with<S: EncoderAssignment, R: EncoderAssignment + 'static>() -> Components {
    only("encoder-layer", |sizes, vb| layer::<S>(sizes, &parts_of::<R>(sizes)?, vb))
}

/// Returns the encoder of `S` alone, built on the layers of `R`, as in [`layer_with`].
pub fn encoder_with<S: EncoderAssignment, R: EncoderAssignment + 'static>() -> Components {
    only("encoder", |sizes, vb| stack::<S>(sizes, &parts_of::<R>(sizes)?, vb))
}

/// Returns the classifier of `S` alone, built on the encoder of `R`, as in [`layer_with`].
pub fn classifier_with<S: EncoderAssignment, R: EncoderAssignment + 'static>() -> Components {
    only("classifier", |sizes, vb| classifier::<S>(sizes, &parts_of::<R>(sizes)?, vb))
}
