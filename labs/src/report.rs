//! The report of a lab: published and measured figures, runs, tables and pictures.

use serde::Serialize;
use softmark_plot::{Picture, PlotError, confusion_matrix, training_curves};

use crate::record::RunRecord;

/// A published figure beside the measured one.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Figure {
    /// Name of the measured quantity, such as `test accuracy`.
    pub name: String,
    /// The published figure, if there is one.
    pub published: Option<f64>,
    /// The measured figure, if it was measured.
    pub ours: Option<f64>,
    /// Settings of the measured figure, and how they differ from the published ones.
    pub settings: String,
}

impl Figure {
    /// Returns a figure.
    pub fn new(
        name: &str,
        published: impl Into<Option<f64>>,
        ours: impl Into<Option<f64>>,
        settings: &str,
    ) -> Self {
        let (published, ours) = (published.into(), ours.into());
        Self { name: name.to_owned(), published, ours, settings: settings.to_owned() }
    }
}

/// A table of texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    /// Titles of the columns.
    pub columns: Vec<String>,
    /// Rows with one text for each column.
    pub rows: Vec<Vec<String>>,
}

/// A section of the page after the figures.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Section {
    /// Heading of the section.
    pub heading: String,
    /// Paragraphs below the heading.
    pub text: Vec<String>,
    /// Table below the paragraphs.
    pub table: Option<Table>,
    /// Pictures at the end, each with its caption.
    pub pictures: Vec<Drawing>,
}

/// A picture with its caption.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Drawing {
    /// The picture.
    pub picture: Picture,
    /// The caption, which is also what a screen reader says.
    pub caption: String,
}

impl Section {
    /// Returns a section of paragraphs.
    pub fn text(heading: &str, text: &[&str]) -> Self {
        let text = text.iter().map(|it| (*it).to_owned()).collect();
        Self { heading: heading.to_owned(), text, table: None, pictures: Vec::new() }
    }

    /// Returns the section with a table.
    #[must_use]
    pub fn with_table(self, columns: &[&str], rows: Vec<Vec<String>>) -> Self {
        let columns = columns.iter().map(|it| (*it).to_owned()).collect();
        Self { table: Some(Table { columns, rows }), ..self }
    }

    /// Returns the section with a further picture.
    #[must_use]
    pub fn with_picture(mut self, picture: Picture, caption: &str) -> Self {
        self.pictures.push(Drawing { picture, caption: caption.to_owned() });
        self
    }

    /// Returns a section with the curves of runs.
    ///
    /// # Errors
    ///
    /// Fails if no run has an epoch.
    pub fn curves(runs: &[RunRecord]) -> Result<Self, PlotError> {
        let curves: Vec<_> = runs.iter().map(RunRecord::curves).collect();
        let picture = training_curves("Loss and accuracy by epoch", &curves)?;
        let caption = "Loss and accuracy by epoch; training dashed, validation solid.";
        Ok(Self::text("Training curves", &[]).with_picture(picture, caption))
    }

    /// Returns a section with the confusion matrix of a run on the test part.
    ///
    /// # Errors
    ///
    /// Fails if the number of classes is not that of the matrix.
    pub fn confusion(run: &RunRecord, classes: &[String]) -> Result<Self, PlotError> {
        let test = &run.test;
        let rows: Vec<&[usize]> = test.confusion.iter().map(Vec::as_slice).collect();
        let names: Vec<&str> = classes.iter().map(String::as_str).collect();
        let picture = confusion_matrix("Test examples", &rows, &names)?;
        let caption = format!(
            "Test examples by label and prediction, run {}: accuracy {:.4}, weighted F1 {:.4}.",
            run.name, test.accuracy, test.weighted_f1
        );
        Ok(Self::text("Confusion matrix", &[]).with_picture(picture, &caption))
    }

    /// Returns a section with one row for each run.
    pub fn runs(runs: &[RunRecord]) -> Self {
        let columns =
            ["run", "settings", "parameters", "epochs", "validation", "test", "weighted F1"];
        Self::text("Runs", &[]).with_table(&columns, runs.iter().map(row).collect())
    }
}

/// Formats a loss, an accuracy or another figure.
pub(crate) fn number(of: f64) -> String {
    format!("{of:.4}")
}

/// Returns the row of a run in a table.
fn row(run: &RunRecord) -> Vec<String> {
    let epochs = match run.restored_epoch {
        Some(best) => format!("{} (best {})", run.epochs.len(), best + 1),
        None => run.epochs.len().to_string(),
    };
    vec![
        run.name.clone(),
        run.shown(),
        run.parameters.to_string(),
        epochs,
        number(run.validation.accuracy),
        number(run.test.accuracy),
        number(run.test.weighted_f1),
    ]
}

/// The report of a lab.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// Title of the page.
    pub title: String,
    /// Author, title and year or venue of the published figures, and what they are about.
    pub source: String,
    /// Sentences on the data used here and on the published data.
    pub data: Vec<String>,
    /// Seed of the runs.
    pub seed: u64,
    /// Published and measured figures.
    pub figures: Vec<Figure>,
    /// Paragraphs that explain the differences.
    pub explanation: Vec<String>,
    /// Further sections, in order.
    pub sections: Vec<Section>,
    /// All runs.
    pub runs: Vec<RunRecord>,
}
