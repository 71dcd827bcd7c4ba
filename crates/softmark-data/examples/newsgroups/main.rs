//! Trains the 20 Newsgroups benchmark: four groups, five settings of learning rate and batch size.
//!
//! ```console
//! $ cargo run --release -p softmark-data --example newsgroups -- DATA [EPOCHS [SEED [stripped]]]
//! ```
//!
//! `DATA` is the folder that contains `20news-bydate/`. With `stripped`, headers, footers and quotes are
//! removed from the posts.
//!
//! The published benchmark specifies: four groups, a stratified 60/20/20 split, 5000 words and two special
//! tokens, 128 tokens, width 64, 2 layers, 4 heads, a feed-forward network of width 128, 419,968 parameters,
//! Adam, a cosine schedule, five settings of learning rate and batch size with their validation accuracies,
//! and the test accuracy of one setting. It does not specify which setting, the number of epochs, which parts
//! of the posts were removed, whether the train and test folders were merged, or the seed.
//!
//! These choices are ours, and may differ from the published benchmark:
//!
//! - the settings in [`SETTINGS`], in the published order;
//! - 20 epochs, dropout 0.1, pre-norm layers with an exact GELU and a final norm, 512 positions (which gives
//!   419,968 parameters), and PyTorch's initialization;
//! - both folders together, and whole posts.
//!
//! Validation accuracies of the settings, and the test accuracy of the best one:
//!
//! | learning rate, batch | published | seed 1 | seed 2 | stripped, 10 epochs, seed 1 |
//! |---|---|---|---|---|
//! | 3e-4, 32 | 0.7765 | 0.7948 | 0.8258 | 0.5199 |
//! | 1e-4, 64 | 0.4664 | 0.4568 | 0.4645 | 0.3568 |
//! | 1e-3, 32 | 0.8682 | 0.8994 | 0.9019 | 0.7003 |
//! | 1e-3, 64 | 0.8217 | 0.8697 | 0.8865 | 0.6286 |
//! | 3e-4, 64 | 0.6047 | 0.7058 | 0.7574 | 0.4469 |
//! | test | 0.8191 | 0.9004 | 0.9159 | 0.7082 |
//!
//! The number of epochs and the removed parts of the posts matter most: with 3e-4 and 32, ten epochs reach
//! 0.52 on stripped and 0.62 on whole posts; twenty epochs reach 0.79. Headers and quotes name groups, places
//! and people. With 20 epochs on whole posts, the settings rank as published. With batches of 32 the
//! accuracies are within 0.03 of the published ones or above them; with batches of 64 they are higher by up
//! to 0.15. Two seeds differ by 0.05. The test accuracy is 0.08 to 0.10 above the published one, which lies
//! 0.05 below its own validation accuracy; here the two agree, since both parts are drawn at random. A
//! published test part of later posts would explain the difference; the benchmark does not say.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it found")]

mod model;

use std::path::Path;
use std::process::ExitCode;

use softmark_data::newsgroups::{self, Removed};
use softmark_data::tokenize::{Length, TextTokenizer, word_level};
use softmark_kit::init::Parameters;
use softmark_kit::prelude::Device;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Examples, Recipe, TerminalObserver, evaluate, fit, split};

use crate::model::{Classifier, Sizes};

type Failure = Box<dyn std::error::Error + Send + Sync>;

const GROUPS: [&str; 4] = ["comp.graphics", "rec.sport.hockey", "sci.space", "talk.politics.guns"];

/// Setting of a training.
struct Setting {
    learning_rate: f64,
    batch_size: usize,
    /// Published validation accuracy.
    published: f64,
}

const SETTINGS: [Setting; 5] = [
    Setting { learning_rate: 3e-4, batch_size: 32, published: 0.7765 },
    Setting { learning_rate: 1e-4, batch_size: 64, published: 0.4664 },
    Setting { learning_rate: 1e-3, batch_size: 32, published: 0.8682 },
    Setting { learning_rate: 1e-3, batch_size: 64, published: 0.8217 },
    Setting { learning_rate: 3e-4, batch_size: 64, published: 0.6047 },
];

/// Published test accuracy of the best setting.
const TEST: f64 = 0.8191;

/// The three parts of the data set as token ids.
struct Parts {
    train: Examples,
    validation: Examples,
    test: Examples,
    tokenizer: TextTokenizer,
}

fn parts(data: &Path, seed: u64, removed: Removed) -> Result<Parts, Failure> {
    let root = data.join("20news-bydate");
    let read = |part: &str| newsgroups::read(&root.join(part), &GROUPS, removed);
    let (all, blank) =
        read("20news-bydate-train")?.joined(read("20news-bydate-test")?)?.without_blank()?;
    println!("{} posts, {blank} blank ones left out: {:?}", all.len(), all.counts());
    let dealt = split::stratified(&all.labels(), &[0.6, 0.2, 0.2], seed)?;
    let [train, validation, test] = dealt.as_slice() else { return Err("three parts".into()) };
    let train = all.subset("train", train)?;
    let tokenizer = word_level(train.texts(), 5000)?.with_length(Length::AtMost(128))?;
    Ok(Parts {
        train: tokenizer.encode_all(&train)?,
        validation: tokenizer.encode_all(&all.subset("validation", validation)?)?,
        test: tokenizer.encode_all(&all.subset("test", test)?)?,
        tokenizer,
    })
}

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
    let mut arguments = std::env::args().skip(1);
    let data = arguments.next().ok_or("usage: newsgroups DATA [EPOCHS [SEED [stripped]]]")?;
    let mut number = |name: &str, usual: u64| match arguments.next() {
        None => Ok(usual),
        Some(it) => it.parse().map_err(|_| format!("{name} has to be a whole number, got `{it}`")),
    };
    let (epochs, seed) = (usize::try_from(number("EPOCHS", 20)?)?, number("SEED", 1)?);
    let removed = match arguments.next().as_deref() {
        None => Removed::NOTHING,
        Some("stripped") => Removed::ALL,
        Some(other) => return Err(format!("the last can be `stripped`, got `{other}`").into()),
    };
    let parts = parts(Path::new(&data), seed, removed)?;
    let (train, validation, test) = (&parts.train, &parts.validation, &parts.test);
    println!("{} train, {} validation, {} test", train.len(), validation.len(), test.len());

    println!("\nlearning rate  batch  validation  published   test");
    let mut best = (0.0, 0.0);
    for Setting { learning_rate, batch_size, published } in SETTINGS {
        let recipe = Recipe {
            epochs,
            batch_size,
            learning_rate,
            schedule: Schedule::COSINE,
            seed,
            ..Recipe::default()
        };
        let parameters = Parameters::new(seed, &Device::Cpu);
        let sizes = Sizes { vocabulary: parts.tokenizer.size(), classes: GROUPS.len() };
        let model = Classifier::new(&sizes, &parameters.builder())?;
        let vars = parameters.vars();
        fit(&model, &vars, train, Some(validation), &recipe, &mut TerminalObserver::new())?;
        let reached = evaluate(&model, validation, &recipe, &Device::Cpu)?.accuracy;
        let tested = evaluate(&model, test, &recipe, &Device::Cpu)?.accuracy;
        println!(
            "{learning_rate:>13}  {batch_size:>5}  {reached:>10.4}  {published:>9.4}  {tested:.4}"
        );
        if reached > best.0 {
            best = (reached, tested);
        }
    }
    println!("\nbest by validation: {:.4} on the test part; published: {TEST:.4}", best.1);
    Ok(())
}
