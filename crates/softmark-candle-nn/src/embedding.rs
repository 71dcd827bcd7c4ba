//! The embedding table.

pub use softmark_kit::nn::{Embedding, embedding};
