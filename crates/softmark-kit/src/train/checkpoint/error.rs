//! Errors of checkpoints.

use std::io;
use std::path::PathBuf;

/// Errors of writing, reading or using a file of tensors.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The file cannot be read or written.
    #[error("{}: {source}", path.display())]
    Io {
        /// Path of the file.
        path: PathBuf,
        /// Underlying error.
        source: io::Error,
    },
    /// The file is not a complete safetensors file.
    #[error("{}: this is no whole safetensors file ({reason}); take an earlier checkpoint", path.display())]
    Broken {
        /// Path of the file.
        path: PathBuf,
        /// Message of safetensors.
        reason: String,
    },
    /// The file is complete but has another content than expected.
    #[error("{}: {reason}", path.display())]
    Other {
        /// Path of the file.
        path: PathBuf,
        /// Missing or unknown content.
        reason: String,
    },
    /// A parameter of the model is not in the file.
    #[error("{}: the parameter `{name}` is missing; there are: {there}", path.display())]
    Missing {
        /// Path of the file.
        path: PathBuf,
        /// The parameter.
        name: String,
        /// Tensors in the file.
        there: String,
    },
    /// The file contains a tensor that the model does not have.
    #[error("{}: the model has no parameter `{name}`; was it saved from another model?", path.display())]
    Alien {
        /// Path of the file.
        path: PathBuf,
        /// The tensor.
        name: String,
    },
    /// A tensor has another shape or dtype than the model's parameter.
    #[error("{}: `{name}` is {there}, but the model's is {wanted}", path.display())]
    Shape {
        /// Path of the file.
        path: PathBuf,
        /// The parameter.
        name: String,
        /// Shape and dtype in the file.
        there: String,
        /// Shape and dtype in the model.
        wanted: String,
    },
    /// The checkpoint belongs to another training.
    #[error(
        "{}: this checkpoint is of another training: {what} differs (there {there}, here {here}); \
         resume with what it began with, or begin anew", path.display()
    )]
    OtherTraining {
        /// Path of the file.
        path: PathBuf,
        /// Name of what differs.
        what: String,
        /// Value in the checkpoint.
        there: String,
        /// Value in this training.
        here: String,
    },
    /// A tensor could not be copied.
    #[error("{}: {source}", path.display())]
    Tensor {
        /// Path of the file.
        path: PathBuf,
        /// Underlying error.
        source: candle_core::Error,
    },
}
