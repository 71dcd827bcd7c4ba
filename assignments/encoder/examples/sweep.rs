//! Trains your classifier with learning rates and batch sizes, by your own search (task 6):
//!
//! ```console
//! cargo run --release --example sweep       # a grid of nine
//! cargo run --release --example sweep -- 4  # its first four
//! ```

use std::error::Error;
use std::fs;
use std::process::ExitCode;
use std::result::Result;

use encoder::Submission;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::encoder::{
    Configuration, EncoderAssignment, EncoderConfig, GridSearch, PartsOf, Scores, TextClassifier,
    Trial,
};
use softmark_kit::init::Parameters;
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Examples, Recipe, evaluate, fit};
use softmark_plot::{Column, comparison};

const SEED: u64 = 1;

const LEARNING_RATES: [f64; 3] = [3e-4, 1e-3, 3e-3];
const BATCH_SIZES: [usize; 3] = [16, 32, 64];

type Classifier = <Submission as EncoderAssignment>::Classifier;

type Search = <Submission as EncoderAssignment>::Search;

type Failure = Box<dyn Error + Send + Sync>;

fn main() -> ExitCode {
    match softmark_kit::in_pool(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Examples that models are trained, chosen and tested with.
struct Data {
    config: EncoderConfig,
    train: Examples,
    validation: Examples,
    test: Examples,
}

impl Data {
    fn new() -> Self {
        let vocabulary = questions::vocabulary();
        let texts = questions::generate(SEED, 3200);
        let examples = |from: usize, to: usize| Examples {
            ids: texts[from..to].iter().map(|it| vocabulary.encode(&it.text)).collect(),
            labels: texts[from..to].iter().map(|it| it.label).collect(),
        };
        let reference = EncoderConfig::reference();
        Self {
            config: EncoderConfig { vocabulary: vocabulary.len(), max_len: 32, ..reference },
            train: examples(0, 2000),
            validation: examples(2000, 2600),
            test: examples(2600, 3200),
        }
    }

    /// Trains a classifier.
    fn scores(&self, configuration: Configuration) -> Result<Scores, Failure> {
        let parameters = Parameters::new(SEED, &Device::Cpu);
        let below = PartsOf::<Submission>::new(self.config);
        let classifier = Classifier::new(self.config, CLASSES.len(), &below, parameters.builder())?;
        // As in grading, embeddings begin with a deviation of 0.3.
        for (name, var) in parameters.vars() {
            if name.ends_with("_embedding.weight") {
                var.set(&var.affine(0.3, 0.0)?)?;
            }
        }
        let recipe = Recipe {
            epochs: 6,
            batch_size: configuration.batch_size,
            learning_rate: configuration.learning_rate,
            schedule: Schedule::cosine(0.1),
            clip_norm: Some(1.0),
            seed: SEED,
            ..Recipe::default()
        };
        let model = |ids: &Tensor, mask: &Tensor, train: bool| classifier.forward(ids, mask, train);
        let vars = parameters.vars();
        fit(&model, &vars, &self.train, Some(&self.validation), &recipe, &mut ())?;
        let accuracy = |examples: &Examples| {
            evaluate(&model, examples, &recipe, &Device::Cpu).map(|found| found.accuracy)
        };
        let scores = Scores {
            train_accuracy: accuracy(&self.train)?,
            validation_accuracy: accuracy(&self.validation)?,
            test_accuracy: accuracy(&self.test)?,
        };
        println!("{}: {:.4}", name(configuration), scores.validation_accuracy);
        Ok(scores)
    }
}

/// The settings of a training, for people.
fn name(configuration: Configuration) -> String {
    let Configuration { learning_rate, batch_size } = configuration;
    format!("learning rate {learning_rate}, batches of {batch_size}")
}

fn run() -> Result<(), Failure> {
    let budget = match std::env::args().nth(1) {
        None => LEARNING_RATES.len() * BATCH_SIZES.len(),
        Some(budget) => budget.parse()?,
    };
    let data = Data::new();
    let mut train = |configuration| data.scores(configuration).map_err(candle_core::Error::wrap);
    let report = Search::search(&LEARNING_RATES, &BATCH_SIZES, budget, &mut train)?;
    let trials: &[Trial] = &report.trials;
    let best = report.best.and_then(|best| trials.get(best)).ok_or("no training was completed")?;
    println!("\nbest: {}, {:.4} of the test", name(best.configuration), best.scores.test_accuracy);
    let names: Vec<String> = trials.iter().map(|trial| name(trial.configuration)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let column = |name: &str, of: fn(&Scores) -> f64| Column {
        name: name.to_owned(),
        values: trials.iter().map(|trial| of(&trial.scores)).collect(),
    };
    let columns = [
        column("training accuracy", |it| it.train_accuracy),
        column("validation accuracy", |it| it.validation_accuracy),
        column("test accuracy", |it| it.test_accuracy),
    ];
    fs::create_dir_all("pictures")?;
    let picture = comparison("Learning rates and batch sizes", &names, &columns)?;
    fs::write("pictures/comparison.svg", picture.svg())?;
    println!("picture: pictures/comparison.svg");
    Ok(())
}
