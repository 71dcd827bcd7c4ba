//! Why a training ended without a result.

use crate::train::checkpoint::CheckpointError;

/// Why a training ended without a result.
#[derive(Debug, thiserror::Error)]
pub enum TrainError {
    /// The model, the loss or the optimizer failed.
    #[error("{what}, step {step}: {source}")]
    Step {
        /// What was being done.
        what: &'static str,
        /// At which step, counted from 0.
        step: u64,
        /// What went wrong.
        source: candle_core::Error,
    },
    /// Anything else that candle says no to.
    #[error(transparent)]
    Candle(#[from] candle_core::Error),
    /// A field of the recipe makes no sense.
    #[error("the recipe's {field} is {value}; it should be {allowed}")]
    Recipe {
        /// Which.
        field: &'static str,
        /// What it is.
        value: String,
        /// What it may be.
        allowed: &'static str,
    },
    /// There is nothing to train or validate on.
    #[error("there are no {what} examples")]
    NoExamples {
        /// `training` or `validation`.
        what: &'static str,
    },
    /// Sequences and labels do not pair up.
    #[error("there are {ids} {what} sequences, but {labels} labels")]
    Unpaired {
        /// `training` or `validation`.
        what: &'static str,
        /// How many sequences.
        ids: usize,
        /// How many labels.
        labels: usize,
    },
    /// There is nothing to train.
    #[error("the model has no trainable parameters: it asked the builder for none")]
    NoParameters,
    /// The model's output does not fit the batch.
    #[error("the model's logits are {got:?}; for a batch of {batch} they should be [{batch}, C]")]
    Logits {
        /// Their shape.
        got: Vec<usize>,
        /// `B`
        batch: usize,
    },
    /// A label has no logit.
    #[error("an example has the label {label}, but the model has logits for {classes} classes")]
    Label {
        /// The label.
        label: u32,
        /// `C`
        classes: usize,
    },
    /// The loss depends on no parameter.
    #[error(
        "no parameter gets a gradient from the loss: the graph is cut between them. Look for \
         `detach`, for numbers taken out of tensors and put back, and for operations of candle \
         that have no gradient, such as `candle_nn::ops::softmax_last_dim`"
    )]
    NoGradient,
    /// The loss or the gradients became infinite or no number.
    #[error(
        "{what} is {value} at step {step} (epoch {epoch}, learning rate {learning_rate:e}): {hint}"
    )]
    NotFinite {
        /// What became so.
        what: &'static str,
        /// What it is.
        value: f64,
        /// Counted from 0.
        step: u64,
        /// Counted from 0.
        epoch: usize,
        /// At this step.
        learning_rate: f64,
        /// Where to look.
        hint: &'static str,
    },
    /// More steps than allowed.
    #[error("the training was ended after {allowed} steps, which is all that is allowed")]
    Steps {
        /// How many are.
        allowed: u64,
    },
    /// More parameters than allowed.
    #[error("the model has {count} trainable parameters; {allowed} are allowed")]
    Parameters {
        /// How many are.
        allowed: usize,
        /// How many there are.
        count: usize,
    },
    /// More processor time than allowed.
    #[error(
        "the training was ended before step {step}: it has used {used:.1} s of processor time, and \
         {allowed} s are allowed"
    )]
    CpuTime {
        /// How much is.
        allowed: f64,
        /// How much was used.
        used: f64,
        /// The step that was not begun.
        step: u64,
    },
    /// More memory than allowed.
    #[error(
        "the training was ended before step {step}: it has had {used} MiB of memory, and {allowed} \
         MiB are allowed"
    )]
    Memory {
        /// How much is.
        allowed: u64,
        /// How much there was.
        used: u64,
        /// The step that was not begun.
        step: u64,
    },
    /// The kernel does not say what the process has used.
    #[error("the process's use of time and memory is not known: {0}")]
    Usage(std::io::Error),
    /// A checkpoint could not be written or gone on from.
    #[error(transparent)]
    Checkpoint(Box<CheckpointError>),
}

impl From<CheckpointError> for TrainError {
    /// In a box: it is much larger than the others.
    fn from(error: CheckpointError) -> Self {
        Self::Checkpoint(Box::new(error))
    }
}
