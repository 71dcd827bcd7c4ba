//! Trains a model of four buggy layers and, once it is written, one of your repaired ones, and shows what
//! attention does in each; it looks through your own `Capture` and `Statistics`.
//!
//! ```console
//! cargo run --release                 # pictures/*.svg, and everything in the terminal too
//! cargo run --release -- --head 1.2   # the heat map of layer 1, head 2
//! cargo run --release --features png  # pictures/*.png besides
//! ```

use std::error::Error;
use std::fs;
use std::panic::{self, AssertUnwindSafe};
use std::path::Path;
use std::process::ExitCode;
use std::result::Result;

use debugging::Submission;
use softmark_kit::data::questions::{self, CLASSES};
use softmark_kit::init::Parameters;
use softmark_kit::prelude::*;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::{EpochRecord, Examples, Recipe, fit};
use softmark_plot::{
    Panel, Picture, Run, attention, attention_panels, attention_panels_text, attention_text,
    training_curves,
};

const SEED: u64 = 1;

/// Deep enough that no layer makes good what another one breaks.
const LAYERS: usize = 4;

/// Questions over which heads are described in numbers.
const LOOKED_AT: usize = 64;

/// Where pictures go.
const FOLDER: &str = "pictures";

type Failure = Box<dyn Error + Send + Sync>;
type Buggy = <Submission as DebuggingAssignment>::Buggy;
type Repaired = <Submission as DebuggingAssignment>::Repaired;
type Classifier = <Submission as DebuggingAssignment>::Classifier;
type Capture = <Submission as DebuggingAssignment>::Capture;
type Statistics = <Submission as DebuggingAssignment>::Statistics;

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
    let head = head_asked_for(std::env::args().skip(1))?;
    let texts = Texts::new();
    fs::create_dir_all(FOLDER)?;
    let mut runs = vec![look_at::<Buggy>("buggy", &texts, head)?];
    // A stub panics with its `todo!()`, which is not worth a backtrace here.
    panic::set_hook(Box::new(|_| ()));
    let repaired =
        panic::catch_unwind(AssertUnwindSafe(|| look_at::<Repaired>("repaired", &texts, head)));
    drop(panic::take_hook());
    match repaired {
        Ok(run) => runs.push(run?),
        Err(said) => {
            let said = said.downcast_ref::<String>().map_or("it panicked", String::as_str);
            println!("the repaired layer cannot be trained: {said}");
        }
    }
    save("curves", &training_curves("A buggy layer and its repair", &runs)?)?;
    println!("\npictures: {FOLDER}");
    Ok(())
}

/// `--head LAYER.HEAD`; the first of the first layer where nothing is said.
fn head_asked_for(mut args: impl Iterator<Item = String>) -> Result<(usize, usize), Failure> {
    let head = match (args.next().as_deref(), args.next()) {
        (None, _) => return Ok((0, 0)),
        (Some("--head"), Some(head)) => head,
        (Some(_), _) => return Err("only `--head LAYER.HEAD` can be asked for".into()),
    };
    let numbers = head.split_once('.').map(|(layer, head)| (layer.parse(), head.parse()));
    match numbers {
        Some((Ok(layer), Ok(head))) if layer < LAYERS => Ok((layer, head)),
        _ => {
            Err(format!("`{head}` is no head, such as 0.1; layers go from 0 to {}", LAYERS - 1)
                .into())
        }
    }
}

struct Texts {
    vocabulary: usize,
    train: Examples,
    validation: Examples,
    /// The words of the first question of validation.
    words: Vec<String>,
}

impl Texts {
    fn new() -> Self {
        let vocabulary = questions::vocabulary();
        let texts = questions::generate(SEED, 4600);
        let examples = |from: usize, to: usize| Examples {
            ids: texts[from..to].iter().map(|it| vocabulary.encode(&it.text)).collect(),
            labels: texts[from..to].iter().map(|it| it.label).collect(),
        };
        let words = texts[4000].text.split_whitespace().map(str::to_owned).collect();
        let (train, validation) = (examples(0, 4000), examples(4000, 4600));
        Self { vocabulary: vocabulary.len(), train, validation, words }
    }

