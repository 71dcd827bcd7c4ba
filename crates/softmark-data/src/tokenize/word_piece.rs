//! Subword tokenizer for a vocabulary file, as in BERT.

use std::collections::BTreeMap;
use std::path::Path;

use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::bert::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use crate::decode::{self, Encoding};
use crate::fault::{DataError, Location, Reason, shown};
use crate::files;
use crate::tokenize::UNKNOWN;
use crate::tokenize::bpe::Case;
use crate::tokenize::encoder::{Frame, TextTokenizer, TokenizeError};

/// Parses the tokens in `bytes`, the content of a `vocab.txt` called `file`: one token per line, UTF-8. A
/// token's id is the number of its line, counted from 0.
///
/// # Errors
///
/// Fails with the line if its bytes are not UTF-8, it is empty, or its token has occurred before; fails with
/// [`Reason::Empty`] if there are no lines.
pub fn parse_vocabulary(file: &str, bytes: &[u8]) -> Result<Vec<String>, DataError> {
    let file = Location::file(file);
    let mut tokens = Vec::new();
    let mut lines: BTreeMap<String, usize> = BTreeMap::new();
    for (number, (place, line)) in (1..).zip(decode::lines(bytes, &file)) {
        let token = Encoding::Utf8.decode(line, &place)?;
        if token.is_empty() {
            return Err(place.error(Reason::NoText));
        }
        if let Some(before) = lines.insert(token.clone(), number) {
            let what = format!("`{}` is on line {before} already", shown(&token));
            return Err(place.error(Reason::Row { what, form: "a token that no other row has" }));
        }
        tokens.push(token);
    }
    if tokens.is_empty() { Err(file.error(Reason::Empty)) } else { Ok(tokens) }
}

/// Returns BERT's tokenizer over `tokens`. It drops control characters, normalizes blanks, separates Chinese
/// characters, and with [`Case::Lowered`] removes accents as well. Each word is split into the longest token
/// that the word starts with, and then repeatedly into the longest token, written with `##`, that the rest
/// starts with. A word that cannot be split in this way, or one of more than 100 characters, is `[UNK]`. The
/// frame is [`Frame::Bert`].
///
/// Wu and others, "Google's Neural Machine Translation System", 2016; Devlin and others, "BERT", 2018.
///
/// # Errors
///
/// Fails with [`TokenizeError::Missing`] if `[PAD]`, `[UNK]`, `[CLS]` or `[SEP]` is not among the tokens.
pub fn word_piece(tokens: Vec<String>, case: Case) -> Result<TextTokenizer, TokenizeError> {
    let vocabulary: tokenizers::models::bpe::Vocab = tokens.into_iter().zip(0..).collect();
    let model = WordPiece::builder()
        .vocab(vocabulary)
        .unk_token(UNKNOWN.to_owned())
        .build()
        .map_err(TokenizeError::Library)?;
    let mut tokenizer = Tokenizer::new(model);
    // Accents are removed depending on the case, as in the published configurations.
    let normalizer = BertNormalizer::new(true, true, None, case == Case::Lowered);
    tokenizer.with_normalizer(Some(normalizer)).map_err(TokenizeError::Library)?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    TextTokenizer::new(tokenizer, Frame::Bert)
}

/// Reads BERT's tokenizer from a `vocab.txt`.
///
/// # Errors
///
/// Returns the errors of [`files::bytes`], [`parse_vocabulary`] and [`word_piece`].
pub fn read_word_piece(path: &Path, case: Case) -> Result<TextTokenizer, TokenizeError> {
    let bytes = files::bytes(path, files::MAX_FILE_BYTES)?;
    word_piece(parse_vocabulary(&path.display().to_string(), &bytes)?, case)
}
