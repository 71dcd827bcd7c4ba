//! Trials: settings and results.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// Error of a trial.
pub type TrialError = Box<dyn std::error::Error + Send + Sync>;

/// A trial: a number and settings.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Number of the trial, counted from 0, in the order of the grid or of the draws.
    pub id: usize,
    /// Settings by name.
    pub settings: BTreeMap<String, f64>,
}

/// Result of a trial.
///
/// A sweep keeps numbers to nine decimals, so that they are read from JSON exactly as written. Infinite
/// numbers become NaN, which is written as `null`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// Validation accuracy at the best epoch.
    #[serde(deserialize_with = "number_or_none")]
    pub validation_accuracy: f64,
    /// Validation loss at the best epoch.
    #[serde(deserialize_with = "number_or_none")]
    pub validation_loss: f64,
    /// Number of epochs trained.
    pub epochs: usize,
}

fn number_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|it| it.unwrap_or(f64::NAN))
}

impl TrialResult {
    /// Returns the result as it is written and read.
    pub(crate) fn kept(self) -> Self {
        let kept = |x: f64| if x.is_finite() { (x * 1e9).round() / 1e9 } else { f64::NAN };
        let (accuracy, loss) = (kept(self.validation_accuracy), kept(self.validation_loss));
        Self { validation_accuracy: accuracy, validation_loss: loss, ..self }
    }
}

impl Trial {
    /// Returns the setting `name`.
    ///
    /// # Errors
    ///
    /// Fails if there is no such setting; the message names the existing ones.
    pub fn get(&self, name: &str) -> Result<f64, TrialError> {
        self.settings.get(name).copied().ok_or_else(|| {
            let there: Vec<&str> = self.settings.keys().map(String::as_str).collect();
            format!("there is no setting `{name}`; there are: {}", there.join(", ")).into()
        })
    }

    /// Returns a setting that is a count: the nearest integer, at least 0.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`get`](Self::get).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count beyond what fits is as good as the largest"
    )]
    pub fn count(&self, name: &str) -> Result<usize, TrialError> {
        Ok(self.get(name)?.round() as usize)
    }

    /// Returns the settings as text with twelve digits, since numbers read from JSON may differ in their last bit.
    pub(crate) fn key(&self) -> String {
        let one = |(name, value): (&String, &f64)| format!("{name}={value:.11e}");
        self.settings.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// Returns the settings as text for display.
    pub(crate) fn shown(&self) -> String {
        let one = |(name, value): (&String, &f64)| format!("{name}={value}");
        self.settings.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
