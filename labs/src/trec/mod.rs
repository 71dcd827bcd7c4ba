//! Question classification on TREC: an encoder from scratch, and tuned published encoders, each with the fine label
//! in the text and without.
//!
//! The published assignment reports validation accuracies: 90.4 % for 12 post-norm layers of width 512 from
//! scratch, 67.2 % for BERT with a prefix of 5 after 100 epochs, and 99.5 % for the last two layers of `DistilBERT`
//! with a linear warm-up and `AdamW`. Its reader leaves the fine label in the text; which the lab can do too.
//!
//! These choices are ours: 90 % of `train_5500.label` for training and 10 % for validation, by class; batches of 32;
//! `AdamW` with a weight decay of 0.01, a warm-up over a tenth of the steps and a linear decay; gradients clipped at a
//! norm of 1; the last epoch is tested.

pub(crate) mod data;
mod encoders;
mod model;
mod page;

use std::path::PathBuf;

use anyhow::Result;
use softmark_data::tokenize::word_level;
use softmark_kit::init::Parameters;
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::Recipe;

use crate::arguments::Arguments;
use crate::lab::{Lab, Network, Training};
use crate::record::{RunRecord, Setting};
use crate::trec::data::{Leak, MAX_LEN, Questions};
use crate::trec::encoders::Encoder;
use crate::trec::model::{Classifier, Method, Stack};

/// Number of words of an encoder from scratch.
const WORDS: usize = 5000;

/// The compared treatments of the label.
const LEAKS: [Leak; 2] = [Leak::FineLabel, Leak::Absent];

/// The compared methods of tuning.
const METHODS: [Method; 3] = [Method::Head, Method::Prefix(5), Method::Last(2)];

/// Options of the lab.
#[derive(Debug, Clone, clap::Args)]
pub struct Options {
    /// Options of every lab.
    #[command(flatten)]
    pub common: Arguments,

    /// Folder with a published encoder to tune: `config.json`, `model.safetensors`, `tokenizer.json`.
    #[arg(long, value_name = "DIR")]
    pub model: Option<PathBuf>,

    /// Tune BERT and `DistilBERT` too, fetched from the Hub or its cache (feature `hub`).
    #[arg(long)]
    pub hub: bool,
}

/// Length and learning rate of a training.
#[derive(Debug, Clone, Copy)]
struct Pace {
    epochs: usize,
    learning_rate: f64,
}

/// Size of the lab.
#[derive(Debug, Clone, Copy)]
struct Size {
    stack: Stack,
    from_scratch: Pace,
    head: Pace,
    prefix: Pace,
    last: Pace,
}

impl Size {
    const USUAL: Self = Self {
        stack: Stack { layers: 4, width: 128, heads: 4 },
        from_scratch: Pace { epochs: 8, learning_rate: 1e-3 },
        head: Pace { epochs: 4, learning_rate: 1e-2 },
        prefix: Pace { epochs: 2, learning_rate: 1e-2 },
        last: Pace { epochs: 2, learning_rate: 3e-4 },
    };
    const FULL: Self = Self {
        stack: Stack { layers: 12, width: 512, heads: 8 },
        from_scratch: Pace { epochs: 20, learning_rate: 1e-4 },
        head: Pace { epochs: 20, learning_rate: 1e-2 },
        prefix: Pace { epochs: 100, learning_rate: 1e-2 },
        last: Pace { epochs: 4, learning_rate: 3e-4 },
    };

    fn of(arguments: &Arguments) -> Self {
        if arguments.full { Self::FULL } else { Self::USUAL }
    }

    /// Returns the length and learning rate of a method.
    fn pace(&self, method: Method) -> Pace {
        match method {
            Method::Head => self.head,
            Method::Prefix(_) => self.prefix,
            Method::Last(_) => self.last,
        }
    }
}

/// The trained part of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Trained {
    /// A whole encoder.
    Scratch(Stack),
    /// A part of a published encoder with this name and title.
    Tuned { name: &'static str, title: String, method: Method },
}

impl Trained {
    /// Returns the description in tables.
    fn title(&self) -> String {
        match self {
            Self::Scratch(Stack { layers, width, .. }) => {
                format!("from scratch, {layers} layers of width {width}")
            }
            Self::Tuned { title, method, .. } => format!("{title}, {}", method.title()),
        }
    }

    /// Returns a short description for pictures.
    fn label(&self) -> String {
        match self {
            Self::Scratch(_) => "from scratch".to_owned(),
            Self::Tuned { title, method, .. } => format!("{} {title}", method.name()),
        }
    }

    /// Returns the name of a run.
    fn run_name(&self, leak: Leak) -> String {
        match self {
            Self::Scratch(_) => format!("scratch-{}", leak.suffix()),
            Self::Tuned { name, method, .. } => {
                format!("{name}-{}-{}", method.name(), leak.suffix())
            }
        }
    }
}