    /// The first `n` questions of validation, padded to the longest: ids and mask `[n, T]`.
    fn batch(&self, n: usize) -> Result<(Tensor, Tensor), Failure> {
        let rows = &self.validation.ids[..n];
        let longest = rows.iter().map(Vec::len).max().unwrap_or(0);
        let flat = |of: fn(Option<&u32>) -> u32| -> Vec<u32> {
            rows.iter().flat_map(|row| (0..longest).map(move |at| of(row.get(at)))).collect()
        };
        let ids = flat(|id| id.copied().unwrap_or(0));
        let mask = flat(|id| u32::from(id.is_some()));
        let tensor = |of: Vec<u32>| Tensor::from_vec(of, (n, longest), &Device::Cpu);
        Ok((tensor(ids)?, tensor(mask)?.to_dtype(DType::U8)?))
    }
}

/// A model of layers `L`, and the hooks that it can be looked at through.
struct Model {
    classifier: Classifier,
    hooks: Hooks,
}

impl Model {
    /// The weights `[n, H, T, T]` of a layer on a batch.
    fn weights(&self, layer: usize, (ids, mask): &(Tensor, Tensor)) -> Result<Tensor, Failure> {
        let module = format!("layers.{layer}.self_attn");
        let mut epoch = || self.classifier.forward(ids, mask, false).map(drop);
        let captured = Capture::during(&self.hooks, &module, &mut epoch)?;
        captured.into_iter().next().ok_or_else(|| "your capture came back with nothing".into())
    }
}

fn train<L: EncoderLayer + 'static>(texts: &Texts) -> Result<(Model, Vec<EpochRecord>), Failure> {
    let config = EncoderConfig {
        vocabulary: texts.vocabulary,
        max_len: 32,
        layers: LAYERS,
        ..EncoderConfig::reference()
    };
    let (hooks, parameters) = (Hooks::new(), Parameters::new(SEED, &Device::Cpu));
    let below = Wiring::<Submission, L>::new(config, &hooks);
    let classifier = Classifier::new(config, CLASSES.len(), &below, parameters.builder())?;
    // As in grading, embeddings begin with a deviation of 0.3.
    for (name, var) in parameters.vars() {
        if name.ends_with("_embedding.weight") {
            var.set(&var.affine(0.3, 0.0)?)?;
        }
    }
    let recipe = Recipe {
        epochs: 5,
        learning_rate: 2e-3,
        schedule: Schedule::cosine(0.1),
        clip_norm: Some(1.0),
        seed: SEED,
        ..Recipe::default()
    };
    let model = |ids: &Tensor, mask: &Tensor, train: bool| classifier.forward(ids, mask, train);
    let (vars, validation) = (parameters.vars(), Some(&texts.validation));
    let history = fit(&model, &vars, &texts.train, validation, &recipe, &mut ())?;
    Ok((Model { classifier, hooks }, history.epochs))
}

