//! Tries learning rates and batch sizes out on your classifier, a line a trial:
//!
//! ```console
//! cargo run --release --example sweep              # a grid of nine
//! cargo run --release --example sweep -- random 12 # twelve drawn at random
//! ```
//!
//! What is done is kept in `sweep.jsonl`: break it off whenever you like, and start it again.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::result::Result;

use encoder::Submission;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::encoder::{EncoderAssignment, EncoderConfig, PartsOf, TextClassifier};
use softmark_kit::init::Parameters;
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::sweep::{Range, Space, Sweep, Trial, TrialResult};
use softmark_kit::train::{Examples, Recipe, fit};
use softmark_plot::{Column, comparison};

const SEED: u64 = 1;

type Classifier = <Submission as EncoderAssignment>::Classifier;

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

fn run() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let trials = match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [] => Space::grid(&[
            ("learning_rate", &[3e-4, 1e-3, 3e-3]),
            ("batch_size", &[16.0, 32.0, 64.0]),
        ]),
        ["random", budget] => Space::random(
            &[
                ("learning_rate", Range::LogUniform(1e-4, 1e-2)),
                ("batch_size", Range::Choice(vec![16.0, 32.0, 64.0])),
            ],
            budget.parse()?,
            SEED,
        ),
        _ => return Err("no arguments for a grid, or `random N` for N random trials".into()),
    };
    let vocabulary = questions::vocabulary();
    let texts = questions::generate(SEED, 2600);
    let examples = |from: usize, to: usize| Examples {
        ids: texts[from..to].iter().map(|it| vocabulary.encode(&it.text)).collect(),
        labels: texts[from..to].iter().map(|it| it.label).collect(),
    };
    let (train, validation) = (examples(0, 2000), examples(2000, 2600));
    let config =
        EncoderConfig { vocabulary: vocabulary.len(), max_len: 32, ..EncoderConfig::reference() };

    let outcomes = Sweep::new(Path::new("sweep.jsonl")).run(&trials, |trial: &Trial| {
        let parameters = Parameters::new(SEED, &Device::Cpu);
        let below = PartsOf::<Submission>::new(config);
        let classifier = Classifier::new(config, CLASSES.len(), &below, parameters.builder())?;
        // As in grading, embeddings begin with a deviation of 0.3.
        for (name, var) in parameters.vars() {
            if name.ends_with("_embedding.weight") {
                var.set(&var.affine(0.3, 0.0)?)?;
            }
        }
        let recipe = Recipe {
            epochs: 6,
            batch_size: trial.count("batch_size")?,
            learning_rate: trial.get("learning_rate")?,
            schedule: Schedule::cosine(0.1),
            clip_norm: Some(1.0),
            seed: SEED,
            ..Recipe::default()
        };
        let model = |ids: &Tensor, mask: &Tensor, train: bool| classifier.forward(ids, mask, train);
        let history = fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, &mut ())?;
        let best = history.best(recipe.monitor).ok_or("no epoch was trained")?;
        let result = TrialResult {
            validation_accuracy: best.validation_accuracy.unwrap_or(0.0),
            validation_loss: best.validation_loss.unwrap_or(f64::INFINITY),
            epochs: history.epochs.len(),
        };
        println!("{}: {:.4}", trial.id, result.validation_accuracy);
        Ok(result)
    })?;
    println!("\n{}", outcomes.table());
    let settings = |trial: &Trial| -> String {
        let settings = trial.settings.iter().map(|(name, value)| format!("{name} {value}"));
        settings.collect::<Vec<_>>().join(", ")
    };
    let names: Vec<String> = outcomes.all().iter().map(|it| settings(&it.trial)).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let values = outcomes.all().iter().map(|it| it.result.validation_accuracy).collect();
    let column = Column { name: "validation accuracy".to_owned(), values };
    fs::create_dir_all("pictures")?;
    let picture = comparison("Learning rates and batch sizes", &names, &[column])?;
    fs::write("pictures/comparison.svg", picture.svg())?;
    println!("picture: pictures/comparison.svg");
    Ok(())
}
