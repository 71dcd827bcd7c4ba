//! The report: the ablation as a table and a picture, the random search, curves and a confusion matrix.

use anyhow::{Context as _, Result};
use softmark_plot::{Column, comparison};

use crate::ag_news::data::{Data, SHARES};
use crate::ag_news::{PATIENCE, Size, Trained};
use crate::record::{RunRecord, Scores, best};
use crate::report::{Figure, Report, Section, number};

/// Published accuracies of the baseline and of the best trial of the random search.
const BASELINE: f64 = 0.8525;
const SEARCHED: f64 = 0.8645;

/// Number of rows of the published training file.
const PUBLISHED_ROWS: usize = 120_000;

/// Columns of the tables that show scores.
const SCORES: [&str; 3] = ["accuracy", "weighted F1", "validation accuracy"];

/// Columns of the random search that show settings.
const SETTINGS: [&str; 7] =
    ["heads", "positions", "pooling", "norm", "dropout", "learning rate", "batch"];

/// Everything that the report is about.
#[derive(Debug)]
pub(super) struct Results {
    /// The ablation; the baseline is first, and the attention with one head second.
    pub(super) ablation: Vec<Trained>,
    /// The trials of the random search.
    pub(super) search: Vec<Trained>,
    pub(super) data: Data,
    pub(super) size: Size,
    pub(super) seed: u64,
}

impl Results {
    fn records(&self) -> Vec<RunRecord> {
        self.ablation.iter().chain(&self.search).map(|it| it.record.clone()).collect()
    }

    /// Returns the trial with the highest validation accuracy.
    fn best_trial(&self) -> Option<&Trained> {
        let records: Vec<RunRecord> = self.search.iter().map(|it| it.record.clone()).collect();
        let name = &best(&records)?.name;
        self.search.iter().find(|it| it.record.name == *name)
    }

    /// Returns the ablation and, if there is one, the best trial.
    fn compared(&self) -> Vec<&Trained> {
        self.ablation.iter().chain(self.best_trial()).collect()
    }

    fn scores(&self, name: &str) -> Option<&Scores> {
        Some(&self.ablation.iter().find(|it| it.record.name == name)?.record.test)
    }
}

/// Composes the report.
///
/// # Errors
///
/// Fails if a picture cannot be drawn.
pub(super) fn report(results: &Results) -> Result<Report> {
    let baseline = results.scores("baseline").context("the baseline was not tested")?;
    let trial = results.best_trial();
    let searched = trial.map(|it| &it.record.test);
    let settings = |it: &Trained| it.record.shown();
    let [_, share] = SHARES;
    let usual = &format!("validation share {share}, Adam, early stopping with patience {PATIENCE}");
    let searched_settings = trial.map_or_else(|| "not searched".to_owned(), settings);
    let figures = vec![
        Figure::new("mean of the embeddings, accuracy", BASELINE, baseline.accuracy, usual),
        Figure::new("mean of the embeddings, weighted F1", None, baseline.weighted_f1, usual),
        Figure::new(
            "best trial of the random search, accuracy",
            SEARCHED,
            searched.map(|it| it.accuracy),
            &searched_settings,
        ),
        Figure::new(
            "best trial of the random search, weighted F1",
            None,
            searched.map(|it| it.weighted_f1),
            &searched_settings,
        ),
    ];
    Ok(Report {
        title: "AG News: one self-attention and its settings".to_owned(),
        source: "The figures are from a lab of a published course: a classifier of AG News with one self-attention \
                 over 1,000 byte pairs. Data: Zhang, Zhao and LeCun, Character-level Convolutional Networks for \
                 Text Classification, NIPS 2015."
            .to_owned(),
        data: data(results),
        seed: results.seed,
        figures,
        explanation: explanation(results, baseline),
        sections: sections(results)?,
        runs: results.records(),
    })
}

/// Returns the sentences on the data.
fn data(results: &Results) -> Vec<String> {
    let Results { data, size, .. } = results;
    let (rows, parts) = (data.rows(), &data.parts);
    let file = data.file.file_name().unwrap_or_default().display();
    let published = if rows == PUBLISHED_ROWS {
        "This is the published training file.".to_owned()
    } else {
        format!("The published training file has {PUBLISHED_ROWS} rows.")
    };
    vec![
        format!(
            "Training file: {file} with {rows} rows, {} for training and {} for validation, drawn by class. \
             {published} Test file: test.csv with {} rows.",
            parts.train.len(),
            parts.validation.len(),
            parts.test.len(),
        ),
        format!(
            "A byte-pair encoding of {} pieces is learnt from the texts for training. Texts are cut at {} pieces; \
             {:.0} remain on average.",
            data.sizes.vocabulary,
            size.max_len,
            data.mean_length(),
        ),
    ]
}

