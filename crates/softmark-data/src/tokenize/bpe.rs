//! Parts of words, learnt by byte-pair encoding.

use tokenizers::Tokenizer;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::normalizers::utils::Lowercase;
use tokenizers::pre_tokenizers::whitespace::Whitespace;

use crate::tokenize::encoder::{Frame, TextTokenizer, TokenizeError};
use crate::tokenize::{CLASS, MASK, PAD, SEPARATOR, UNKNOWN, counts, merges};

/// The special tokens, from id 0 on.
const SPECIAL: [&str; 5] = [PAD, UNKNOWN, CLASS, SEPARATOR, MASK];

/// What becomes of capital letters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Case {
    /// They stay.
    #[default]
    Kept,
    /// They become small ones.
    Lowered,
}

/// How a [`bpe`] tokenizer is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BpeOptions {
    /// How many tokens there are, special ones and single characters included.
    pub vocabulary: usize,
    /// What becomes of capital letters.
    pub case: Case,
    /// What stands around a text.
    pub frame: Frame,
}

impl Default for BpeOptions {
    /// 1000 tokens, capital letters as they are, `[CLS]` and `[SEP]` around a text.
    fn default() -> Self {
        Self { vocabulary: 1000, case: Case::Kept, frame: Frame::Bert }
    }
}

/// A tokenizer that merges the characters of words as [`merges`] learns it from `texts`.
///
/// Words are what stands between blanks, with letters, digits and `_` apart from all else. The ids from
/// 0 are `[PAD]`, `[UNK]`, `[CLS]`, `[SEP]`, `[MASK]`, the characters in their own order, what is merged.
/// A character that `texts` do not have is `[UNK]`.
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
/// [`TokenizeError::NoWords`] when the texts have none, [`TokenizeError::Vocabulary`] when special
/// tokens and characters are more than the vocabulary.
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
