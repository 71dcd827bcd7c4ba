//! Selection of the best epoch, and early stopping.

use serde::{Deserialize, Serialize};

use crate::train::record::EpochRecord;

/// Criterion by which epochs are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Monitor {
    /// Higher validation accuracy; if equal, lower validation loss.
    Accuracy,
    /// Lower validation loss.
    Loss,
}

impl Monitor {
    /// Returns the value of the criterion for an epoch.
    pub(crate) fn score(self, epoch: &EpochRecord) -> Option<f64> {
        match self {
            Self::Accuracy => epoch.validation_accuracy,
            Self::Loss => epoch.validation_loss,
        }
    }

    /// Returns true if `new` is better than `old`; always false without validation.
    fn better(self, new: &EpochRecord, old: &EpochRecord) -> bool {
        let less_loss = match (new.validation_loss, old.validation_loss) {
            (Some(new), Some(old)) => new < old,
            _ => false,
        };
        match (self, new.validation_accuracy, old.validation_accuracy) {
            (Self::Accuracy, Some(new), Some(old)) => new > old || new == old && less_loss,
            _ => less_loss,
        }
    }

    /// Returns the number of the best epoch; `None` before the first epoch, or without validation.
    pub fn best(self, epochs: &[EpochRecord]) -> Option<usize> {
        let mut validated =
            epochs.iter().enumerate().filter(|(_, epoch)| epoch.validation_loss.is_some());
        let first = validated.next()?;
        let best = validated
            .fold(first, |best, epoch| if self.better(epoch.1, best.1) { epoch } else { best });
        Some(best.0)
    }
}

/// Returns true if `patience` epochs have passed since the best one.
pub(crate) fn exhausted(monitor: Monitor, patience: Option<usize>, epochs: &[EpochRecord]) -> bool {
    match (patience, monitor.best(epochs)) {
        (Some(patience), Some(best)) => epochs.len() - 1 - best >= patience.max(1),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn epochs(of: &[(f64, f64)]) -> Vec<EpochRecord> {
        let one = |(epoch, &(accuracy, loss)): (usize, &(f64, f64))| EpochRecord {
            epoch,
            train_loss: 1.0,
            train_accuracy: 0.5,
            validation_loss: Some(loss),
            validation_accuracy: Some(accuracy),
            learning_rate: 0.1,
        };
        of.iter().enumerate().map(one).collect()
    }

    #[test]
    fn better_is_what_the_monitor_says() {
        let history = epochs(&[(0.5, 2.0), (0.7, 1.0), (0.7, 0.9), (0.6, 0.5), (0.7, 0.9)]);
        assert_eq!(Monitor::Accuracy.best(&history), Some(2));
        assert_eq!(Monitor::Loss.best(&history), Some(3));
        assert_eq!(Monitor::Loss.best(&[]), None);
        // A loss of NaN is never better.
        assert_eq!(Monitor::Loss.best(&epochs(&[(0.5, 1.0), (0.5, f64::NAN)])), Some(0));
    }

    #[test]
    fn patience_is_counted_from_the_best_epoch() {
        let history = epochs(&[(0.5, 1.0), (0.7, 1.0), (0.6, 1.0), (0.6, 1.0), (0.6, 1.0)]);
        let stops = |patience, n| exhausted(Monitor::Accuracy, Some(patience), &history[..n]);
        assert!(!stops(3, 4) && stops(3, 5));
        assert!(!stops(1, 2) && stops(1, 3));
        assert!(stops(0, 3), "a patience of 0 is one of 1");
        assert!(!exhausted(Monitor::Accuracy, None, &history));
    }
}
