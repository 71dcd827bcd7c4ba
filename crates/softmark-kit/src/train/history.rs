//! Records of a training.

use serde::Serialize;

/// Record of one step.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct StepRecord {
    /// Number of the step, counted from 0 over all epochs.
    pub step: u64,
    /// Number of the epoch, counted from 0.
    pub epoch: usize,
    /// Mean loss of the batch, before the step.
    pub loss: f64,
    /// Number of correct predictions in the batch, with dropout.
    pub right: usize,
    /// Number of examples in the batch.
    pub examples: usize,
    /// Learning rate of the step, according to the schedule.
    pub learning_rate: f64,
    /// Global norm of the gradients before clipping; `None` without clipping.
    pub gradient_norm: Option<f64>,
}

/// Record of one epoch.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct EpochRecord {
    /// Number of the epoch, counted from 0.
    pub epoch: usize,
    /// Mean loss of the training examples during the epoch, with dropout and label smoothing.
    pub train_loss: f64,
    /// Share of correct predictions on the training examples during the epoch.
    pub train_accuracy: f64,
    /// Mean cross-entropy of the validation examples, without dropout and label smoothing.
    pub validation_loss: Option<f64>,
    /// Share of the validation examples that are predicted correctly.
    pub validation_accuracy: Option<f64>,
    /// Learning rate of the epoch's last step.
    pub learning_rate: f64,
}

/// Records of all steps and epochs, and the end of the training.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct History {
    /// Records of all steps, in order.
    pub steps: Vec<StepRecord>,
    /// Records of all completed epochs, in order.
    pub epochs: Vec<EpochRecord>,
    /// True if training ended early because patience ran out.
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
}
