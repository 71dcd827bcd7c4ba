//! Subword tokenizer learned by byte-pair encoding.

use tokenizers::Tokenizer;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::normalizers::utils::Lowercase;
use tokenizers::pre_tokenizers::whitespace::Whitespace;

use crate::tokenize::encoder::{Frame, TextTokenizer, TokenizeError};
use crate::tokenize::{CLASS, MASK, PAD, SEPARATOR, UNKNOWN, counts, merges};

/// The special tokens, with ids from 0.
const SPECIAL: [&str; 5] = [PAD, UNKNOWN, CLASS, SEPARATOR, MASK];

/// Treatment of capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// Capital letters are kept.
    #[default]
    Kept,
    /// Capital letters are lowered.
    Lowered,
}

/// Options of a [`bpe`] tokenizer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BpeOptions {
    /// Number of tokens, including special tokens and single characters.
    pub vocabulary: usize,
    /// Treatment of capital letters.
    pub case: Case,
    /// Special tokens around a text.
    pub frame: Frame,
}

impl Default for BpeOptions {
    /// Returns 1000 tokens, capital letters kept, `[CLS]` and `[SEP]` around a text.
    fn default() -> Self {
        Self { vocabulary: 1000, case: Case::Kept, frame: Frame::Bert }
    }
}

/// Returns a tokenizer that merges the characters of words; [`merges`] learns the merges from `texts`.
///
/// Texts are split at blanks, and letters, digits and `_` are separated from all other characters. The ids
/// from 0 are `[PAD]`, `[UNK]`, `[CLS]`, `[SEP]`, `[MASK]`, then the characters in their own order, then the
/// merged tokens. A character that does not occur in `texts` is `[UNK]`.
///
/// ```
/// use softmark_data::tokenize::{BpeOptions, Length, bpe};
///
/// let options = BpeOptions { vocabulary: 12, ..BpeOptions::default() };
/// let tokenizer = bpe(["low low lower", "slow"], options)?.with_length(Length::Exactly(6))?;
/// assert_eq!(tokenizer.vocabulary()[5..], ["e", "l", "o", "r", "s", "w", "lo"]);
/// assert_eq!(tokenizer.encode("slow?")?, [2, 9, 11, 10, 1, 3]);
/// # Ok::<(), softmark_data::tokenize::TokenizeError>(())
/// ```
///
/// # Errors
///
/// Fails with [`TokenizeError::NoWords`] if the texts have no words, and with [`TokenizeError::Vocabulary`]
/// if special tokens and characters outnumber the vocabulary.
pub fn bpe(
    texts: impl IntoIterator<Item = impl AsRef<str>>,
    options: BpeOptions,
) -> Result<TextTokenizer, TokenizeError> {
    let normalizer = (options.case == Case::Lowered).then_some(Lowercase);
    let splitter = Whitespace;
    let words = counts::words(texts, normalizer.as_ref(), &splitter)?;
    let least = merges::least(&words, &SPECIAL);
    if options.vocabulary < least {
        return Err(TokenizeError::Vocabulary { wanted: options.vocabulary, least });
    }
    let learnt = merges::train(&words, &SPECIAL, options.vocabulary);
    let vocabulary: Vocab = learnt.tokens.into_iter().zip(0..).collect();
    let model = BPE::builder()
        .vocab_and_merges(vocabulary, learnt.pairs)
        .unk_token(UNKNOWN.to_owned())
        .build()
        .map_err(TokenizeError::Library)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_normalizer(normalizer).map_err(TokenizeError::Library)?;
    tokenizer.with_pre_tokenizer(Some(splitter));
    TextTokenizer::new(tokenizer, options.frame)
}
