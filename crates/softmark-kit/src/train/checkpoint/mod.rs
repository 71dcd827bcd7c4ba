//! Weights and trainings on disk, as [safetensors](https://github.com/huggingface/safetensors).
//!
//! A file is written under a temporary name and then renamed, so that a file at its path is always complete.
//! The metadata has one entry, `softmark`, a JSON object: safetensors keeps metadata in a hash map, so a
//! second entry could make the bytes of two equal files differ.

mod error;
mod file;
pub(crate) mod state;

pub use error::CheckpointError;
pub use file::{TensorFile, load_weights, save_weights};
pub use state::{Checkpoint, FORMAT_VERSION};
