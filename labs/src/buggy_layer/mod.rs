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
use candle_core::{Device, Tensor};
use softmark_common::encoder::EncoderConfig;
use softmark_kit::hooks::Hooks;
use softmark_kit::init::Parameters;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Model, Recipe};

use crate::buggy_layer::data::{Corpus, Data, LENGTH, read};
use crate::buggy_layer::model::Layer;
use crate::buggy_layer::observe::{ENTROPY, SIMILARITY, averages, heat_maps};
use crate::buggy_layer::sections::{figures, sections};
use crate::classifier::Classifier;
use crate::{Arguments, Lab, Network, Report, RunRecord, Setting, Training};

pub use crate::buggy_layer::data::GENERATED;
pub use crate::buggy_layer::model::Residuals;

/// Name of the lab.
const NAME: &str = "buggy-layer";

/// Number of epochs, and the learning rate after its warm-up, as the assignment trains a repaired layer.
const EPOCHS: usize = 8;
const LEARNING_RATE: f64 = 2e-3;

/// Learning rate for the width of `--full`.
const LEARNING_RATE_FULL: f64 = 5e-4;

/// Trains four models on each corpus and writes the report; `generated` is the number of generated questions to train on.
///
/// # Errors
///
/// Fails if the data cannot be read, a training fails, or a file cannot be written.
pub fn run(arguments: &Arguments, generated: usize) -> Result<()> {
    let config = sizes(arguments);
    let mut corpora = Vec::new();
    for corpus in [Corpus::Generated(generated), Corpus::Trec] {
        corpora.push((corpus, read(corpus, &arguments.data, arguments.seed, config.layers)?));
    }
    let mut lab = Lab::open(NAME, arguments, corpora.len() * Residuals::ALL.len())?;
    let (mut runs, mut shown, mut all) = (Vec::new(), Vec::new(), Vec::new());
    for (corpus, data) in &corpora {
        let config = EncoderConfig { vocabulary: data.vocabulary, ..config };
        let of_corpus = train(&mut lab, arguments, &config, *corpus, data)?;
        all.extend(figures(&of_corpus, *corpus, &data.parts)?);
        shown.extend(sections(&of_corpus, *corpus, data, config.heads)?);
        runs.extend(of_corpus);
    }
    let report = Report {
        title: "A layer that runs and does not learn: six layers with a planted bug".to_owned(),
        source: "Published: a course assignment in which a buggy encoder layer is found by looking at attention. It \
                 publishes no figures; the bug and the sizes are those of our debugging assignment."
            .to_owned(),
        data: corpora.iter().map(|(_, data)| data.described.clone()).collect(),
        seed: arguments.seed,
        figures: all,
        explanation: EXPLANATION.iter().map(|it| (*it).to_owned()).collect(),
        sections: shown,
        runs,
    };
    report.write(&mut lab)?;
    Ok(())
}

/// Trains the four models on a corpus.
fn train(
    lab: &mut Lab,
    arguments: &Arguments,
    config: &EncoderConfig,
    corpus: Corpus,
    data: &Data,
) -> Result<Vec<RunRecord>> {
    let mut runs = Vec::new();
    for residuals in Residuals::ALL {
        let training = Training {
            name: format!("{}-{}", corpus.name(), residuals.name()),
            settings: vec![
                Setting::new("questions", corpus.name()),
                Setting::new("residual sums", residuals.name()),
            ],
            recipe: recipe(arguments),
            parts: &data.parts,
            context: String::new(),
        };
        let seed = arguments.seed;
        runs.push(lab.train(&training, |device| build(config, residuals, data, seed, device))?);
    }
    Ok(runs)
}

fn recipe(arguments: &Arguments) -> Recipe {
    Recipe {
        epochs: arguments.epochs.unwrap_or(EPOCHS),
        max_len: LENGTH,
        learning_rate: if arguments.full { LEARNING_RATE_FULL } else { LEARNING_RATE },
        schedule: Schedule::warm_up(0.1),
        clip_norm: Some(1.0),
        seed: arguments.seed,
        ..Recipe::default()
    }
}

/// Returns the sizes of the model; those of `--full` are the base model's of Vaswani et al. (2017).
fn sizes(arguments: &Arguments) -> EncoderConfig {
    let config = EncoderConfig { max_len: LENGTH, layers: 6, ..EncoderConfig::reference() };
    if arguments.full {
        EncoderConfig { d_model: 512, heads: 8, d_ff: 2048, ..config }
    } else {
        config
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
    let (vb, classes) = (parameters.builder(), data.parts.classes.len());
    let below = vb.pp("layers");
    let layer = |n: usize| Layer::new(config, residuals, &hooks, &below.pp(n));
    let layers = (0..config.layers).map(layer).collect::<candle_core::Result<_>>()?;
    let model = Rc::new(Classifier::new(config, classes, layers, &vb)?);
    let watched = data.watched.clone();
    let before = averages(&*model, &hooks, &watched, (ENTROPY[0], SIMILARITY[0]), device)?;
    // The harness and the observation share the model.
    let shared = Rc::clone(&model);
    let logits = move |ids: &Tensor, mask: &Tensor, train| shared.logits(ids, mask, train);
    let mut network = Network::new(logits, parameters);
    let device = device.clone();
    network.measure = Some(Box::new(move || {
        let mut all = before.clone();
        all.extend(averages(&*model, &hooks, &watched, (ENTROPY[1], SIMILARITY[1]), &device)?);
        all.extend(heat_maps(&*model, &hooks, &watched, &device)?);
        Ok(all)
    }));
    Ok(network)
}

/// Explanation of the figures.
const EXPLANATION: [&str; 4] = [
    "With the planted bug, each layer passes on what attention gives instead of adding it to what went in. Attention \
     gives means of the values, and a mean of means is nearly the same for every token: after a few layers all \
     tokens have one vector, each query scores all keys alike, and the heat maps of the upper layers are even.",
    "The second half of the bug adds the feed-forward network\u{2019}s output to itself, so that the path around the \
     network is lost; a factor of two is left, which the next norm removes. The runs in which one half alone is \
     repaired show what each half costs.",
    "What is lost is which word stands where. The generated questions are made so that words alone do not tell the \
     class; in TREC they often do, so that half repaired models learn something there.",
    "Runs of a corpus differ in the residual sums alone: initial parameters, order of the questions and dropout are \
     those of the same seed.",
];
