//! From texts to token ids, with the `tokenizers` crate.
//!
//! | tokenizer | learnt from | normalised | split into words at |
//! |---|---|---|---|
//! | [`word_level`] | the training texts: the most frequent words | lower case | blanks and punctuation |
//! | [`bpe`] | the training texts: the most frequent pairs | as asked | blanks; letters from the rest |
//! | [`word_piece`] | nothing: a vocabulary file | as BERT does | blanks and punctuation |
//!
//! A vocabulary is learnt from what is handed in, so hand in the training part alone: words that only
//! the test part has are unknown, as they will be in use.
//!
//! Special tokens are ids that the tokenizer puts in. A text that has `[PAD]` in it is a text with two
//! brackets and a word; it cannot put that id in.
//!
//! # The same ids every time
//!
//! Words are counted in ordered maps, and ties are broken by the word itself. Pairs are merged by
//! [`merges`], which is this crate's own: the trainer of `tokenizers` 0.23 walks hash maps whose order
//! is drawn anew in each process. Its queue orders pairs by count and then by ids, but holds a pair
//! twice when two ways of merging lead to one token, and which of the two comes first hangs on that
//! order; the same goes for the ids of characters beyond an alphabet's limit and for those with a
//! prefix. `tests/it/tokenizing.rs` compares both on published data, where they agree.

mod bpe;
mod counts;
mod encoder;
pub mod merges;
mod word_level;
mod word_piece;

pub use bpe::{BpeOptions, Case, bpe};
pub use encoder::{Frame, Length, TextTokenizer, TokenizeError};
pub use word_level::word_level;
pub use word_piece::{parse_vocabulary, read_word_piece, word_piece};

/// What fills a text up to a length.
pub const PAD: &str = "[PAD]";
/// What stands for what the vocabulary does not have.
pub const UNKNOWN: &str = "[UNK]";
/// What stands before a text, for models that classify by it.
pub const CLASS: &str = "[CLS]";
/// What stands behind a text.
pub const SEPARATOR: &str = "[SEP]";
/// What stands for a hidden token in pretraining.
pub const MASK: &str = "[MASK]";
