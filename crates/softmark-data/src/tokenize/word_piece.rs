//! Parts of words by a vocabulary file, as BERT has them.

use std::collections::BTreeMap;
use std::path::Path;

use tokenizers::Tokenizer;
use tokenizers::models::wordpiece::WordPiece;
use tokenizers::normalizers::bert::BertNormalizer;
use tokenizers::pre_tokenizers::bert::BertPreTokenizer;

use crate::decode::{self, Encoding};
use crate::fault::{DataError, Place, Reason, shown};
use crate::files;
use crate::tokenize::UNKNOWN;
use crate::tokenize::bpe::Case;
use crate::tokenize::encoder::{Frame, TextTokenizer, TokenizeError};

/// The tokens in `bytes`, the content of a `vocab.txt` called `file`: one a line, UTF-8; a token's id is
/// its line's number, counted from 0.
///
/// # Errors
///
/// With the line: bytes that are not UTF-8, an empty line, a token that has come before.
/// [`Reason::Empty`] for no lines.
pub fn parse_vocabulary(file: &str, bytes: &[u8]) -> Result<Vec<String>, DataError> {
    let file = Place::file(file);
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

/// BERT's tokenizer over `tokens`: control characters are dropped and blanks evened out, Chinese
/// characters stand alone, and with [`Case::Lowered`] accents go as well; then the longest token that a
/// word begins with, and again behind it with `##` before it. A word that cannot be made so, or one of
/// more than 100 characters, is `[UNK]`. The frame is [`Frame::Bert`].
///
/// Wu and others, "Google's Neural Machine Translation System", 2016; Devlin and others, "BERT", 2018.
///
/// # Errors
///
/// [`TokenizeError::Missing`] when `[PAD]`, `[UNK]`, `[CLS]` or `[SEP]` is none of the tokens.
pub fn word_piece(tokens: Vec<String>, case: Case) -> Result<TextTokenizer, TokenizeError> {
    let vocabulary: tokenizers::models::bpe::Vocab = tokens.into_iter().zip(0..).collect();
    let model = WordPiece::builder()
        .vocab(vocabulary)
        .unk_token(UNKNOWN.to_owned())
        .build()
        .map_err(TokenizeError::Library)?;
    let mut tokenizer = Tokenizer::new(model);
    // Whether accents go is left to the case, as in the published configurations.
    let normalizer = BertNormalizer::new(true, true, None, case == Case::Lowered);
    tokenizer.with_normalizer(Some(normalizer)).map_err(TokenizeError::Library)?;
    tokenizer.with_pre_tokenizer(Some(BertPreTokenizer));
    TextTokenizer::new(tokenizer, Frame::Bert)
}

/// BERT's tokenizer over a `vocab.txt`.
///
/// # Errors
///
/// As [`files::bytes`], [`parse_vocabulary`] and [`word_piece`].
pub fn read_word_piece(path: &Path, case: Case) -> Result<TextTokenizer, TokenizeError> {
    let bytes = files::bytes(path, files::MAX_FILE_BYTES)?;
    word_piece(parse_vocabulary(&path.display().to_string(), &bytes)?, case)
}
