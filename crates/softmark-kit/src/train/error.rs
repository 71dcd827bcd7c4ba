//! Errors of trainings.

use crate::train::checkpoint::CheckpointError;

/// Errors of a training.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The model, the loss or the optimizer failed.
    #[error("{what}, step {step}: {source}")]
    Step {
        /// Operation that failed.
        what: &'static str,
        /// Number of the step, counted from 0.
        step: u64,
        /// Underlying error.
        source: candle_core::Error,
    },
    /// Another candle operation failed.
    #[error(transparent)]
    Candle(#[from] candle_core::Error),
    /// A field of the recipe is not valid.
    #[error("the recipe's {field} is {value}; it should be {allowed}")]
    Recipe {
        /// Name of the field.
        field: &'static str,
        /// Value of the field.
        value: String,
        /// Allowed values.
        allowed: &'static str,
    },
    /// There are no examples for training or validation.
    #[error("there are no {what} examples")]
    NoExamples {
        /// `training` or `validation`.
        what: &'static str,
    },
    /// The numbers of sequences and labels differ.
    #[error("there are {ids} {what} sequences, but {labels} labels")]
    Unpaired {
        /// `training` or `validation`.
        what: &'static str,
        /// Number of sequences.
        ids: usize,
        /// Number of labels.
        labels: usize,
    },
    /// There are no parameters to train.
    #[error("the model has no trainable parameters: it asked the builder for none")]
    NoParameters,
    /// The shape of the model's output does not match the batch.
    #[error("the model's logits are {got:?}; for a batch of {batch} they should be [{batch}, C]")]
    Logits {
        /// Shape of the logits.
        got: Vec<usize>,
        /// Batch size `B`.
        batch: usize,
    },
    /// A label has no logit.
    #[error("an example has the label {label}, but the model has logits for {classes} classes")]
    Label {
        /// The label.
        label: u32,
        /// Number of classes `C`.
        classes: usize,
    },
    /// The loss does not depend on any parameter.
    #[error(
        "no parameter gets a gradient from the loss: the graph is cut between them. Look for \
         `detach`, for numbers taken out of tensors and put back, and for operations of candle \
         that have no gradient, such as `candle_nn::ops::softmax_last_dim`"
    )]
    NoGradient,
    /// The loss or the gradients became infinite or NaN.
    #[error(
        "{what} is {value} at step {step} (epoch {epoch}, learning rate {learning_rate:e}): {hint}"
    )]
    NotFinite {
        /// Name of the quantity, loss or gradients.
        what: &'static str,
        /// Value of the quantity.
        value: f64,
        /// Number of the step, counted from 0.
        step: u64,
        /// Number of the epoch, counted from 0.
        epoch: usize,
        /// Learning rate of the step.
        learning_rate: f64,
        /// Advice where to look.
        hint: &'static str,
    },
    /// The training needs more steps than allowed.
    #[error("the training was ended after {allowed} steps, which is all that is allowed")]
    Steps {
        /// Number of steps allowed.
        allowed: u64,
    },
    /// The model has more parameters than allowed.
    #[error("the model has {count} trainable parameters; {allowed} are allowed")]
    Parameters {
        /// Number of parameters allowed.
        allowed: usize,
        /// Number of parameters of the model.
        count: usize,
    },
    /// The training used more processor time than allowed.
    #[error(
        "the training was ended before step {step}: it has used {used:.1} s of processor time, and \
         {allowed} s are allowed"
    )]
    CpuTime {
        /// Seconds allowed.
        allowed: f64,
        /// Seconds used.
        used: f64,
        /// Step that was not begun.
        step: u64,
    },
    /// The process used more memory than allowed.
    #[error(
        "the training was ended before step {step}: it has had {used} MiB of memory, and {allowed} \
         MiB are allowed"
    )]
    Memory {
        /// Mebibytes allowed.
        allowed: u64,
        /// Peak memory in mebibytes.
        used: u64,
        /// Step that was not begun.
        step: u64,
    },
    /// The resource usage of the process could not be queried.
    #[error("the process's use of time and memory is not known: {0}")]
    Usage(std::io::Error),
    /// A checkpoint could not be written or resumed from.
    #[error(transparent)]
    Checkpoint(Box<CheckpointError>),
}

impl From<CheckpointError> for TrainError {
    /// Boxes the error, which is much larger than the other variants.
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}
