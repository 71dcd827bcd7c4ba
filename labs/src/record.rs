//! Record of a finished training, as it is saved in `runs/` and in `results.json`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use softmark_kit::metrics::{ConfusionMatrix, MetricError};
use softmark_kit::train::{EpochRecord, Evaluation};

/// A setting of a training, as shown on the page.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setting {
    /// Name of the setting.
    pub name: String,
    /// Value of the setting.
    pub value: String,
}

impl Setting {
    /// Returns a setting.
    #[expect(clippy::needless_pass_by_value, reason = "texts and numbers are passed alike")]
    pub fn new(name: &str, value: impl ToString) -> Self {
        Self { name: name.to_owned(), value: value.to_string() }
    }
}

/// Losses and accuracies of an epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Mean loss of the training examples during the epoch, with dropout.
    pub train_loss: f64,
    /// Share of correct predictions on the training examples during the epoch.
    pub train_accuracy: f64,
    /// Mean loss of the validation examples.
    pub validation_loss: Option<f64>,
    /// Share of the validation examples that are predicted correctly.
    pub validation_accuracy: Option<f64>,
}

impl From<&EpochRecord> for Epoch {
    fn from(record: &EpochRecord) -> Self {
        Self {
            train_loss: record.train_loss,
            train_accuracy: record.train_accuracy,
            validation_loss: record.validation_loss,
            validation_accuracy: record.validation_accuracy,
        }
    }
}

/// Scores of a trained model on one part of the data.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Scores {
    /// Mean cross-entropy.
    pub loss: f64,
    /// Share of the examples that are predicted correctly.
    pub accuracy: f64,
    /// Mean of the classes' F1, weighted by their numbers of examples.
    pub weighted_f1: f64,
    /// Unweighted mean of the classes' F1.
    pub macro_f1: f64,
    /// Counts by label and predicted class.
    pub confusion: Vec<Vec<usize>>,
}

impl Scores {
    /// Computes the scores of an evaluation against the labels of its examples.
    ///
    /// # Errors
    ///
    /// Fails if a label or a prediction is not less than `classes`.
    pub fn new(found: &Evaluation, labels: &[u32], classes: usize) -> Result<Self, MetricError> {
        let matrix = ConfusionMatrix::new(&found.predictions, labels, classes)?;
        Ok(Self {
            loss: found.loss,
            accuracy: found.accuracy,
            weighted_f1: matrix.weighted_f1(),
            macro_f1: matrix.macro_f1(),
            confusion: matrix.rows().map(<[usize]>::to_vec).collect(),
        })
    }
}

/// Further numbers of a run, by name.
pub type Measures = BTreeMap<String, Vec<f64>>;

/// Record of a finished training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct RunRecord {
    /// Name of the run.
    pub name: String,
    /// Digest of everything that determines the run: lab, settings, recipe, data, initial parameters, device.
    pub key: String,
    /// The settings in which runs of the lab differ.
    pub settings: Vec<Setting>,
    /// Number of elements of the trainable parameters.
    pub parameters: usize,
    /// Records of the epochs.
    pub epochs: Vec<Epoch>,
    /// True if training ended early because patience ran out.
    pub stopped_early: bool,
    /// Epoch, counted from 0, whose weights were restored at the end, if any.
    pub restored_epoch: Option<usize>,
    /// Scores on the validation part.
    pub validation: Scores,
    /// Scores on the test part.
    pub test: Scores,
    /// Further numbers that the lab measured after training.
    pub measures: Measures,
}

impl RunRecord {
    /// Returns the settings as one line of text.
    pub fn shown(&self) -> String {
        let each = self.settings.iter().map(|Setting { name, value }| format!("{name} {value}"));
        each.collect::<Vec<_>>().join(", ")
    }

    /// Returns the curves of the run for a picture.
    pub fn curves(&self) -> softmark_plot::Run {
        let of = |value: fn(&Epoch) -> Option<f64>| self.epochs.iter().filter_map(value).collect();
        softmark_plot::Run {
            name: self.name.clone(),
            train_loss: of(|it| Some(it.train_loss)),
            validation_loss: of(|it| it.validation_loss),
            train_accuracy: of(|it| Some(it.train_accuracy)),
            validation_accuracy: of(|it| it.validation_accuracy),
        }
    }
}

/// Returns the run with the highest validation accuracy, the first of equal ones.
pub fn best(runs: &[RunRecord]) -> Option<&RunRecord> {
    runs.iter().reduce(
        |best, run| {
            if run.validation.accuracy > best.validation.accuracy { run } else { best }
        },
    )
}
