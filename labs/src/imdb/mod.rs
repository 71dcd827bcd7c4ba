//! Sentiment of IMDB reviews with GloVe vectors: frozen, trained, and random ones in their place.
//!
//! The published model has vectors of 50 numbers, 5 heads and 6 layers, and clips gradients at a norm of 0.5. Length,
//! width of the feed-forward networks, learning rate and number of epochs are ours.

mod model;
mod vectors;

use std::path::Path;

use anyhow::{Context as _, Result};
use candle_core::{Device, Tensor};
use softmark_common::encoder::{Activation, EncoderConfig, NormPlacement};
use softmark_data::tokenize::{Length, word_level};
use softmark_data::{TextDataset, imdb};
use softmark_kit::init::Parameters;
use softmark_kit::schedule::Schedule;
use softmark_kit::train::Recipe;
use softmark_plot::{Column, comparison};

use crate::imdb::model::Classifier;
use crate::imdb::vectors::{Glove, WIDTH};
use crate::{
    Arguments, Digest, Figure, Lab, Network, Parts, Report, RunRecord, Section, Setting, Training,
    best,
};

/// Name of the lab.
const NAME: &str = "imdb";

/// Published test accuracy, after training on 25,000 reviews.
const PUBLISHED: f64 = 0.81;

/// Number of reviews of the published data set.
const ALL_REVIEWS: usize = 50_000;

/// Number of words of the published vectors.
const ALL_WORDS: usize = 400_000;

/// Length of reviews in tokens; that of `--full` is the second.
const LENGTH: [usize; 2] = [128, 256];

/// Largest number of epochs; training ends after [`PATIENCE`] epochs without a better validation.
const EPOCHS: usize = 10;
const PATIENCE: usize = 5;

/// Number of reviews per step: small, so that the reviews available here make enough steps.
const BATCH: usize = 8;

/// Learning rate after its warm-up.
const LEARNING_RATE: f64 = 5e-4;

/// Largest vocabulary, and the width inside the feed-forward networks.
const WORDS: usize = 25_000;
const INSIDE: usize = 100;

/// Initial values of the word vectors.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Start {
    Glove,
    Random,
}

/// Treatment of the word vectors in training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Words {
    Frozen,
    Trained,
}

/// Word vectors of a run.
#[derive(Debug, Clone, Copy)]
struct Variant {
    name: &'static str,
    start: Start,
    words: Words,
    layers: usize,
}

/// Number of layers of the published model.
const LAYERS: usize = 6;

/// The runs of the lab; the last one is a baseline, the mean of the vectors.
const VARIANTS: [Variant; 5] = [
    Variant { name: "glove-frozen", start: Start::Glove, words: Words::Frozen, layers: LAYERS },
    Variant { name: "glove-trained", start: Start::Glove, words: Words::Trained, layers: LAYERS },
    Variant { name: "random-frozen", start: Start::Random, words: Words::Frozen, layers: LAYERS },
    Variant { name: "random-trained", start: Start::Random, words: Words::Trained, layers: LAYERS },
    Variant { name: "no-layers", start: Start::Glove, words: Words::Trained, layers: 0 },
];

/// The data of the lab.
struct Data {
    parts: Parts,
    /// Initial vectors `[V, D]`.
    glove: Tensor,
    random: Tensor,
    described: Vec<String>,
}

/// Trains the runs and writes the report.
///
/// # Errors
///
/// Fails if the data cannot be read, a training fails, or a file cannot be written.
pub fn run(arguments: &Arguments) -> Result<()> {
    let config = sizes(arguments);
    let data = read(arguments, config.max_len)?;
    let mut lab = Lab::open(NAME, arguments, VARIANTS.len())?;
    let mut runs = Vec::new();
    for variant in VARIANTS {
        let training = training(arguments, &config, variant, &data)?;
        let run =
            lab.train(&training, |device| build(&config, variant, &data, arguments.seed, device))?;
        runs.push(run);
    }
    let with_layers = runs.iter().zip(VARIANTS).filter(|(_, variant)| variant.layers == LAYERS);
    let published: Vec<RunRecord> = with_layers.map(|(run, _)| run.clone()).collect();
    let best = best(&published).context("there are no runs")?.clone();
    let report = Report {
        title: "IMDB reviews with GloVe vectors: frozen, trained, random".to_owned(),
        source: "Published: a post on sentiment of IMDB reviews (Maas and others, Learning Word Vectors for Sentiment \
                 Analysis, ACL 2011) with GloVe vectors (Pennington, Socher and Manning, EMNLP 2014) of 50 numbers, \
                 5 heads, 6 layers, and gradients clipped at a norm of 0.5."
            .to_owned(),
        data: data.described.clone(),
        seed: arguments.seed,
        figures: figures(&runs, &best),
        explanation: explanation(&data.parts, &runs),
        sections: vec![
            Section::runs(&runs),
            vectors_section(&runs)?,
            Section::curves(&runs)?,
            Section::confusion(&best, &data.parts.classes)?,
        ],
        runs,
    };
    report.write(&mut lab)?;
    Ok(())
}