/// Returns the paragraphs that explain the differences.
fn explanation(results: &Results, baseline: &Scores) -> Vec<String> {
    let count = results.data.parts.test.len();
    let error = standard_error(baseline.accuracy, count);
    let mut text = vec![format!(
        "On {count} test texts, an accuracy near {:.2} has a standard error of {error:.4}: a difference below {:.3} \
         between two configurations can be chance.",
        baseline.accuracy,
        2.0 * std::f64::consts::SQRT_2 * error,
    )];
    let heads: Vec<(&str, f64)> = results
        .ablation
        .iter()
        .filter(|it| it.record.name.starts_with("heads-"))
        .map(|it| (it.configuration.title.as_str(), it.record.test.accuracy))
        .collect();
    let extreme = |larger: bool| {
        let order = |a: &&(&str, f64), b: &&(&str, f64)| a.1.total_cmp(&b.1);
        if larger { heads.iter().max_by(order) } else { heads.iter().min_by(order) }
    };
    if let (Some(worst), Some(best)) = (extreme(false), extreme(true)) {
        text.push(format!(
            "Over the numbers of heads, the accuracy is between {:.4} ({}) and {:.4} ({}).",
            worst.1, worst.0, best.1, best.0
        ));
    }
    text.push(format!(
        "The published lab names neither its split, nor the maximum length of a text, the optimizer, the dropout or \
         the ranges of its search. Here training ends {PATIENCE} epochs after the best validation accuracy, or \
         after {} epochs; the weights of the best epoch are tested.",
        results.size.epochs,
    ));
    if results.data.rows() < PUBLISHED_ROWS {
        text.push(
            "With fewer rows than the published file, both the baseline and the attention see fewer examples of \
             each piece, which lowers their accuracy."
                .to_owned(),
        );
    }
    text
}

/// Returns the standard error of an accuracy on `count` examples.
fn standard_error(accuracy: f64, count: usize) -> f64 {
    (accuracy * (1.0 - accuracy) / count.max(1) as f64).sqrt()
}

/// Returns the sections after the figures.
fn sections(results: &Results) -> Result<Vec<Section>> {
    let compared = results.compared();
    let titles: Vec<&str> = compared.iter().map(|it| it.configuration.title.as_str()).collect();
    let column = |name: &str, of: fn(&Scores) -> f64| Column {
        name: name.to_owned(),
        values: compared.iter().map(|it| of(&it.record.test)).collect(),
    };
    let columns =
        [column("accuracy", |it| it.accuracy), column("weighted F1", |it| it.weighted_f1)];
    let picture = comparison("Test part of AG News", &titles, &columns)?;
    let caption = "Accuracy and weighted F1 of each configuration on the test part.";
    let text = "The attention has sinusoidal positions, max pooling, no norm, dropout 0.1, a learning rate of 0.001 and \
                batches of 32. Each configuration below the numbers of heads differs from the attention with one head in \
                one aspect; a trial of the random search is the best of those in the next table.";
    let heading = ["configuration"].into_iter().chain(SCORES).chain(["epochs", "parameters"]);
    let ablation = Section::text("Ablation", &[text])
        .with_table(
            &heading.collect::<Vec<_>>(),
            compared.iter().map(|it| ablation_row(it)).collect(),
        )
        .with_picture(picture, caption);
    let mut sections = vec![ablation];
    if !results.search.is_empty() {
        let text = "The best trial is the one with the highest validation accuracy; the test part does not choose it.";
        let heading = ["configuration"].into_iter().chain(SETTINGS).chain(SCORES);
        let rows = results.search.iter().map(search_row).collect();
        let search = Section::text("Random search", &[text]);
        sections.push(search.with_table(&heading.collect::<Vec<_>>(), rows));
    }
    let drawn = ["baseline", "heads-1", "heads-10", "heads-100"];
    let mut curves: Vec<RunRecord> = results
        .ablation
        .iter()
        .filter(|it| drawn.contains(&it.record.name.as_str()))
        .map(|it| it.record.clone())
        .collect();
    if let Some(trial) = results.best_trial() {
        curves.push(trial.record.clone());
        sections.push(Section::confusion(&trial.record, &results.data.parts.classes)?);
    }
    sections.push(Section::curves(&curves)?);
    Ok(sections)
}

/// Returns the row of a configuration in the table of the ablation.
fn ablation_row(of: &Trained) -> Vec<String> {
    let record = &of.record;
    let mut row = vec![of.configuration.title.clone()];
    row.extend(scores(record));
    row.extend([record.epochs.len().to_string(), record.parameters.to_string()]);
    row
}

/// Returns the row of a trial in the table of the random search.
fn search_row(of: &Trained) -> Vec<String> {
    let setting = |name: &str| of.record.settings.iter().find(|it| it.name == name);
    let shown = |name: &&str| setting(name).map_or("–".to_owned(), |it| it.value.clone());
    let mut row = vec![of.configuration.title.clone()];
    row.extend(SETTINGS.iter().map(shown));
    row.extend(scores(&of.record));
    row
}

/// Returns the cells of [`SCORES`].
fn scores(of: &RunRecord) -> [String; 3] {
    let Scores { accuracy, weighted_f1, .. } = of.test;
    [accuracy, weighted_f1, of.validation.accuracy].map(number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_standard_error_is_that_of_a_share() {
        assert!((standard_error(0.5, 100) - 0.05).abs() < 1e-12);
        assert!(standard_error(1.0, 0).abs() < 1e-12);
    }
}
