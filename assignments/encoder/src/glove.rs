//! Task 5: embeddings that begin as published word vectors.
//!
//! The specification is the documentation of [`EmbeddingInit`].

#![allow(unused_variables, reason = "a skeleton: take this line out as you fill it in")]

use softmark_kit::prelude::*;

/// Reads the vectors of GloVe's text format.
pub struct Glove;

impl EmbeddingInit for Glove {
    fn from_glove(
        vocabulary: &[String],
        vectors: &str,
        d_model: usize,
        seed: u64,
    ) -> Result<(Tensor, Coverage)> {
        todo!("task 5: embeddings from word vectors")
    }
}
