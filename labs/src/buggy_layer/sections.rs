//! Figures, tables and pictures of the lab's page.

use anyhow::{Context as _, Result};
use softmark_plot::{Column, Panel, attention_panels, comparison};

use crate::buggy_layer::data::{Corpus, Data};
use crate::buggy_layer::observe::{ENTROPY, LARGEST, SIMILARITY, weights_of};
use crate::lab::Parts;
use crate::record::RunRecord;
use crate::report::{Figure, Section, number};

/// Returns the accuracies on a corpus, with the share of the most frequent class for comparison.
pub(super) fn figures(runs: &[RunRecord], corpus: Corpus, parts: &Parts) -> Result<Vec<Figure>> {
    let mut counts = vec![0_usize; parts.classes.len()];
    for label in &parts.test.labels {
        if let Some(count) = counts.get_mut(*label as usize) {
            *count += 1;
        }
    }
    let most = counts.into_iter().max().context("there are no classes")?;
    let chance = most as f64 / parts.test.len() as f64;
    let name = format!("test accuracy, {}-most-frequent-class", corpus.name());
    let mut figures = vec![Figure::new(&name, None, chance, "no training")];
    for run in runs {
        let settings = format!("{} epochs, {} parameters", run.epochs.len(), run.parameters);
        let name = format!("test accuracy, {}", run.name);
        figures.push(Figure::new(&name, None, run.test.accuracy, &settings));
    }
    Ok(figures)
}

/// Returns the sections of a corpus: runs, curves, entropy and similarity by layer, and for the first and the last run,
/// the buggy and the repaired one, heat maps and the confusion matrix.
pub(super) fn sections(
    runs: &[RunRecord],
    corpus: Corpus,
    data: &Data,
    heads: usize,
) -> Result<Vec<Section>> {
    let mut sections = vec![
        Section::runs(runs),
        Section::curves(runs)?,
        by_layer(runs, corpus, ENTROPY, ("Attention entropy by layer", ENTROPY_TEXT))?,
        by_layer(runs, corpus, SIMILARITY, ("Similarity of tokens by layer", SIMILARITY_TEXT))?,
    ];
    for run in runs.first().into_iter().chain(runs.last()) {
        sections.push(heads_of(run, data, heads)?);
        sections.push(Section::confusion(run, &data.parts.classes)?);
    }
    for section in &mut sections {
        section.heading = format!("{} ({} questions)", section.heading, corpus.name());
    }
    Ok(sections)
}

const ENTROPY_TEXT: &str = "Mean entropy of the attention weights of a layer's heads, as a share of the largest \
    possible entropy: 1 means that every query looks at all tokens alike, 0 that it looks at one token.";

const SIMILARITY_TEXT: &str = "Mean cosine similarity of two tokens of a question at the output of a layer: 1 means \
    that all tokens have become the same vector, so that nothing is left to attend to. Negative means are drawn as 0.";

/// Returns a section with a measure by layer, before and after training: a table, and a picture of the latter.
fn by_layer(
    runs: &[RunRecord],
    corpus: Corpus,
    names: [&str; 2],
    (heading, text): (&str, &str),
) -> Result<Section> {
    let mut rows = Vec::new();
    let mut columns = Vec::new();
    let mut layers = 0;
    for run in runs {
        for (name, when) in names.iter().zip(["before training", "after training"]) {
            let values = shares(run, name)?;
            layers = values.len();
            let mut row = vec![format!("{}, {when}", run.name)];
            row.extend(values.iter().copied().map(number));
            rows.push(row);
            if when == "after training" {
                columns.push(Column { name: short(&run.name, corpus), values });
            }
        }
    }
    let titles: Vec<String> = (1..=layers).map(|n| format!("layer {n}")).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let picture = comparison(&format!("{heading}, after training"), &titles, &columns)?;
    let mut head = vec!["run"];
    head.extend(&titles);
    let section = Section::text(heading, &[text]).with_table(&head, rows);
    Ok(section.with_picture(picture, &format!("{heading}, after training.")))
}

/// Returns the name of a run without its corpus, which fits into a legend.
fn short(name: &str, corpus: Corpus) -> String {
    let rest = name.strip_prefix(corpus.name()).and_then(|it| it.strip_prefix('-'));
    rest.unwrap_or(name).to_owned()
}

/// Returns a measure of each layer; entropies are divided by the largest possible entropy.
fn shares(run: &RunRecord, name: &str) -> Result<Vec<f64>> {
    let measure = |name: &str| {
        run.measures.get(name).with_context(|| format!("run {} has no measure `{name}`", run.name))
    };
    let values = measure(name)?;
    if !ENTROPY.contains(&name) {
        return Ok(values.clone());
    }
    let largest = measure(LARGEST)?.first().copied().unwrap_or(1.0);
    Ok(values.iter().map(|value| value / largest).collect())
}

/// Returns a section with the heat maps of all heads of a run.
fn heads_of(run: &RunRecord, data: &Data, heads: usize) -> Result<Section> {
    let tokens: Vec<&str> = data.tokens.iter().map(String::as_str).collect();
    let t = tokens.len();
    let mut layers = Vec::new();
    for layer in 0..data.watched.layers {
        let name = weights_of(layer);
        let values = run.measures.get(&name).with_context(|| format!("no measure `{name}`"))?;
        let rows: Vec<&[f64]> = values.chunks(t).collect();
        layers.push((format!("layer {}", layer + 1), rows));
    }
    let panel = |(head, weights)| Panel { caption: format!("head {}", head + 1), weights };
    let of_layer = |(name, rows)| {
        let (name, rows): (&String, &Vec<&[f64]>) = (name, rows);
        (name.as_str(), rows.chunks(t).take(heads).enumerate().map(panel).collect())
    };
    let rows: Vec<(&str, Vec<Panel<'_>>)> =
        layers.iter().map(|(name, rows)| of_layer((name, rows))).collect();
    let picture = attention_panels(&format!("Attention weights: {}", run.name), &rows, &tokens)?;
    let caption = format!(
        "Attention weights of the run {} on the test question \u{201c}{}\u{201d}; a row is a query, a column a key.",
        run.name,
        data.tokens.join(" ")
    );
    Ok(Section::text(&format!("Heat maps: {}", run.name), &[]).with_picture(picture, &caption))
}
