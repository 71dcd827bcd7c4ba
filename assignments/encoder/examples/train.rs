//! Trains your classifier on built-in questions, as grading does, and shows how it went:
//!
//! ```console
//! cargo run --release --example train
//! ```
//!
//! The grader draws other questions, and mixes the numbers of words and classes. What you see here is
//! what to expect of it.

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::ExitCode;
use std::result::Result;

use encoder::Submission;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::encoder::{EncoderAssignment, EncoderConfig, PartsOf, TextClassifier};
use softmark_kit::init::Parameters;
use softmark_kit::metrics::ConfusionMatrix;
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Examples, Recipe, TerminalObserver, fit, predict};
use softmark_plot::{Run, confusion_matrix, training_curves};

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
    let device = softmark_kit::device("cpu")?;
    let vocabulary = questions::vocabulary();
    let texts = questions::generate(SEED, 5200);
    let examples = |from: usize, to: usize| Examples {
        ids: texts[from..to].iter().map(|it| vocabulary.encode(&it.text)).collect(),
        labels: texts[from..to].iter().map(|it| it.label).collect(),
    };
    let (train, validation, test) = (examples(0, 4000), examples(4000, 4600), examples(4600, 5200));

    let config = EncoderConfig {
        vocabulary: vocabulary.len(),
        max_len: 32,
        layers: 4,
        ..EncoderConfig::reference()
    };
    let parameters = Parameters::new(SEED, &device);
    let below = PartsOf::<Submission>::new(config);
    let classifier = Classifier::new(config, CLASSES.len(), &below, parameters.builder())?;
    // As in grading, embeddings begin with a deviation of 0.3.
    for (name, var) in parameters.vars() {
        if name.ends_with("_embedding.weight") {
            var.set(&var.affine(0.3, 0.0)?)?;
        }
    }
    println!("{} parameters", parameters.count());

    let recipe = Recipe {
        epochs: 7,
        learning_rate: 3e-3,
        schedule: Schedule::cosine(0.1),
        clip_norm: Some(1.0),
        stopping_threshold: Some(0.15),
        seed: SEED,
        ..Recipe::default()
    };
    let model = |ids: &Tensor, mask: &Tensor, train: bool| classifier.forward(ids, mask, train);
    let observer = &mut TerminalObserver::new();
    let history = fit(&model, &parameters.vars(), &train, Some(&validation), &recipe, observer)?;

    let answers = predict(&model, &test.ids, &recipe, &device)?;
    let confusion = ConfusionMatrix::new(&answers, &test.labels, CLASSES.len())?;
    println!("\n{}", confusion.report(&CLASSES));
    println!("accuracy on questions never seen: {:.4}", confusion.accuracy());

    let of = |value: fn(&softmark_kit::train::EpochRecord) -> Option<f64>| -> Vec<f64> {
        history.epochs.iter().filter_map(value).collect()
    };
    let run = Run {
        name: "your classifier".to_owned(),
        train_loss: of(|epoch| Some(epoch.train_loss)),
        validation_loss: of(|epoch| epoch.validation_loss),
        train_accuracy: of(|epoch| Some(epoch.train_accuracy)),
        validation_accuracy: of(|epoch| epoch.validation_accuracy),
    };
    let rows: Vec<&[usize]> = confusion.rows().collect();
    let folder = Path::new("pictures");
    fs::create_dir_all(folder)?;
    fs::write(folder.join("curves.svg"), training_curves("Questions", &[run])?.svg())?;
    let matrix = confusion_matrix("Questions never seen", &rows, &CLASSES)?;
    fs::write(folder.join("confusion.svg"), matrix.svg())?;
    println!("pictures: {}", folder.display());
    Ok(())
}