/// Trains, tells how that went and what attention does, and draws it.
fn look_at<L: EncoderLayer + 'static>(
    name: &str,
    texts: &Texts,
    (layer, head): (usize, usize),
) -> Result<Run, Failure> {
    println!("the {name} layer, {LAYERS} deep, on {} questions", texts.train.ids.len());
    println!("  epoch   train loss   accuracy   validation");
    let (model, epochs) = train::<L>(texts)?;
    for (number, epoch) in (1..).zip(&epochs) {
        let validation = epoch.validation_accuracy.unwrap_or(f64::NAN);
        println!(
            "  {number:>5}   {:>10.4}   {:>8.3}   {validation:>10.3}",
            epoch.train_loss, epoch.train_accuracy
        );
    }
    let words: Vec<&str> = texts.words.iter().map(String::as_str).collect();
    let one = texts.batch(1)?;
    let many = texts.batch(LOOKED_AT)?;
    let mut drawn = Vec::new();
    println!("\n  what the heads do, over {LOOKED_AT} questions of validation");
    println!("  layer  head   entropy   from uniform   on padding");
    for layer in 0..LAYERS {
        let statistics = Statistics::of(&model.weights(layer, &many)?, &many.1)?;
        let maps: Vec<Vec<Vec<f32>>> = model.weights(layer, &one)?.squeeze(0)?.to_vec3()?;
        for (head, it) in statistics.iter().enumerate() {
            let HeadStatistics { entropy, from_uniform, on_padding } = it;
            println!(
                "  {layer:>5}  {head:>4}   {entropy:>7.3}   {from_uniform:>12.4}   {on_padding:>10.4}"
            );
        }
        let head = |(number, (it, map)): (usize, (&HeadStatistics, Vec<Vec<f32>>))| Head {
            caption: format!(
                "head {number}: entropy {:.2}, from uniform {:.2}",
                it.entropy, it.from_uniform
            ),
            map: doubles(map),
        };
        drawn.push(statistics.iter().zip(maps).enumerate().map(head).collect::<Vec<Head>>());
    }
    show(name, &drawn, &words, (layer, head))?;
    let of = |value: fn(&EpochRecord) -> Option<f64>| epochs.iter().filter_map(value).collect();
    Ok(Run {
        name: name.to_owned(),
        train_loss: of(|epoch| Some(epoch.train_loss)),
        validation_loss: of(|epoch| epoch.validation_loss),
        train_accuracy: of(|epoch| Some(epoch.train_accuracy)),
        validation_accuracy: of(|epoch| epoch.validation_accuracy),
    })
}

fn doubles(map: Vec<Vec<f32>>) -> Vec<Vec<f64>> {
    map.into_iter().map(|row| row.into_iter().map(f64::from).collect()).collect()
}

/// One head: what it does in numbers, and on the first question.
struct Head {
    caption: String,
    map: Vec<Vec<f64>>,
}

/// Rows of a head's map, as they are drawn.
fn rows(head: &Head) -> Vec<&[f64]> {
    head.map.iter().map(Vec::as_slice).collect()
}

/// Shows one head, the heads of its layer, and all layers.
fn show(
    name: &str,
    layers: &[Vec<Head>],
    words: &[&str],
    (layer, head): (usize, usize),
) -> Result<(), Failure> {
    let Some(chosen) = layers.get(layer).and_then(|heads| heads.get(head)) else {
        return Err(format!("layer {layer} has no head {head}").into());
    };
    let heading = format!("{name} layer {layer}, head {head}");
    println!("\n{}", attention_text(&heading, &rows(chosen), words, words)?);
    let picture = attention(&heading, &rows(chosen), words, words)?;
    save(&format!("{name}-layer-{layer}-head-{head}"), &picture)?;

    let titles: Vec<String> = (0..layers.len()).map(|layer| format!("layer {layer}")).collect();
    let maps: Vec<Vec<Vec<&[f64]>>> =
        layers.iter().map(|heads| heads.iter().map(rows).collect()).collect();
    let mut short: Vec<(&str, Vec<Panel<'_>>)> = Vec::new();
    let mut long: Vec<(&str, Vec<Panel<'_>>)> = Vec::new();
    for ((title, heads), maps) in titles.iter().zip(layers).zip(&maps) {
        let panel = |caption: String, map| Panel { caption, weights: map };
        let named =
            (0..).zip(maps).map(|(head, map)| panel(format!("head {head}"), map.as_slice()));
        short.push((title.as_str(), named.collect()));
        let told =
            heads.iter().zip(maps).map(|(it, map)| panel(it.caption.clone(), map.as_slice()));
        long.push((title.as_str(), told.collect()));
    }
    println!("{}", attention_panels_text(&short, words)?);
    let heading = format!("Every head of the {name} model");
    save(&format!("{name}-layers"), &attention_panels(&heading, &long, words)?)?;
    let heading = format!("The heads of layer {layer} of the {name} model");
    let one = long.get(layer..=layer).unwrap_or_default();
    save(&format!("{name}-layer-{layer}"), &attention_panels(&heading, one, words)?)
}

fn save(name: &str, picture: &Picture) -> Result<(), Failure> {
    let path = Path::new(FOLDER).join(name);
    fs::write(path.with_extension("svg"), picture.svg())?;
    #[cfg(feature = "png")]
    fs::write(path.with_extension("png"), picture.png(2.0)?)?;
    Ok(())
}
