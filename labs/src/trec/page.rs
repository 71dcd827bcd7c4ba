//! The report: accuracies beside the published ones, with the fine label in the text and without.

use anyhow::Result;
use softmark_plot::{Column, comparison};

use crate::record::RunRecord;
use crate::report::{Figure, Report, Section, number};
use crate::trec::data::{Leak, Questions};
use crate::trec::model::Method;
use crate::trec::{Finished, Trained};

/// Published validation accuracy of the encoder from scratch.
const FROM_SCRATCH: f64 = 0.904;

/// Number of questions of the published training file.
const PUBLISHED_QUESTIONS: usize = 5452;

/// Everything that the report is about.
#[derive(Debug)]
pub(super) struct Results<'a> {
    /// The runs; each that reads the fine label is followed by the one that does not.
    pub(super) finished: Vec<Finished>,
    /// The questions that were read.
    pub(super) questions: &'a Questions,
    pub(super) seed: u64,
    /// True if the sizes are the published ones.
    pub(super) full: bool,
}

impl Results<'_> {
    /// Returns the runs of each trained part, in the order of training.
    fn pairs(&self) -> Vec<[&Finished; 2]> {
        let of = |leak: Leak| self.finished.iter().filter(move |it| it.leak == leak);
        of(Leak::FineLabel).zip(of(Leak::Absent)).map(|(leaky, clean)| [leaky, clean]).collect()
    }

    /// Returns true if one of the runs measured a published figure of a tuned encoder.
    fn measured(&self, figure: &PublishedFigure) -> bool {
        self.finished.iter().any(|it| figure.is_of(&it.trained))
    }
}

/// Composes the report.
///
/// # Errors
///
/// Fails if a picture cannot be drawn.
pub(super) fn report(results: &Results<'_>) -> Result<Report> {
    Ok(Report {
        title: "TREC: an encoder from scratch and tuned encoders, with and without a label leak"
            .to_owned(),
        source:
            "The figures are validation accuracies of a published course assignment on question \
                 classification. Data: Li and Roth, Learning Question Classifiers, COLING 2002."
                .to_owned(),
        data: data(results.questions),
        seed: results.seed,
        figures: figures(results),
        explanation: explanation(results),
        sections: sections(results)?,
        runs: results.finished.iter().map(|it| it.record.clone()).collect(),
    })
}

/// Returns the sentences on the data.
fn data(questions: &Questions) -> Vec<String> {
    let Questions { train, validation, test } = questions;
    let count = train.len() + validation.len();
    let published = if count == PUBLISHED_QUESTIONS {
        "It is the published file.".to_owned()
    } else {
        format!("The published file has {PUBLISHED_QUESTIONS}.")
    };
    vec![
        format!(
            "Training file: train_5500.label with {count} questions, {} for training and {} for validation, drawn by \
             class. {published} Test file: TREC_10.label with {} questions.",
            train.len(),
            validation.len(),
            test.len(),
        ),
        "A line begins with both labels, such as DESC:manner. With the fine label, the text is the rest of the line \
         after the colon, as the published assignment reads it; without, it is the question alone."
            .to_owned(),
    ]
}

/// Returns the published figures and, below them, those of all runs.
fn figures(results: &Results<'_>) -> Vec<Figure> {
    let mut figures = Vec::new();
    for finished in &results.finished {
        let published = match (&finished.trained, finished.leak) {
            (_, Leak::Absent) => None,
            (Trained::Scratch(_), Leak::FineLabel) => Some(FROM_SCRATCH),
            (trained @ Trained::Tuned { .. }, Leak::FineLabel) => {
                PUBLISHED.iter().find(|it| it.is_of(trained)).map(|it| it.accuracy)
            }
        };
        let name =
            format!("{}, {}: validation accuracy", finished.trained.title(), finished.leak.title());
        let settings = settings(&finished.record);
        let ours = finished.record.validation.accuracy;
        figures.push(Figure::new(&name, published, ours, &settings));
    }
    for it in PUBLISHED.iter().filter(|it| !results.measured(it)) {
        let name = format!(
            "{}, {}, {}: validation accuracy",
            it.title,
            it.method.title(),
            Leak::FineLabel.title()
        );
        figures.push(Figure::new(&name, it.accuracy, None, "not run: needs --hub and a network"));
    }
    figures
}

/// A published figure of a tuned encoder.
struct PublishedFigure {
    encoder: &'static str,
    title: &'static str,
    method: Method,
    accuracy: f64,
}

/// Published validation accuracies of tuned encoders.
const PUBLISHED: [PublishedFigure; 2] = [
    PublishedFigure { encoder: "bert", title: "BERT", method: Method::Prefix(5), accuracy: 0.672 },
    PublishedFigure {
        encoder: "distilbert",
        title: "DistilBERT",
        method: Method::Last(2),
        accuracy: 0.995,
    },
];

