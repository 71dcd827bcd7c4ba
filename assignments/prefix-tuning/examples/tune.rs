//! Tunes the encoder that is built in with your parts, on built-in questions, and keeps what was tuned in
//! `best.safetensors`, which you hand in:
//!
//! ```console
//! cargo run --release --example tune              # the last two layers
//! cargo run --release --example tune -- last3     # the last three
//! cargo run --release --example tune -- prefix5   # a prefix of five vectors
//! cargo run --release --example tune -- head      # the head alone
//! cargo run --release --example tune -- last2 --epochs 8 --rate 1e-3 --questions 8000
//! ```
//!
//! Change it as you like: it is not handed in. The grader draws other questions, loads your checkpoint
//! into a classifier of its own, and counts; what yours answers is compared with it on random words.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::result::Result;

use candle_core::Var;
use candle_nn::Init;
use softmark_kit::data::{corpus, questions};
use softmark_kit::init::{Parameters, drawn};
use softmark_kit::metrics::{ConfusionMatrix, accuracy};
use softmark_kit::nn::dropout;
use softmark_kit::nn::loss::cross_entropy;
use softmark_kit::prelude::*;
use softmark_kit::pretrained::{BUILTIN, Weights};
use softmark_kit::train::{Batch, Examples, shuffled};

type Failure = Box<dyn Error + Send + Sync>;
type Parts = prefix_tuning::Submission;

const SEED: u64 = 1;
const BATCH: usize = 32;
/// More than the longest question has, with the two tokens that frame it.
const MAX_LEN: usize = 32;