/// A finished run.
#[derive(Debug, Clone)]
struct Finished {
    trained: Trained,
    leak: Leak,
    record: RunRecord,
}

/// Trains an encoder from scratch, tunes the given encoders, and writes the report.
///
/// # Errors
///
/// Fails if the data or an encoder cannot be read, a training fails, or a result cannot be written.
pub fn run(options: &Options) -> Result<()> {
    let arguments = &options.common;
    let size = Size::of(arguments);
    let mut lab = Lab::open("trec", arguments, LEAKS.len())?;
    let folder = data::folder(&arguments.data)?;
    let mut encoders = Vec::new();
    if let Some(folder) = &options.model {
        encoders.push(Encoder::of_folder(folder, lab.device())?);
    }
    if options.hub {
        encoders.extend(encoders::of_hub(lab.device())?);
    }
    lab.set_runs(LEAKS.len() * (1 + encoders.len() * METHODS.len()));
    let read = |leak| data::read(&folder, leak, arguments.seed);
    let questions = [read(LEAKS[0])?, read(LEAKS[1])?];
    let mut finished = Vec::new();
    for (leak, questions) in LEAKS.into_iter().zip(&questions) {
        finished.push(from_scratch(&mut lab, questions, leak, &size, arguments)?);
    }
    for encoder in &encoders {
        for method in METHODS {
            for (leak, questions) in LEAKS.into_iter().zip(&questions) {
                let of = Tuning { encoder, method, leak };
                finished.push(tuned(&mut lab, questions, &of, &size, arguments)?);
            }
        }
    }
    let [questions, _] = &questions;
    let results = page::Results { finished, questions, seed: arguments.seed, full: arguments.full };
    page::report(&results)?.write(&mut lab)?;
    Ok(())
}

/// Returns the settings of a training.
fn recipe(pace: Pace, arguments: &Arguments) -> Recipe {
    Recipe {
        epochs: arguments.epochs.unwrap_or(pace.epochs),
        max_len: MAX_LEN,
        optimizer: Rule::ADAM_W,
        learning_rate: pace.learning_rate,
        weight_decay: 0.01,
        schedule: Schedule::linear(0.1),
        clip_norm: Some(1.0),
        seed: arguments.seed,
        ..Recipe::default()
    }
}

/// Returns the settings in which runs differ.
fn settings(trained: &Trained, leak: Leak, recipe: &Recipe) -> Vec<Setting> {
    vec![
        Setting::new("trained", trained.title()),
        Setting::new("text", leak.title()),
        Setting::new("epochs", recipe.epochs),
        Setting::new("learning rate", recipe.learning_rate),
    ]
}

/// Trains an encoder from scratch, unless its run is saved.
fn from_scratch(
    lab: &mut Lab,
    questions: &Questions,
    leak: Leak,
    size: &Size,
    arguments: &Arguments,
) -> Result<Finished> {
    let tokenizer = word_level(questions.train.texts(), WORDS)?;
    let vocabulary = tokenizer.size();
    let parts = questions.encoded(tokenizer)?;
    let trained = Trained::Scratch(size.stack);
    let recipe = recipe(size.from_scratch, arguments);
    let training = Training {
        name: trained.run_name(leak),
        settings: settings(&trained, leak, &recipe),
        recipe,
        parts: &parts,
        context: String::new(),
    };
    let record = lab.train(&training, |device| {
        let parameters = Parameters::new(arguments.seed, device);
        let classes = parts.classes.len();
        let model = Classifier::from_scratch(size.stack, vocabulary, classes, &parameters)?;
        Ok(Network::new(model, parameters))
    })?;
    Ok(Finished { trained, leak, record })
}

/// An encoder, the method of tuning it, and the text that it is tuned on.
struct Tuning<'a> {
    encoder: &'a Encoder,
    method: Method,
    leak: Leak,
}

/// Tunes a published encoder, unless its run is saved.
fn tuned(
    lab: &mut Lab,
    questions: &Questions,
    of: &Tuning<'_>,
    size: &Size,
    arguments: &Arguments,
) -> Result<Finished> {
    let &Tuning { encoder, method, leak } = of;
    let pretrained = &encoder.pretrained;
    let parts = questions.encoded(pretrained.tokenizer.clone())?;
    let trained = Trained::Tuned { name: encoder.name, title: encoder.title.clone(), method };
    let recipe = recipe(size.pace(method), arguments);
    let training = Training {
        name: trained.run_name(leak),
        settings: settings(&trained, leak, &recipe),
        recipe,
        parts: &parts,
        context: encoder.digest.clone(),
    };
    let record = lab.train(&training, |device| {
        let parameters = Parameters::new(arguments.seed, device);
        let (config, weights) = (pretrained.config, &pretrained.weights);
        let classes = parts.classes.len();
        let model = Classifier::tuned(config, weights, method, classes, &parameters)?;
        Ok(Network::new(model, parameters))
    })?;
    Ok(Finished { trained, leak, record })
}
