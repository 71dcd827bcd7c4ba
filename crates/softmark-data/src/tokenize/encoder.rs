//! A tokenizer that is ready: texts in, ids out.

use softmark_kit::train::Examples;
use tokenizers::processors::bert::BertProcessing;
use tokenizers::{PaddingParams, PaddingStrategy, PostProcessor as _, Tokenizer, TruncationParams};

use crate::dataset::TextDataset;
use crate::fault::DataError;
use crate::tokenize::{CLASS, PAD, SEPARATOR, UNKNOWN};

/// Why texts cannot be turned into ids.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TokenizeError {
    /// Nothing to learn a vocabulary from.
    #[error("there is no word in the texts that a vocabulary is to be learnt from")]
    NoWords,
    /// A vocabulary that is too small.
    #[error(
        "a vocabulary of {wanted} is too small: special tokens and single characters take {least}"
    )]
    Vocabulary {
        /// What was asked for.
        wanted: usize,
        /// The least that there can be.
        least: usize,
    },
    /// A length that special tokens fill already.
    #[error("a length of {length} leaves no room for text: special tokens take {special}")]
    Length {
        /// What was asked for.
        length: usize,
        /// How many special tokens each text gets.
        special: usize,
    },
    /// A vocabulary without a special token.
    #[error("the vocabulary has no `{token}`")]
    Missing {
        /// The token.
        token: &'static str,
    },
    /// A vocabulary file that cannot be used.
    #[error(transparent)]
    Data(#[from] DataError),
    /// What `tokenizers` said.
    #[error("the tokenizer failed: {0}")]
    Library(#[source] Box<dyn std::error::Error + Send + Sync>),
}

/// What stands around a text's tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Frame {
    /// Nothing.
    #[default]
    Bare,
    /// `[CLS]` before and `[SEP]` behind.
    Bert,
}

/// How many ids a text becomes, those of its frame included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Length {
    /// As many as it has.
    #[default]
    Any,
    /// At most so many: what is too long loses its end.
    AtMost(usize),
    /// Just so many: what is too long loses its end, what is too short is filled with `[PAD]`.
    Exactly(usize),
}

/// A vocabulary and the rules by which a text becomes ids of it.
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
    /// A tokenizer whose vocabulary has `[PAD]` and `[UNK]`, and for a frame `[CLS]` and `[SEP]`.
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

    /// A tokenizer from the content of a published `tokenizer.json`, with `[PAD]` and `[UNK]` among its
    /// tokens. What the file says of lengths is left aside: see [`with_length`](Self::with_length).
    ///
    /// # Errors
    ///
    /// What `tokenizers` says of the file; [`TokenizeError::Missing`] for one without the two tokens.
    pub fn from_json(bytes: &[u8]) -> Result<Self, TokenizeError> {
        let inner = Tokenizer::from_bytes(bytes).map_err(TokenizeError::Library)?;
        Self::new(inner, Frame::Bare)?.with_length(Length::Any)
    }

    /// The same tokenizer for texts of that length.
    ///
    /// # Errors
    ///
    /// [`TokenizeError::Length`] when the length has no room for one token of text.
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

    /// The ids of a text.
    ///
    /// # Errors
    ///
    /// What `tokenizers` says; a tokenizer with `[UNK]` has an id for everything.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, TokenizeError> {
        let encoding = self.inner.encode_fast(text, true).map_err(TokenizeError::Library)?;
        Ok(encoding.get_ids().to_vec())
    }

    /// The ids and labels of all examples, in their order.
    ///
    /// # Errors
    ///
    /// As [`encode`](Self::encode).
    pub fn encode_all(&self, dataset: &TextDataset) -> Result<Examples, TokenizeError> {
        let ids: Result<Vec<Vec<u32>>, TokenizeError> =
            dataset.texts().map(|text| self.encode(text)).collect();
        Ok(Examples { ids: ids?, labels: dataset.labels() })
    }

    /// How many tokens there are: the rows of an embedding's table.
    pub fn size(&self) -> usize {
        self.inner.get_vocab_size(true)
    }

    /// The token with that id.
    pub fn token(&self, id: u32) -> Option<String> {
        self.inner.id_to_token(id)
    }

    /// The tokens in the order of their ids.
    pub fn vocabulary(&self) -> Vec<String> {
        (0..).map_while(|id| self.token(id)).collect()
    }

    /// The id of `[PAD]`.
    pub fn pad(&self) -> u32 {
        self.pad
    }

    /// The id of `[UNK]`.
    pub fn unknown(&self) -> u32 {
        self.unknown
    }

    /// The tokenizer as the `tokenizer.json` that Hugging Face's libraries read.
    ///
    /// # Errors
    ///
    /// What `tokenizers` says.
    pub fn json(&self) -> Result<String, TokenizeError> {
        self.inner.to_string(false).map_err(TokenizeError::Library)
    }
}
