//! One try: its settings, and what came of it.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer, Serialize};

/// What a trial may fail with.
pub type TrialError = Box<dyn std::error::Error + Send + Sync>;

/// Settings to try.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trial {
    /// Counted from 0, in the order of the grid or of the draws.
    pub id: usize,
    /// By name.
    pub settings: BTreeMap<String, f64>,
}

/// What came of a trial.
///
/// A sweep keeps numbers to nine decimals: as many as are sure to be read from JSON as they were
/// written. What is infinite becomes no number, and is written as `null`.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct TrialResult {
    /// At the best epoch.
    #[serde(deserialize_with = "number_or_none")]
    pub validation_accuracy: f64,
    /// At the same epoch.
    #[serde(deserialize_with = "number_or_none")]
    pub validation_loss: f64,
    /// How many epochs were trained.
    pub epochs: usize,
}

fn number_or_none<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    Option::deserialize(from).map(|it| it.unwrap_or(f64::NAN))
}

impl TrialResult {
    /// As it is written and read.
    pub(crate) fn kept(self) -> Self {
        let kept = |x: f64| if x.is_finite() { (x * 1e9).round() / 1e9 } else { f64::NAN };
        let (accuracy, loss) = (kept(self.validation_accuracy), kept(self.validation_loss));
        Self { validation_accuracy: accuracy, validation_loss: loss, ..self }
    }
}

impl Trial {
    /// A setting.
    ///
    /// # Errors
    ///
    /// When there is no such setting; the message names those that there are.
    pub fn get(&self, name: &str) -> Result<f64, TrialError> {
        self.settings.get(name).copied().ok_or_else(|| {
            let there: Vec<&str> = self.settings.keys().map(String::as_str).collect();
            format!("there is no setting `{name}`; there are: {}", there.join(", ")).into()
        })
    }

    /// A setting that counts something: the nearest whole number, at least 0.
    ///
    /// # Errors
    ///
    /// Those of [`get`](Self::get).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a count beyond what fits is as good as the largest"
    )]
    pub fn count(&self, name: &str) -> Result<usize, TrialError> {
        Ok(self.get(name)?.round() as usize)
    }

    /// The settings as text, to twelve digits: what is read from JSON may differ in its last bit.
    pub(crate) fn key(&self) -> String {
        let one = |(name, value): (&String, &f64)| format!("{name}={value:.11e}");
        self.settings.iter().map(one).collect::<Vec<_>>().join(", ")
    }

    /// The settings for people.
    pub(crate) fn shown(&self) -> String {
        let one = |(name, value): (&String, &f64)| format!("{name}={value}");
        self.settings.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
