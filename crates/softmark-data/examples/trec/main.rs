//! Tunes a published encoder on TREC's questions, with and without the fine label in the text.
//!
//! ```console
//! $ cargo run --release -p softmark-data --example trec -- MODEL DATA WAY [leaky] [EPOCHS [RATE [SEED]]]
//! ```
//!
//! `MODEL` is a folder with `config.json`, `model.safetensors` and `tokenizer.json`; `DATA` contains
//! `trec/train_5500.label` and `trec/TREC_10.label`. `WAY` is `head`, `prefix5` (any length) or `last2` (any
//! number of layers).
//!
//! A line of TREC begins with both labels, `DESC:manner How did serfdom develop …`. A reader that cuts off
//! only the coarse label at the colon leaves the fine one, `manner`, in the text, and every fine label
//! belongs to one coarse label. The option `leaky` reads the questions in this way.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "an example prints what it found")]

mod model;

use std::path::Path;
use std::process::ExitCode;

use candle_core::Device;
use softmark_data::pretrained::{Pretrained, read};
use softmark_data::tokenize::Length;
use softmark_data::{TextDataset, files, trec};
use softmark_kit::init::Parameters;
use softmark_kit::optim::Rule;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{Recipe, TerminalObserver, evaluate, fit, split};

use crate::model::{Tuned, Way};

type Failure = Box<dyn std::error::Error + Send + Sync>;

/// Maximum number of tokens of a text, including the two special tokens around it.
const LENGTH: usize = 36;

fn main() -> ExitCode {
    match softmark_kit::in_pool(run) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Reads the questions of a file; if `leaky`, each text starts with its fine label.
fn questions(path: &Path, leaky: bool) -> Result<TextDataset, Failure> {
    let name = path.display().to_string();
    let mut questions = trec::parse(&name, &files::bytes(path, files::MAX_FILE_BYTES)?)?;
    if leaky {
        for question in &mut questions {
            question.text = format!("{} {}", question.fine, question.text);
        }
    }
    Ok(trec::dataset(&name, questions)?)
}

fn run() -> Result<(), Failure> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let leaky = arguments.iter().any(|it| it == "leaky");
    arguments.retain(|it| it != "leaky");
    let [model, data, way, rest @ ..] = arguments.as_slice() else {
        return Err("usage: trec MODEL DATA WAY [leaky] [EPOCHS [RATE [SEED]]]".into());
    };
    let way = Way::parse(way)?;
    let (epochs, rate) = way.usual();
    let epochs = rest.first().map_or(Ok(epochs), |it| it.parse())?;
    let learning_rate = rest.get(1).map_or(Ok(rate), |it| it.parse())?;
    let seed = rest.get(2).map_or(Ok(1), |it| it.parse())?;
    let Pretrained { config, weights, tokenizer } = read(Path::new(model), &Device::Cpu)?;
    let tokenizer = tokenizer.with_length(Length::AtMost(LENGTH))?;
    let folder = Path::new(data).join("trec");
    let all = questions(&folder.join("train_5500.label"), leaky)?;
    let dealt = split::stratified(&all.labels(), &[0.9, 0.1], seed)?;
    let [train, validation] = dealt.as_slice() else { return Err("two parts".into()) };
    let train = tokenizer.encode_all(&all.subset("train", train)?)?;
    let validation = tokenizer.encode_all(&all.subset("validation", validation)?)?;
    let test = tokenizer.encode_all(&questions(&folder.join("TREC_10.label"), leaky)?)?;
    let parameters = Parameters::new(seed, &Device::Cpu);
    let model = Tuned::new(config, &weights, way, all.classes().len(), &parameters)?;
    println!(
        "{way:?}{}: {} numbers learn; {} train, {} validation, {} test",
        if leaky { ", leaky" } else { "" },
        parameters.count(),
        train.len(),
        validation.len(),
        test.len()
    );
    let recipe = Recipe {
        epochs,
        max_len: LENGTH,
        optimizer: Rule::ADAM_W,
        learning_rate,
        weight_decay: 0.01,
        schedule: Schedule::linear(0.1),
        clip_norm: Some(1.0),
        seed,
        ..Recipe::default()
    };
    let vars = parameters.vars();
    fit(&model, &vars, &train, Some(&validation), &recipe, &mut TerminalObserver::new())?;
    let of = |part| evaluate(&model, part, &recipe, &Device::Cpu);
    println!("validation {:.4}, test {:.4}", of(&validation)?.accuracy, of(&test)?.accuracy);
    Ok(())
}
