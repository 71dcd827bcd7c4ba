//! Records of a training.

use serde::Serialize;

use crate::train::record::{EpochRecord, StepRecord};
use crate::train::stopping::Monitor;

/// Records of all steps and epochs, and the end of the training.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct History {
    /// Records of all steps, in order.
    pub steps: Vec<StepRecord>,
    /// Records of all completed epochs, in order.
    pub epochs: Vec<EpochRecord>,
    /// True if training ended early because patience ran out, or because the loss fell below the threshold.
    pub stopped_early: bool,
    /// Epoch whose weights were restored at the end, if any.
    pub restored_epoch: Option<usize>,
    /// Parameters that had no gradient in the first step: their layers are not used, or the graph is cut
    /// between them and the loss.
    pub without_gradient: Vec<String>,
}

impl History {
    /// Returns the record of `epoch` computed from its steps, without validation.
    pub(crate) fn summary(&self, epoch: usize) -> EpochRecord {
        let steps = || self.steps.iter().filter(|step| step.epoch == epoch);
        let examples = steps().map(|step| step.examples).sum::<usize>().max(1) as f64;
        let loss: f64 = steps().map(|step| step.loss * step.examples as f64).sum();
        EpochRecord {
            epoch,
            train_loss: loss / examples,
            train_accuracy: steps().map(|step| step.right).sum::<usize>() as f64 / examples,
            validation_loss: None,
            validation_accuracy: None,
            learning_rate: steps().next_back().map_or(0.0, |step| step.learning_rate),
        }
    }

    /// Returns the best epoch; `None` without validation.
    pub fn best(&self, monitor: Monitor) -> Option<&EpochRecord> {
        self.epochs.get(monitor.best(&self.epochs)?)
    }
}