impl PublishedFigure {
    /// Returns true if the figure is about this trained part.
    fn is_of(&self, trained: &Trained) -> bool {
        match trained {
            Trained::Tuned { name, method, .. } => *name == self.encoder && *method == self.method,
            Trained::Scratch(_) => false,
        }
    }
}

/// Returns the settings of a run that its title does not name.
fn settings(of: &RunRecord) -> String {
    let each = of.settings.iter().filter(|it| ["epochs", "learning rate"].contains(&&*it.name));
    each.map(|it| format!("{} {}", it.name, it.value)).collect::<Vec<_>>().join(", ")
}

/// Returns the paragraphs that explain the differences.
fn explanation(results: &Results<'_>) -> Vec<String> {
    let mut text = Vec::new();
    for [leaky, clean] in results.pairs() {
        let [of_leaky, of_clean] = [leaky, clean].map(|it| it.record.test.accuracy);
        text.push(format!(
            "{}: {of_leaky:.4} of the test questions with the fine label in the text, {of_clean:.4} without{}.",
            leaky.trained.title(),
            error_ratio(of_leaky, of_clean)
        ));
    }
    text.push(
        "Every fine label belongs to one coarse label, so a classifier that reads the fine label need not read the \
         question. The published figures were measured with the fine label in the text; those without are the ones that \
         say how well questions are classified."
            .to_owned(),
    );
    if !results.full {
        text.push(
            "The encoder from scratch is smaller than the published one, which has 12 layers of width 512; the option \
             --full trains that one."
                .to_owned(),
        );
        if results.finished.iter().any(|it| matches!(it.trained, Trained::Tuned { .. })) {
            text.push("Prefixes are tuned for fewer epochs than the published 100.".to_owned());
        }
    }
    if PUBLISHED.iter().any(|it| !results.measured(it)) {
        text.push(
            "BERT and DistilBERT were not tuned: the option --hub fetches their weights and was not given. An \
             encoder given by --model is another one, so its figures have no published ones beside them."
                .to_owned(),
        );
    }
    text
}

/// Returns how many times as many errors are made without the leak, as the end of a sentence.
fn error_ratio(leaky: f64, clean: f64) -> String {
    let ratio = (1.0 - clean) / (1.0 - leaky);
    if ratio.is_finite() && ratio > 1.0 {
        format!(", {ratio:.1} times as many errors")
    } else {
        String::new()
    }
}

/// Returns the sections after the figures.
fn sections(results: &Results<'_>) -> Result<Vec<Section>> {
    let pairs = results.pairs();
    let titles: Vec<String> = pairs.iter().map(|[leaky, _]| leaky.trained.label()).collect();
    let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
    let value = |of: &Finished| of.record.test.accuracy;
    let columns = [Leak::FineLabel, Leak::Absent].map(|leak| Column {
        name: leak.title().to_owned(),
        values: pairs.iter().flatten().filter(|it| it.leak == leak).map(|it| value(it)).collect(),
    });
    let picture = comparison("Test questions of TREC", &titles, &columns)?;
    let heading = ["trained", "parameters"].into_iter().chain(MEASURED).collect::<Vec<_>>();
    let leak = Section::text("With the fine label and without", &[])
        .with_table(&heading, pairs.iter().map(row).collect())
        .with_picture(
            picture,
            "Test accuracy of each trained part, with the fine label in the text and without.",
        );
    let records: Vec<RunRecord> = results.finished.iter().map(|it| it.record.clone()).collect();
    let mut sections = vec![leak];
    for run in records.iter().filter(|it| it.name.starts_with("scratch-")) {
        sections.push(Section::confusion(run, results.questions.train.classes())?);
    }
    sections.push(Section::curves(&records)?);
    Ok(sections)
}

/// Columns of the table that are measured.
const MEASURED: [&str; 5] = [
    "validation, with the fine label",
    "validation, question alone",
    "test, with the fine label",
    "test, question alone",
    "weighted F1, question alone",
];

/// Returns the row of a trained part.
fn row([leaky, clean]: &[&Finished; 2]) -> Vec<String> {
    let title = leaky.trained.title();
    let (leaky, clean) = (&leaky.record, &clean.record);
    vec![
        title,
        leaky.parameters.to_string(),
        number(leaky.validation.accuracy),
        number(clean.validation.accuracy),
        number(leaky.test.accuracy),
        number(clean.test.accuracy),
        number(clean.test.weighted_f1),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_errors_without_the_leak_are_counted() {
        assert_eq!(error_ratio(0.98, 0.94), ", 3.0 times as many errors");
        assert_eq!(error_ratio(0.9, 0.95), "");
        assert_eq!(error_ratio(1.0, 0.9), "");
    }
}