/// Returns the sizes of the model.
fn sizes(arguments: &Arguments) -> EncoderConfig {
    let [length, full] = LENGTH;
    EncoderConfig {
        vocabulary: 0,
        max_len: if arguments.full { full } else { length },
        d_model: WIDTH,
        heads: 5,
        d_ff: INSIDE,
        layers: LAYERS,
        norm: NormPlacement::Post,
        activation: Activation::Relu,
        dropout: 0.1,
    }
}

fn training<'a>(
    arguments: &Arguments,
    config: &EncoderConfig,
    variant: Variant,
    data: &'a Data,
) -> Result<Training<'a>> {
    let mut settings = vec![
        Setting::new("vectors", if variant.start == Start::Glove { "GloVe" } else { "random" }),
        Setting::new(
            "in training",
            if variant.words == Words::Frozen { "frozen" } else { "trained" },
        ),
    ];
    if variant.layers != LAYERS {
        settings.push(Setting::new("layers", variant.layers));
    }
    Ok(Training {
        name: variant.name.to_owned(),
        settings,
        recipe: Recipe {
            epochs: arguments.epochs.unwrap_or(EPOCHS),
            batch_size: BATCH,
            max_len: config.max_len,
            learning_rate: LEARNING_RATE,
            schedule: Schedule::warm_up(0.05),
            clip_norm: Some(0.5),
            patience: Some(PATIENCE),
            seed: arguments.seed,
            ..Recipe::default()
        },
        parts: &data.parts,
        // Frozen vectors are no parameters, so that the key needs them.
        context: Digest::new().tensors([("words", table(variant, data))])?.finish(),
    })
}

/// Returns the initial vectors of a run.
fn table(variant: Variant, data: &Data) -> &Tensor {
    match variant.start {
        Start::Glove => &data.glove,
        Start::Random => &data.random,
    }
}

fn build(
    config: &EncoderConfig,
    variant: Variant,
    data: &Data,
    seed: u64,
    device: &Device,
) -> Result<Network> {
    let parameters = Parameters::new(seed, device);
    let (vb, values) = (parameters.builder(), table(variant, data).to_device(device)?);
    let table = match variant.words {
        Words::Frozen => values,
        Words::Trained => {
            let name = "token_embedding";
            parameters.give(&format!("{name}.weight"), &values);
            vb.pp(name).get(values.shape(), "weight")?
        }
    };
    let config = EncoderConfig { layers: variant.layers, ..*config };
    let model = Classifier::new(&config, table, &vb)?;
    Ok(Network::new(model, parameters))
}

/// Reads the reviews of both folders and the vectors; the last fifth of each training folder is for validation.
fn read(arguments: &Arguments, length: usize) -> Result<Data> {
    let (root, seed) = (arguments.data.join("aclImdb"), arguments.seed);
    let (all, test) = (reviews(&root.join("train"))?, reviews(&root.join("test"))?);
    let (train, validation) = parts_of(&all.labels());
    let train = all.subset("train", &train)?;
    let tokenizer = word_level(train.texts(), WORDS)?.with_length(Length::AtMost(length))?;
    let parts = Parts {
        train: tokenizer.encode_all(&train)?,
        validation: tokenizer.encode_all(&all.subset("validation", &validation)?)?,
        test: tokenizer.encode_all(&test)?,
        classes: all.classes().to_vec(),
    };
    let glove = Glove::read(&arguments.data)?;
    let vocabulary = tokenizer.vocabulary();
    let table = glove.table(&vocabulary, seed)?;
    let count = all.len() + test.len();
    let reviews = format!(
        "{count} of the {ALL_REVIEWS} published reviews were found: {} for training, {} for validation, {} for \
         testing. A review is its first {length} tokens.",
        parts.train.len(),
        parts.validation.len(),
        parts.test.len(),
    );
    let words = format!(
        "{} of the {ALL_WORDS} published GloVe words were found, in {}. Of the vocabulary of {} words, {} have a \
         vector; the others get a random one of the same spread.",
        glove.len(),
        glove.file,
        vocabulary.len(),
        table.known,
    );
    let random = glove.random(vocabulary.len(), seed)?;
    Ok(Data { parts, glove: table.values, random, described: vec![reviews, words] })
}