pub(crate) fn main() -> ExitCode {
    match softmark_kit::in_pool(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// What is tuned, and how.
#[derive(Debug)]
struct Settings {
    method: &'static str,
    /// The length of the prefix, or how many layers learn.
    number: usize,
    epochs: usize,
    rate: f64,
    questions: usize,
}

impl Settings {
    fn of_arguments() -> Result<Self, Failure> {
        let mut arguments = std::env::args().skip(1).peekable();
        let way = arguments.next_if(|it| !it.starts_with("--")).unwrap_or("last2".to_owned());
        let mut settings = match (way.strip_prefix("prefix"), way.strip_prefix("last")) {
            _ if way == "head" => Self::new("prefix", 0, 8, 1e-2),
            (Some(length), _) => Self::new("prefix", length.parse()?, 12, 3e-2),
            (_, Some(layers)) => Self::new("partial", layers.parse()?, 4, 2e-3),
            _ => return Err("what is tuned? `head`, `prefix5` or `last2`".into()),
        };
        while let Some(option) = arguments.next() {
            let value = arguments.next().ok_or_else(|| format!("{option} needs a number"))?;
            match option.as_str() {
                "--epochs" => settings.epochs = value.parse()?,
                "--rate" => settings.rate = value.parse()?,
                "--questions" => settings.questions = value.parse()?,
                _ => return Err(format!("{option} is no option of this program").into()),
            }
        }
        Ok(settings)
    }

    fn new(method: &'static str, number: usize, epochs: usize, rate: f64) -> Self {
        Self { method, number, epochs, rate, questions: 4000 }
    }

    /// What the checkpoint says of itself. The grader makes the classifier by `method`,
    /// `prefix_length` and `unfrozen`; the rest is for people.
    fn told(&self) -> BTreeMap<String, String> {
        let of_method = if self.method == "prefix" { "prefix_length" } else { "unfrozen" };
        [
            ("method", self.method.to_owned()),
            (of_method, self.number.to_string()),
            ("epochs", self.epochs.to_string()),
            ("learning_rate", self.rate.to_string()),
            ("questions", self.questions.to_string()),
        ]
        .map(|(key, value)| (key.to_owned(), value))
        .into()
    }
}

/// Either of your two classifiers.
enum Classifier {
    Prefix(<Parts as TuningAssignment>::Prefix),
    Partial(<Parts as TuningAssignment>::Partial),
}

impl Classifier {
    fn new(
        settings: &Settings,
        base: PretrainedConfig,
        vb: VarBuilder<'_>,
    ) -> Result<Self, Failure> {
        // Nothing is dropped inside of the encoder: it is small, and the questions are many.
        let base = PretrainedConfig { dropout: 0.0, attention_dropout: 0.0, ..base };
        let (classes, number) = (questions::CLASSES.len(), settings.number);
        Ok(if settings.method == "prefix" {
            let prefix_length = Some(number).filter(|length| *length > 0);
            Self::Prefix(PrefixTuning::new(PrefixConfig { base, prefix_length, classes }, vb)?)
        } else {
            let config = PartialConfig { base, unfrozen: number, classes, head_dropout: 0.1 };
            Self::Partial(PartialTuning::new(config, vb)?)
        })
    }

    fn forward(&self, ids: &Tensor, mask: &Tensor, train: bool) -> candle_core::Result<Tensor> {
        match self {
            Self::Prefix(classifier) => classifier.forward(ids, mask, train),
            Self::Partial(classifier) => classifier.forward(ids, mask, train),
        }
    }
}

/// Which parameters are tuned.
fn learns(settings: &Settings, layers: usize, name: &str) -> bool {
    let Some(of_base) = name.strip_prefix("base.layers.") else {
        return !name.starts_with("base.");
    };
    let layer = of_base.split('.').next().and_then(|number| number.parse::<usize>().ok());
    let first =
        if settings.method == "partial" { layers - settings.number.min(layers) } else { layers };
    layer.is_some_and(|layer| layer >= first)
}

/// The questions, as your loop asks for them.
struct Questions<'a> {
    classifier: &'a Classifier,
    settings: &'a Settings,
    layers: usize,
    vars: BTreeMap<String, Var>,
    train: Examples,
    validation: Examples,
    /// Losses that were asked for.
    steps: u64,
}

impl TuningProblem for Questions<'_> {
    fn parameters(&self) -> &BTreeMap<String, Var> {
        &self.vars
    }

    fn learns(&self, name: &str) -> bool {
        learns(self.settings, self.layers, name)
    }

    fn batches(&self) -> usize {
        self.train.len().div_ceil(BATCH)
    }

    fn loss(&mut self, batch: usize) -> candle_core::Result<Tensor> {
        let epoch = self.steps / self.batches() as u64;
        let order = shuffled(self.train.len(), SEED, epoch);
        let numbers: Vec<usize> = order.into_iter().skip(batch * BATCH).take(BATCH).collect();
        let batch = Batch::new(&self.train, &numbers, MAX_LEN, &Device::Cpu)?;
        dropout::begin_step(SEED, self.steps);
        self.steps += 1;
        cross_entropy(&self.classifier.forward(&batch.ids, &batch.mask, true)?, &batch.labels)
    }

    fn validation_loss(&mut self) -> candle_core::Result<f64> {
        let found = Measured::of(self.classifier, &self.validation)?;
        println!(
            "validation loss {:.4}, accuracy {:.4}",
            found.loss,
            accuracy(&found.predictions, &self.validation.labels)
        );
        Ok(found.loss)
    }
}

/// Results of a classifier on examples.
struct Measured {
    /// Mean cross-entropy.
    loss: f64,
    /// Predicted class of each example.
    predictions: Vec<u32>,
}

impl Measured {
    fn of(classifier: &Classifier, examples: &Examples) -> candle_core::Result<Self> {
        let numbers: Vec<usize> = (0..examples.len()).collect();
        let mut measured = Self { loss: 0.0, predictions: Vec::new() };
        for numbers in numbers.chunks(BATCH) {
            let batch = Batch::new(examples, numbers, MAX_LEN, &Device::Cpu)?;
            let logits = classifier.forward(&batch.ids, &batch.mask, false)?;
            let loss = cross_entropy(&logits, &batch.labels)?.to_scalar::<f32>()?;
            measured.loss += f64::from(loss) * numbers.len() as f64 / examples.len() as f64;
            measured.predictions.extend(logits.argmax(D::Minus1)?.to_vec1::<u32>()?);
        }
        Ok(measured)
    }
}

