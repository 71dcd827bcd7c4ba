//! Tokenizers, which convert texts to ids.

use softmark_kit::train::Examples;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{PaddingParams, PaddingStrategy, PostProcessor as _, Tokenizer, TruncationParams};

use crate::dataset::TextDataset;
use crate::fault::DataError;
use crate::tokenize::{CLASS, PAD, SEPARATOR, UNKNOWN};

/// Errors of tokenizers.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenizeError {
    /// The texts contain no words to learn a vocabulary from.
    #[error("there is no word in the texts that a vocabulary is to be learnt from")]
    NoWords,
    /// The vocabulary is too small.
    #[error(
        "a vocabulary of {wanted} is too small: special tokens and single characters take {least}"
    )]
    Vocabulary {
        /// Size requested.
        wanted: usize,
        /// Smallest size possible.
        least: usize,
    },
    /// The length leaves no room beside special tokens.
    #[error("a length of {length} leaves no room for text: special tokens take {special}")]
    Length {
        /// Length requested.
        length: usize,
        /// Number of special tokens of each text.
        special: usize,
    },
    /// The vocabulary lacks a special token.
    #[error("the vocabulary has no `{token}`")]
    Missing {
        /// The token.
        token: &'static str,
    },
    /// The vocabulary file cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// The library `tokenizers` failed.
    #[error("the tokenizer failed: {0}")]
    Library(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// Special tokens around the tokens of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Frame {
    /// No special tokens.
    #[default]
    Bare,
    /// `[CLS]` before and `[SEP]` after the text.
    Bert,
}

/// Number of ids of a text, including special tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// Any number.
    #[default]
    Any,
    /// At most this number; longer texts are cut at the end.
    AtMost(usize),
    /// Exactly this number; longer texts are cut at the end, shorter ones are filled with `[PAD]`.
    Exactly(usize),
}

/// A vocabulary and the rules that convert a text to its ids.
///
/// ```
/// use softmark_data::tokenize::{Length, word_level};
///
/// let tokenizer = word_level(["To be, or not to be."], 4)?.with_length(Length::Exactly(6))?;
/// assert_eq!(tokenizer.vocabulary(), ["[PAD]", "[UNK]", "be", "to", ",", "."]);
/// assert_eq!(tokenizer.encode("Be to Caesar.")?, [2, 3, 1, 5, 0, 0]);
/// # Ok::<(), softmark_data::tokenize::TokenizeError>(())
/// ```
#[derive(Debug, Clone)]
pub struct TextTokenizer {
    inner: Tokenizer,
    pad: u32,
    unknown: u32,
}

impl TextTokenizer {
    /// Returns a tokenizer whose vocabulary has `[PAD]` and `[UNK]`, and for a frame `[CLS]` and `[SEP]`.
    pub(crate) fn new(mut inner: Tokenizer, frame: Frame) -> Result<Self, TokenizeError> {
        let id = |inner: &Tokenizer, token| {
            inner.token_to_id(token).ok_or(TokenizeError::Missing { token })
        };
        let (pad, unknown) = (id(&inner, PAD)?, id(&inner, UNKNOWN)?);
        if frame == Frame::Bert {
            let (class, separator) = (id(&inner, CLASS)?, id(&inner, SEPARATOR)?);
            let frame =
                BertProcessing::new((SEPARATOR.to_owned(), separator), (CLASS.to_owned(), class));
            inner.with_post_processor(Some(frame));
        }
        Ok(Self { inner, pad, unknown })
    }

    /// Returns a tokenizer from the content of a published `tokenizer.json`, with `[PAD]` and `[UNK]` among
    /// its tokens. Length settings in the file are ignored; see [`with_length`](Self::with_length).
    ///
    /// # Errors
    ///
    /// Returns the error of `tokenizers`; fails with [`TokenizeError::Missing`] if one of the two tokens is missing.
    pub fn from_json(bytes: &[u8]) -> Result<Self, TokenizeError> {
        let inner = Tokenizer::from_bytes(bytes).map_err(TokenizeError::Library)?;
        Self::new(inner, Frame::Bare)?.with_length(Length::Any)
    }

    /// Returns the same tokenizer for texts of this length.
    ///
    /// # Errors
    ///
    /// Fails with [`TokenizeError::Length`] if the length has no room for one token of text.
    pub fn with_length(mut self, length: Length) -> Result<Self, TokenizeError> {
        let most = match length {
            Length::Any => None,
            Length::AtMost(most) | Length::Exactly(most) => Some(most),
        };
        let frame = self.inner.get_post_processor();
        let special = frame.map_or(0, |frame| frame.added_tokens(false));
        if let Some(length) = most.filter(|most| *most <= special) {
            return Err(TokenizeError::Length { length, special });
        }
        let truncation =
            most.map(|max_length| TruncationParams { max_length, ..TruncationParams::default() });
        self.inner.with_truncation(truncation).map_err(TokenizeError::Library)?;
        let padding = match length {
            Length::Any | Length::AtMost(_) => None,
            Length::Exactly(length) => Some(PaddingParams {
                strategy: PaddingStrategy::Fixed(length),
                pad_id: self.pad,
                pad_token: PAD.to_owned(),
                ..PaddingParams::default()
            }),
        };
        self.inner.with_padding(padding);
        Ok(self)
    }

    /// Returns the ids of a text.
    ///
    /// # Errors
    ///
    /// Returns the error of `tokenizers`; a tokenizer with `[UNK]` can encode every text.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokenizeError> {
        let encoding = self.inner.encode_fast(text, true).map_err(TokenizeError::Library)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// Returns the ids and labels of all examples, in their order.
    ///
    /// # Errors
    ///
    /// Returns the errors of [`encode`](Self::encode).
    pub fn encode_all(&self, dataset: &TextDataset) -> Result<Examples, TokenizeError> {
        let ids: Result<Vec<Vec<u32>>, TokenizeError> =
            dataset.texts().map(|text| self.encode(text)).collect();
        Ok(Examples { ids: ids?, labels: dataset.labels() })
    }

    /// Returns the number of tokens: the rows of an embedding table.
    pub fn size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// Returns the token with this id.
    pub fn token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// Returns the tokens in the order of their ids.
    pub fn vocabulary(&self) -> Vec<String> {
        (0..).map_while(|id| self.token(id)).collect()
    }

    /// Returns the id of `[PAD]`.
    pub fn pad(&self) -> u32 {
        self.pad
    }

    /// Returns the id of `[UNK]`.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// Returns the tokenizer in the format `tokenizer.json` of Hugging Face's libraries.
    ///
    /// # Errors
    ///
    /// Returns the error of `tokenizers`.
    pub fn json(&self) -> Result<String, TokenizeError> {
        self.inner.to_string(false).map_err(TokenizeError::Library)
    }
}