/// Returns the numbers of the training and the validation reviews: the last fifth of each class is for validation.
///
/// Files are numbered film by film, so that parts drawn at random would have reviews of the same films, and the
/// validation accuracy would be above that on other films.
fn parts_of(labels: &[u32]) -> (Vec<usize>, Vec<usize>) {
    let (mut train, mut validation) = (Vec::new(), Vec::new());
    for class in 0..imdb::CLASSES.len() {
        let numbers =
            (0..labels.len()).filter(|at| labels.get(*at).is_some_and(|it| *it as usize == class));
        let numbers: Vec<usize> = numbers.collect();
        let (first, last) = numbers.split_at(numbers.len() - numbers.len() / 5);
        train.extend(first);
        validation.extend(last);
    }
    (train, validation)
}

/// Reads the reviews of a folder, with their line breaks as blanks.
fn reviews(folder: &Path) -> Result<TextDataset> {
    let all = imdb::read(folder).context(
        "reviews are read from the folders `aclImdb/{train,test}/{neg,pos}` of --data (labs/README.md)",
    )?;
    let mut examples = all.examples().to_vec();
    for example in &mut examples {
        example.text = example.text.replace("<br />", " ");
    }
    Ok(TextDataset::new(all.name(), all.classes().to_vec(), examples)?)
}

fn figures(runs: &[RunRecord], best: &RunRecord) -> Vec<Figure> {
    let chosen = format!("best run of {LAYERS} layers by validation: {}", best.name);
    let mut figures = vec![Figure::new("test accuracy", PUBLISHED, best.test.accuracy, &chosen)];
    for run in runs {
        let name = format!("test accuracy, {}", run.name);
        let settings = format!("{} trained parameters", run.parameters);
        figures.push(Figure::new(&name, None, run.test.accuracy, &settings));
    }
    figures
}

/// Returns a section that compares the runs.
fn vectors_section(runs: &[RunRecord]) -> Result<Section> {
    let names: Vec<&str> = runs.iter().map(|run| run.name.as_str()).collect();
    let of = |value: fn(&RunRecord) -> f64| runs.iter().map(value).collect();
    let columns = [
        Column { name: "validation".to_owned(), values: of(|run| run.validation.accuracy) },
        Column { name: "test".to_owned(), values: of(|run| run.test.accuracy) },
    ];
    let picture = comparison("Accuracy by word vectors", &names, &columns)?;
    let text = "Word vectors at the start, and their treatment in training.";
    let caption = "Accuracy by word vectors, on validation and test reviews.";
    Ok(Section::text("Frozen, trained and random vectors", &[text]).with_picture(picture, caption))
}

/// Returns what explains the differences, with the sizes of the data that was found.
fn explanation(parts: &Parts, runs: &[RunRecord]) -> Vec<String> {
    let frozen = runs.first().map_or(0, |run| run.parameters);
    let (train, test) = (parts.train.len(), parts.test.len());
    let error = (PUBLISHED * (1.0 - PUBLISHED) / test as f64).sqrt();
    vec![
        format!(
            "The published figure is that of a model trained on 25,000 reviews; here {train} are for training. The \
             standard error of an accuracy near {PUBLISHED} on {test} test reviews is {error:.3}."
        ),
        "Files are numbered film by film, with up to 30 reviews of a film. The validation part is the last fifth of \
         each training folder, so that it is about other films than the training part, as the test part is. Where \
         the first files of each folder alone are there, the training reviews are about few films, and what is \
         learnt about them helps little with others."
            .to_owned(),
        "The post states width, heads, layers and clipping. Length, width of the feed-forward networks, learning \
         rate, schedule, early stopping and initialization are ours."
            .to_owned(),
        "The run without layers takes the mean of the vectors and positions: what layers must add to."
            .to_owned(),
        format!(
            "Frozen vectors leave {frozen} parameters to be learnt; trained vectors add {WIDTH} for each word of the \
             vocabulary. Random frozen vectors tell words apart and say nothing of what they mean. Where most words \
             have a vector, the difference to frozen GloVe vectors is what GloVe knows of the words."
        ),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn validation_reviews_are_the_last_of_each_class() {
        let labels = [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1];
        assert_eq!(parts_of(&labels), (vec![0, 1, 2, 3, 5, 6, 7, 8, 9], vec![4, 10]));
    }
}
