//! Records of one step, and of one epoch.

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
