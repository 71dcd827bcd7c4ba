//! Token embeddings initialized with published word vectors.

use candle_core::{Result, Tensor};

/// Numbers of the words of a vocabulary with and without a published vector; padding does not count as a word.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Coverage {
    /// Number of words whose vector was copied.
    pub found: usize,
    /// Number of words that were given random numbers.
    pub missing: usize,
}

/// Constructs the initial token embedding of a model from word vectors in GloVe's text format.
///
/// Each line of the file is a word and its `D` numbers, separated by single spaces:
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
/// | a word that is found | its numbers, exactly as parsed to `f32` |
/// | any other | `D` random numbers, drawn as below |
///
/// A word is looked up as written and, if not found, in lower case: the published vectors of GloVe 6B are all
/// lower case. If a word occurs twice in the file, the first line counts. Empty lines are skipped.
///
/// Random rows have the spread of the rows that were found. Let `σ` be the standard deviation of all numbers
/// of all found rows (about their mean, divided by their count; a vector shared by two entries of the
/// vocabulary counts twice). Element `d` of the row of `word` is
///
/// ```text
/// (2·uᵈ − 1) · √3 · σ         u = Stream::derive(seed, word, 0)
/// ```
///
/// where `uᵈ` is the `d`-th number that the stream's `uniform` returns: uniform numbers between `−√3·σ` and
/// `√3·σ` have standard deviation `σ`. `word` is as written in the vocabulary. So the row of a word does not
/// depend on which other words are missing.
///
/// Pennington et al., *GloVe: Global Vectors for Word Representation* (2014).
///
/// # Edge cases
///
/// - A line that is not a word and `D` finite numbers is an error that names the line's number, counted from
///   1: `line 3: 49 numbers, 50 are expected`. This includes lines of words that are not in the vocabulary,
///   since such a file does not have the expected format.
/// - A file that contains none of the words is an error: it is probably the wrong file, and the model would
///   silently start from random vectors.
///
/// # Examples
///
/// `PaddingOnly` is correct for a vocabulary without words.
///
/// ```
/// # use encoder_spec as softmark_kit;
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
    /// Returns the table `[V, D]`, `f32`, and the coverage of the vocabulary.
    ///
    /// # Errors
    ///
    /// Fails if a line is not a word and `D` finite numbers, or none of the words is found.
    fn from_glove(
        vocabulary: &[String],
        vectors: &str,
        d_model: usize,
        seed: u64,
    ) -> Result<(Tensor, Coverage)>
    where
        Self: Sized;
}
