//! What happened in a training.

use serde::Serialize;

use crate::train::stopping::Monitor;

/// One step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepRecord {
    /// Counted from 0 over all epochs.
    pub step: u64,
    /// Counted from 0.
    pub epoch: usize,
    /// The batch's mean loss, before the step.
    pub loss: f64,
    /// How many of the batch were predicted rightly, with dropout on.
    pub right: usize,
    /// How many examples the batch had.
    pub examples: usize,
    /// As the schedule had it.
    pub learning_rate: f64,
    /// The norm of all gradients before clipping; `None` where nothing is clipped.
    pub gradient_norm: Option<f64>,
}

/// One epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EpochRecord {
    /// Counted from 0.
    pub epoch: usize,
    /// The mean of the examples' losses as they were trained on, dropout and smoothing included.
    pub train_loss: f64,
    /// Share of the examples that were predicted rightly as they were trained on.
    pub train_accuracy: f64,
    /// The mean cross-entropy of the validation examples, without dropout and smoothing.
    pub validation_loss: Option<f64>,
    /// Share of the validation examples that are predicted rightly.
    pub validation_accuracy: Option<f64>,
    /// At the epoch's last step.
    pub learning_rate: f64,
}

/// All steps and epochs, and how it ended.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct History {
    /// Every step, in order.
    pub steps: Vec<StepRecord>,
    /// Every whole epoch, in order.
    pub epochs: Vec<EpochRecord>,
    /// Whether patience ran out before the epochs did.
    pub stopped_early: bool,
    /// The epoch whose weights the model has been given back, where it was.
    pub restored_epoch: Option<usize>,
    /// The parameters that the first step had no gradient for: their layers are not used, or the
    /// graph is cut between them and the loss.
    pub without_gradient: Vec<String>,
}

impl History {
    /// The best epoch; `None` without a validation.
    pub fn best(&self, monitor: Monitor) -> Option<&EpochRecord> {
        self.epochs.get(monitor.best(&self.epochs)?)
    }

    /// The epoch that the steps of `epoch` make up, without a validation.
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
}
