//! Embeddings that begin as published word vectors.

use candle_core::{Result, Tensor};

/// How many words of a vocabulary have a published vector; the row of padding is no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Words whose vector was copied.
    pub found: usize,
    /// Words that were given random numbers.
    pub missing: usize,
}

/// Makes the first token embedding of a model from word vectors in GloVe's text format.
///
/// Each line of the file is a word and its `D` numbers, parted by single spaces:
///
/// ```text
/// the 0.418 0.24968 -0.41242
/// of 0.70853 0.57088 -0.4716
/// ```
///
/// The result has one row for each entry of the vocabulary:
///
/// | entry | row |
/// |---|---|
/// | the first, padding | zeros |
/// | a word that is found | its numbers, exactly as `f32` reads them |
/// | any other | `D` random numbers, drawn as below |
///
/// A word is looked up as it is written, and where that is not found, in lower case: the published
/// vectors of GloVe 6B are all lower case. Of a word that stands in the file twice, the first line
/// counts. Lines without anything on them are skipped.
///
/// Random rows are spread as the found ones are: with `σ` the standard deviation of all numbers of all
/// rows that were found (about their mean, divided by their count; a vector that two entries of the
/// vocabulary share counts twice), number `d` of the row of `word` is
///
/// ```text
/// (2·uᵈ − 1) · √3 · σ         u = Stream::derive(seed, word, 0)
/// ```
///
/// where `uᵈ` is the `d`-th number that the stream's `uniform` gives: uniform numbers between `−√3·σ`
/// and `√3·σ` have standard deviation `σ`. `word` is as the vocabulary writes it. So a word's row does
/// not hang on what other words are missing.
///
/// Pennington et al., *GloVe: Global Vectors for Word Representation* (2014).
///
/// # At the edges
///
/// - A line that is not a word and `D` finite numbers is an error that names the line's number, counted
///   from 1: `line 3: 49 numbers, 50 are expected`. This holds for lines of words that nobody asks for,
///   too: such a file is not what it is taken for.
/// - A file in which none of the words is found is an error: it is another file than it should be, and a
///   model would start from nothing unnoticed.
///
/// # Examples
///
/// `PaddingOnly` is right for a vocabulary without words.
///
/// ```
/// use softmark_kit::prelude::*;
///
/// struct PaddingOnly;
///
/// impl EmbeddingInit for PaddingOnly {
///     fn from_glove(
///         _vocabulary: &[String],
///         _vectors: &str,
///         d_model: usize,
///         _seed: u64,
///     ) -> Result<(Tensor, Coverage)> {
///         let table = Tensor::zeros((1, d_model), DType::F32, &Device::Cpu)?;
///         Ok((table, Coverage { found: 0, missing: 0 }))
///     }
/// }
///
/// let vocabulary = ["<pad>".to_owned()];
/// let (table, _) = PaddingOnly::from_glove(&vocabulary, "the 0.5 1 2\n", 3, 7)?;
/// assert_eq!(table.to_vec2::<f32>()?, [[0.0, 0.0, 0.0]]);
/// # Ok::<(), candle_core::Error>(())
/// ```
pub trait EmbeddingInit {
    /// The table `[V, D]`, `f32`, and how much of the vocabulary was found.
    ///
    /// # Errors
    ///
    /// When a line is not a word and `D` finite numbers, or none of the words is found.
    fn from_glove(
        vocabulary: &[String],
        vectors: &str,
        d_model: usize,
        seed: u64,
    ) -> Result<(Tensor, Coverage)>
    where
        Self: Sized;
}
