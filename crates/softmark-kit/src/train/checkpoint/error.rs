//! Why a checkpoint cannot be used.

use std::io;
use std::path::PathBuf;

/// Why a file of tensors cannot be written, read or used.
#[derive(Debug, thiserror::Error)]
pub enum CheckpointError {
    /// The disk says no.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// The file is no safetensors file, or not whole.
    #[error("{}: this is no whole safetensors file ({reason}); take an earlier checkpoint", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What safetensors makes of it.
        reason: String,
    },
    /// The file is whole, but something else.
    #[error("{}: {reason}", path.display())]
    Other {
        /// The file.
        path: PathBuf,
        /// What is missing or not known.
        reason: String,
    },
    /// A parameter of the model is not in the file.
    #[error("{}: the parameter `{name}` is missing; there are: {there}", path.display())]
    Missing {
        /// The file.
        path: PathBuf,
        /// The parameter.
        name: String,
        /// What the file has.
        there: String,
    },
    /// The file has a tensor that the model does not know.
    #[error("{}: the model has no parameter `{name}`; was it saved from another model?", path.display())]
    Alien {
        /// The file.
        path: PathBuf,
        /// The tensor.
        name: String,
    },
    /// A tensor has another shape or dtype than the model's parameter.
    #[error("{}: `{name}` is {there}, but the model's is {wanted}", path.display())]
    Shape {
        /// The file.
        path: PathBuf,
        /// The parameter.
        name: String,
        /// What the file has.
        there: String,
        /// What the model has.
        wanted: String,
    },
    /// The checkpoint is of another training.
    #[error(
        "{}: this checkpoint is of another training: {what} differs (there {there}, here {here}); \
         resume with what it began with, or begin anew", path.display()
    )]
    OtherTraining {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
        /// In the checkpoint.
        there: String,
        /// In this training.
        here: String,
    },
    /// A tensor could not be copied.
    #[error("{}: {source}", path.display())]
    Tensor {
        /// The file.
        path: PathBuf,
        /// What candle says.
        source: candle_core::Error,
    },
}
