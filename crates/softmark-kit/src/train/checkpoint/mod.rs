//! Weights and trainings on disk, as [safetensors](https://github.com/huggingface/safetensors).
//!
//! A file is written beside its place and then renamed, so that what stands there is always whole.
//! Its metadata is one entry, `softmark`, a JSON object; safetensors keeps its metadata in a hash
//! map, and a second entry would make the bytes of two like files differ.

mod error;
mod file;
pub(crate) mod state;

pub use error::CheckpointError;
pub use file::{TensorFile, load_weights, save_weights};
pub use state::{Checkpoint, FORMAT_VERSION};
