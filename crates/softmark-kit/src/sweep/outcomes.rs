//! Outcomes of trials, sorted from best to worst.

use std::cmp::Ordering;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sweep::trial::{Trial, TrialResult};

/// A trial and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// The trial.
    #[serde(flatten)]
    pub trial: Trial,
    /// Result of the trial.
    #[serde(flatten)]
    pub result: TrialResult,
}

/// The outcomes of a sweep's trials, sorted by descending validation accuracy, then by ascending loss, then
/// by number. Accuracies that are NaN come last.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outcomes(Vec<Outcome>);

impl Outcomes {
    pub(crate) fn new(mut outcomes: Vec<Outcome>) -> Self {
        outcomes.sort_by(order);
        Self(outcomes)
    }

    /// Returns the best outcome.
    pub fn best(&self) -> Option<&Outcome> {
        self.0.first()
    }

    /// Returns all outcomes, the best first.
    pub fn all(&self) -> &[Outcome] {
        &self.0
    }

    /// Returns a table with a row for each outcome, the best first.
    pub fn table(&self) -> impl fmt::Display {
        Table(self)
    }
}

fn order(a: &Outcome, b: &Outcome) -> Ordering {
    // NaN counts as the worst possible number.
    let accuracy = |of: &Outcome| {
        let it = of.result.validation_accuracy;
        if it.is_nan() { f64::NEG_INFINITY } else { it }
    };
    let loss = |of: &Outcome| {
        let it = of.result.validation_loss;
        if it.is_nan() { f64::INFINITY } else { it }
    };
    accuracy(b)
        .total_cmp(&accuracy(a))
        .then(loss(a).total_cmp(&loss(b)))
        .then(a.trial.id.cmp(&b.trial.id))
}

struct Table<'a>(&'a Outcomes);

impl fmt::Display for Table<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let outcomes = self.0.all();
        let mut names: Vec<&str> = outcomes
            .iter()
            .flat_map(|outcome| outcome.trial.settings.keys().map(String::as_str))
            .collect();
        names.sort_unstable();
        names.dedup();
        write!(f, "{:>5}", "trial")?;
        for name in &names {
            write!(f, "  {name:>10}")?;
        }
        writeln!(f, "  {:>8}  {:>8}  {:>6}", "accuracy", "loss", "epochs")?;
        for Outcome { trial, result } in outcomes {
            write!(f, "{:>5}", trial.id)?;
            for name in &names {
                let value = trial.settings.get(*name).map_or("-".to_owned(), |it| shown(*it));
                write!(f, "  {value:>width$}", width = name.len().max(10))?;
            }
            let TrialResult { validation_accuracy, validation_loss, epochs } = result;
            writeln!(f, "  {validation_accuracy:>8.4}  {validation_loss:>8.4}  {epochs:>6}")?;
        }
        Ok(())
    }
}

/// Formats small numbers as `1e-4`, and others as they are.
fn shown(value: f64) -> String {
    if value != 0.0 && value.abs() < 1e-2 { format!("{value:e}") } else { value.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outcome(id: usize, validation_accuracy: f64, validation_loss: f64) -> Outcome {
        let settings =
            [("learning_rate".to_owned(), 0.001), ("batch_size".to_owned(), 32.0)].into();
        let result = TrialResult { validation_accuracy, validation_loss, epochs: 7 };
        Outcome { trial: Trial { id, settings }, result }
    }

    #[test]
    fn the_best_comes_first_and_what_is_no_number_last() {
        let outcomes = Outcomes::new(vec![
            outcome(0, f64::NAN, f64::NAN),
            outcome(5, 0.9, 0.3),
            outcome(4, 0.9, 0.3),
            outcome(3, 0.9, 0.2),
            outcome(2, 0.95, 0.9),
            outcome(1, 0.9, f64::NAN),
        ]);
        let ids: Vec<usize> = outcomes.all().iter().map(|it| it.trial.id).collect();
        assert_eq!(ids, [2, 3, 4, 5, 1, 0]);
    }

    #[test]
    fn a_table_has_a_row_for_each() {
        let outcomes = Outcomes::new(vec![outcome(0, 0.5, 1.25), outcome(1, 0.75, 0.5)]);
        let want = "\
trial  batch_size  learning_rate  accuracy      loss  epochs
    1          32           1e-3    0.7500    0.5000       7
    0          32           1e-3    0.5000    1.2500       7
";
        assert_eq!(outcomes.table().to_string(), want);
    }
}
