//! The debugging assignment's model of six layers: with its planted bug, half repaired and repaired.
//!
//! In the buggy layer, attention's output replaces what went into attention, and the feed-forward network's output
//! is added to itself instead of to its input. Each layer then passes on a mean of its values, and six of them leave
//! the same vector at every token: Dong, Cordonnier and Loukas, *Attention is not all you need* (ICML 2021).

mod data;
mod model;
mod observe;
mod sections;

use std::rc::Rc;

use anyhow::Result;
use candle_core::Device;
use softmark_common::encoder::{Activation, EncoderConfig, NormPlacement};
use softmark_kit::hooks::Hooks;
use softmark_kit::init::Parameters;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Model, Recipe};

use crate::buggy_layer::data::{Data, LENGTH, read};
use crate::buggy_layer::model::Classifier;
use crate::buggy_layer::observe::{ENTROPY, SIMILARITY, averages, heat_maps};
use crate::buggy_layer::sections::{figures, sections};
use crate::{Arguments, Lab, Network, Report, Setting, Training};

pub use crate::buggy_layer::model::Residuals;

/// Name of the lab.
const NAME: &str = "buggy-layer";

/// Number of epochs, and the learning rate after its warm-up.
const EPOCHS: usize = 10;
const LEARNING_RATE: f64 = 5e-4;

/// Trains the four models and writes the report.
///
/// # Errors
///
/// Fails if the data cannot be read, a training fails, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let config = sizes(arguments);
    let data = read(&arguments.data, arguments.seed, config.layers)?;
    let config = EncoderConfig { vocabulary: data.vocabulary, ..config };
    let mut lab = Lab::open(NAME, arguments, Residuals::ALL.len())?;
    let mut runs = Vec::new();
    for residuals in Residuals::ALL {
        let training = Training {
            name: residuals.name().to_owned(),
            settings: vec![Setting::new("residual sums", residuals.name())],
            recipe: Recipe {
                epochs: arguments.epochs.unwrap_or(EPOCHS),
                max_len: LENGTH,
                learning_rate: LEARNING_RATE,
                schedule: Schedule::linear(0.1),
                clip_norm: Some(1.0),
                seed: arguments.seed,
                ..Recipe::default()
            },
            parts: &data.parts,
            context: String::new(),
        };
        let run = lab
            .train(&training, |device| build(&config, residuals, &data, arguments.seed, device))?;
        runs.push(run);
    }
    let sections = sections(&runs, &data, config.heads)?;
    let report = Report {
        title: "A layer that runs and does not learn: six layers with a planted bug".to_owned(),
        source: "Published: a course assignment in which a buggy encoder layer is found by looking at attention. It \
                 publishes no figures; the bug is the one of the assignment `debugging`."
            .to_owned(),
        data: vec![data.described.clone()],
        seed: arguments.seed,
        figures: figures(&runs, &data.parts)?,
        explanation: EXPLANATION.iter().map(|it| (*it).to_owned()).collect(),
        sections,
        runs,
    };
    report.write(&mut lab)?;
    Ok(())
}

/// Returns the sizes of the model; those of `--full` are the base model's of Vaswani et al. (2017).
fn sizes(arguments: &Arguments) -> EncoderConfig {
    let (d_model, heads, d_ff) = if arguments.full { (512, 8, 2048) } else { (64, 4, 128) };
    EncoderConfig {
        vocabulary: 0,
        max_len: LENGTH,
        d_model,
        heads,
        d_ff,
        layers: 6,
        norm: NormPlacement::Post,
        activation: Activation::Relu,
        dropout: 0.1,
    }
}

/// Builds a model, observes it before training, and prepares its observation after training.
fn build(
    config: &EncoderConfig,
    residuals: Residuals,
    data: &Data,
    seed: u64,
    device: &Device,
) -> Result<Network> {
    let (hooks, parameters) = (Hooks::new(), Parameters::new(seed, device));
    let classes = data.parts.classes.len();
    let model = Classifier::new(config, residuals, classes, &hooks, &parameters.builder())?;
    let model = Rc::new(model);
    let watched = data.watched.clone();
    let before = averages(&*model, &hooks, &watched, (ENTROPY[0], SIMILARITY[0]), device)?;
    let mut network = Network::new(Shared(Rc::clone(&model)), parameters);
    let device = device.clone();
    network.measure = Some(Box::new(move || {
        let mut all = before.clone();
        all.extend(averages(&*model, &hooks, &watched, (ENTROPY[1], SIMILARITY[1]), &device)?);
        all.extend(heat_maps(&*model, &hooks, &watched, &device)?);
        Ok(all)
    }));
    Ok(network)
}

/// A model that the harness and the observation share.
struct Shared(Rc<Classifier>);

impl Model for Shared {
    fn logits(
        &self,
        ids: &candle_core::Tensor,
        mask: &candle_core::Tensor,
        train: bool,
    ) -> candle_core::Result<candle_core::Tensor> {
        self.0.logits(ids, mask, train)
    }
}

/// What the figures show.
const EXPLANATION: [&str; 3] = [
    "With the planted bug, each layer passes on what attention gives instead of adding it to what went in. Attention \
     gives means of the values, and a mean of means is nearly the same for every token: after a few layers all \
     tokens have one vector, each query scores all keys alike, and the heat maps of the upper layers are even.",
    "The second half of the bug adds the feed-forward network's output to itself. A layer norm removes the factor of \
     two, so what is lost is the path around the network.",
    "Runs differ in the residual sums alone: initial parameters, order of the questions and dropout are those of the \
     same seed.",
];
