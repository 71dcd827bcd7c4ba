//! Conversion of texts to token ids, with the `tokenizers` crate.
//!
//! | tokenizer | learnt from | normalised | split into words at |
//! |---|---|---|---|
//! | [`word_level`] | the training texts: the most frequent words | lower case | blanks and punctuation |
//! | [`bpe`] | the training texts: the most frequent pairs | as asked | blanks; letters from the rest |
//! | [`word_piece`] | nothing: a vocabulary file | as BERT does | blanks and punctuation |
//!
//! A vocabulary is learned from the texts passed in. Pass the training part alone: words that occur only in
//! the test part are then unknown, as they will be in use.
//!
//! Only the tokenizer inserts the ids of special tokens. A text that contains `[PAD]` is tokenized as two
//! brackets and a word; it cannot produce that id.
//!
//! # Reproducibility
//!
//! Words are counted in ordered maps, and ties are broken by the word itself. Pairs are merged by [`merges`],
//! this crate's own implementation: the trainer of `tokenizers` 0.23 iterates over hash maps whose order
//! changes from process to process. Its queue orders pairs by count and then by ids, but contains a pair
//! twice if two merges lead to the same token, and their order depends on the hash map. The same holds for
//! the ids of characters beyond an alphabet's limit and of those with a prefix. `tests/it/tokenizing.rs`
//! compares both implementations on published data, where they agree.

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

/// Token that fills a text up to a length.
pub const PAD: &str = "[PAD]";
/// Token for words that are not in the vocabulary.
pub const UNKNOWN: &str = "[UNK]";
/// Token before a text, for models that classify by its output.
pub const CLASS: &str = "[CLS]";
/// Token after a text.
pub const SEPARATOR: &str = "[SEP]";
/// Token that replaces a hidden token in pretraining.
pub const MASK: &str = "[MASK]";
