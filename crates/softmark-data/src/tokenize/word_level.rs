//! Word-level tokenizer: the most frequent words have ids, all others are unknown.

use std::cmp::Reverse;

use tokenizers::Tokenizer;
use tokenizers::models::wordlevel::WordLevel;
use tokenizers::normalizers::utils::Lowercase;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use crate::tokenize::counts;
use crate::tokenize::encoder::{Frame, TextTokenizer, TokenizeError};
use crate::tokenize::{PAD, UNKNOWN};

/// Returns a tokenizer of the `most` most frequent words of `texts`, in lower case; punctuation marks are
/// words of their own.
///
/// `[PAD]` is 0, `[UNK]` is 1, and the words follow by falling count, words with the same count in their own
/// order. `most = 5000` makes a table of 5002 rows, or of fewer if there are fewer words.
///
/// # Errors
///
/// Fails with [`TokenizeError::NoWords`] if the texts contain no word.
pub fn word_level(
    texts: impl IntoIterator<Item = impl AsRef<str>>,
    most: usize,
) -> Result<TextTokenizer, TokenizeError> {
    let (normalizer, splitter) = (Lowercase, BertPreTokenizer);
    let counts = counts::words(texts, Some(&normalizer), &splitter)?;
    let mut words: Vec<(String, u64)> = counts.into_iter().collect();
    // A stable sort keeps words with the same count in their own order.
    words.sort_by_key(|(_, count)| Reverse(*count));
    let words = words.into_iter().take(most).map(|(word, _)| word);
    let tokens = [PAD, UNKNOWN].map(str::to_owned).into_iter().chain(words);
    let model = WordLevel::builder()
        .vocab(tokens.zip(0..).collect())
        .unk_token(UNKNOWN.to_owned())
        .build()
        .map_err(TokenizeError::Library)?;
    let mut tokenizer = Tokenizer::new(model);
    tokenizer.with_normalizer(Some(normalizer)).map_err(TokenizeError::Library)?;
    tokenizer.with_pre_tokenizer(Some(splitter));
    TextTokenizer::new(tokenizer, Frame::Bare)
}
