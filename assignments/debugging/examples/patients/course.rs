//! What the run of a patient comes to.

use std::error::Error;
use std::fmt;

use softmark_kit::train::{EpochRecord, History};

/// Why there are no numbers at all.
pub(crate) type Failure = Box<dyn Error + Send + Sync>;

/// What comes of a run.
pub(crate) type Outcome<T = Course> = Result<T, Failure>;

/// What is measured once an epoch.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Epoch {
    pub(crate) train_loss: f64,
    pub(crate) train_accuracy: f64,
    pub(crate) validation_loss: f64,
    pub(crate) validation_accuracy: f64,
}

/// A whole run.
#[derive(Debug, Clone, Default)]
pub(crate) struct Course {
    /// In their order.
    pub(crate) epochs: Vec<Epoch>,
    /// What was looked at besides, by name.
    pub(crate) numbers: Vec<(&'static str, f64)>,
}

impl Course {
    /// What the kit's trainer has written down; NaN where it validated nothing.
    pub(crate) fn of(history: &History) -> Self {
        let epoch = |it: &EpochRecord| Epoch {
            train_loss: it.train_loss,
            train_accuracy: it.train_accuracy,
            validation_loss: it.validation_loss.unwrap_or(f64::NAN),
            validation_accuracy: it.validation_accuracy.unwrap_or(f64::NAN),
        };
        Self { epochs: history.epochs.iter().map(epoch).collect(), numbers: Vec::new() }
    }
}

impl fmt::Display for Course {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:>5} {:>12} {:>12} {:>12} {:>12}", "", "training", "", "validation", "")?;
        let (loss, accuracy) = ("loss", "accuracy");
        writeln!(f, "{:>5} {loss:>12} {accuracy:>12} {loss:>12} {accuracy:>12}", "epoch")?;
        for (number, epoch) in (1..).zip(&self.epochs) {
            let Epoch { train_loss, train_accuracy, validation_loss, validation_accuracy } = epoch;
            write!(f, "{number:>5} {train_loss:>12.6} {train_accuracy:>12.4} ")?;
            writeln!(f, "{validation_loss:>12.6} {validation_accuracy:>12.4}")?;
        }
        if !self.numbers.is_empty() {
            writeln!(f)?;
        }
        let widest = self.numbers.iter().map(|(name, _)| name.len()).max().unwrap_or_default();
        self.numbers
            .iter()
            .try_for_each(|(name, value)| writeln!(f, "{name:<widest$} {value:>8.4}"))
    }
}