/// The encoder's sizes, and a model in which it stands below `base`. A prefix begins as the grader draws it, from N(0, 1):
/// vectors that are all 0 would get the same gradient, and stay equal.
fn fresh(settings: &Settings) -> Result<(PretrainedConfig, Parameters), Failure> {
    let assignment = Path::new(env!("CARGO_MANIFEST_DIR"));
    let released = assignment.join("data/pretrained");
    // In the project of the assignment, the files are where its tests read them.
    let folder =
        if released.is_dir() { released } else { assignment.join("../../fixtures/pretrained") };
    let config = fs::read_to_string(folder.join("config.json"))?;
    let config = PretrainedConfig::from_json(&config)?;
    let weights = Weights::read(&folder.join("model.safetensors"), &config, &Device::Cpu)?;
    let parameters = Parameters::new(SEED, &Device::Cpu);
    for (name, tensor) in weights.tensors() {
        parameters.give(&format!("base.{name}"), tensor);
    }
    if settings.method == "prefix" {
        let (init, shape) =
            (Init::Randn { mean: 0.0, stdev: 1.0 }, (settings.number, config.d_model));
        parameters.give("prefix", &drawn(SEED, "prefix", init, &shape.into())?);
    }
    Ok((config, parameters))
}

fn run() -> Result<(), Failure> {
    let settings = Settings::of_arguments()?;
    let (vocabulary, kept) = (corpus::vocabulary(), 600);
    let texts = questions::generate(SEED, settings.questions + 2 * kept);
    let examples = |from: usize, to: usize| Examples {
        ids: texts[from..to].iter().map(|it| corpus::framed(&vocabulary, &it.text)).collect(),
        labels: texts[from..to].iter().map(|it| it.label).collect(),
    };
    let (end, all) = (settings.questions + kept, texts.len());
    let (train, validation) = (examples(0, settings.questions), examples(settings.questions, end));

    let (config, parameters) = fresh(&settings)?;
    let classifier = Classifier::new(&settings, config, parameters.builder())?;
    let (vars, layers) = (parameters.vars(), config.layers);
    let is_tuned = |name: &str| learns(&settings, layers, name);
    let count: usize =
        vars.iter().filter(|(name, _)| is_tuned(name)).map(|(_, var)| var.elem_count()).sum();
    println!("{settings:?}: {count} of {} numbers learn", parameters.count());

    let recipe = TuningRecipe {
        epochs: settings.epochs,
        learning_rate: settings.rate,
        warm_up: 0.1,
        weight_decay: 0.01,
        clip_norm: 1.0,
        patience: 3,
    };
    let mut problem = Questions {
        classifier: &classifier,
        settings: &settings,
        layers,
        vars: vars.clone(),
        train,
        validation,
        steps: 0,
    };
    let report = <Parts as TuningAssignment>::Loop::tune(&mut problem, &recipe)?;
    println!("the best epoch was {:?} of {:?}", report.best, report.validation_losses);

    // What is kept, and what comes of it on a fresh encoder.
    let tensors = vars.iter().map(|(name, var)| (name.clone(), var.as_tensor().clone())).collect();
    let labels = questions::CLASSES.map(str::to_owned);
    let saved = <Parts as TuningAssignment>::Checkpoint::save(&TunedModel {
        parameters: &tensors,
        learns: &is_tuned,
        base: BUILTIN,
        labels: &labels,
        settings: &settings.told(),
    })?;
    let path = Path::new("best.safetensors");
    saved.write(path)?;
    let (config, parameters) = fresh(&settings)?;
    let again = Classifier::new(&settings, config, parameters.builder())?;
    let onto = parameters.vars();
    let onto = FreshModel { parameters: &onto, learns: &is_tuned, base: BUILTIN };
    let saved = Saved::read(path, &Device::Cpu)?;
    let labels = <Parts as TuningAssignment>::Checkpoint::load(&saved, &onto)?;

    let test = examples(end, all);
    let before = Measured::of(&classifier, &test)?.predictions;
    let after = Measured::of(&again, &test)?.predictions;
    if before != after {
        return Err("loaded onto a fresh encoder, the checkpoint answers otherwise".into());
    }
    let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
    let confusion = ConfusionMatrix::new(&after, &test.labels, labels.len())?;
    println!("\n{}", confusion.report(&labels));
    println!("accuracy on questions never seen: {:.4}", confusion.accuracy());
    let size = fs::metadata(path)?.len() / 1024;
    println!("{}: {size} KiB", path.display());
    Ok(())
}
