//! Pretrained encoders with their tokenizers, from a folder, from the Hub, or built in.
//!
//! | from | |
//! |---|---|
//! | a folder with the files of a published model | [`read`] |
//! | the Hub, at a commit (feature `hub`) | `fetch` |
//! | pretrained by this project and built in, without a file or a network | [`builtin`] |
//!
//! The files are `config.json` and `model.safetensors`, and `tokenizer.json` or `vocab.txt`. The encoder is
//! the kit's ([`softmark_kit::pretrained`]).
//!
//! ```
//! use candle_core::Device;
//! use softmark_data::pretrained::builtin;
//! use softmark_kit::pretrained::PretrainedEncoder;
//!
//! let pretrained = builtin(&Device::Cpu)?;
//! let ids = pretrained.tokenizer.encode("which city ?")?;
//! assert_eq!(ids.len(), 5, "[CLS] which city ? [SEP]");
//! let encoder = PretrainedEncoder::new(pretrained.config, pretrained.weights.builder())?;
//! # assert_eq!(encoder.config().d_model, 96);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#[cfg(feature = "hub")]
mod from_hub;

use std::path::{Path, PathBuf};

use candle_core::Device;
use softmark_kit::pretrained::{PretrainedConfig, PretrainedError, Weights};

use crate::fault::{DataError, Reason};
use crate::files;
use crate::tokenize::{Case, TextTokenizer, TokenizeError, parse_vocabulary, word_piece};

#[cfg(feature = "hub")]
pub use from_hub::fetch;

/// The maximum sizes of a `config.json` and of a tokenizer, in bytes; the largest published have 3 kB and 17 MB.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
const MAX_TOKENIZER_BYTES: u64 = 64 << 20;

/// An encoder's sizes and weights, and the matching tokenizer.
#[derive(Debug, Clone)]
pub struct Pretrained {
    /// Sizes of the encoder.
    pub config: PretrainedConfig,
    /// Weights of the encoder.
    pub weights: Weights,
    /// Tokenizer of the encoder.
    pub tokenizer: TextTokenizer,
}

/// Errors of loading an encoder.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] DataError),
    /// The config or the weights cannot be used.
    #[error("{}: {source}", path.display())]
    Encoder {
        /// The file.
        path: PathBuf,
        /// Reason of the error.
        source: PretrainedError,
    },
    /// The tokenizer cannot be used.
    #[error("{}: {source}", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// Reason of the error.
        source: TokenizeError,
    },
    /// The tokenizer has more tokens than the encoder has rows.
    #[error(
        "the tokenizer has {tokens} tokens and the encoder rows for {rows}; are the files of one model?"
    )]
    Vocabulary {
        /// Number of tokens of the tokenizer.
        tokens: usize,
        /// Number of rows of the encoder's embedding table.
        rows: usize,
    },
    /// The name of the file on the Hub is not valid.
    #[cfg(feature = "hub")]
    #[error(transparent)]
    Name(#[from] crate::hub::NameError),
    /// The file could not be fetched from the Hub.
    #[cfg(feature = "hub")]
    #[error(transparent)]
    Hub(#[from] crate::hub::HubError),
}

/// Reads the files of a published model: `config.json`, `model.safetensors`, and `tokenizer.json` or, if
/// there is none, `vocab.txt`. With `vocab.txt`, words are lowered unless `tokenizer_config.json` says
/// otherwise.
///
/// # Errors
///
/// Fails if one of the files is missing, broken, or of another encoder.
pub fn read(folder: &Path, device: &Device) -> Result<Pretrained, LoadError> {
    let tokenizer = folder.join("tokenizer.json");
    let tokenizer = if tokenizer.exists() { Words::Json(tokenizer) } else { listed(folder)? };
    of_files(&folder.join("config.json"), &folder.join("model.safetensors"), &tokenizer, device)
}

/// Returns the built-in encoder: four layers, 96 channels, pretrained by this project on the corpus of
/// [`softmark_kit::data::corpus`]. Its vocabulary contains only the words of the built-in questions.
///
/// # Errors
///
/// Fails if the embedded files are not those of the project.
pub fn builtin(device: &Device) -> Result<Pretrained, LoadError> {
    let named = |name: &str| PathBuf::from(format!("(built in) {name}"));
    let config_text = include_str!("../../../../fixtures/pretrained/config.json");
    let bytes = include_bytes!("../../../../fixtures/pretrained/model.safetensors");
    let vocabulary = include_bytes!("../../../../fixtures/pretrained/vocab.txt");
    let of_config = |source| LoadError::Encoder { path: named("config.json"), source };
    let config = PretrainedConfig::from_json(config_text).map_err(of_config)?;
    let of_weights = |source| LoadError::Encoder { path: named("model.safetensors"), source };
    let weights = Weights::from_bytes(bytes, &config, device).map_err(of_weights)?;
    let tokens = parse_vocabulary("(built in) vocab.txt", vocabulary)?;
    let of_words = |source| LoadError::Tokenizer { path: named("vocab.txt"), source };
    let tokenizer = word_piece(tokens, Case::Kept).map_err(of_words)?;
    fitting(Pretrained { config, weights, tokenizer })
}

/// Source of a tokenizer.
enum Words {
    /// Path of a `tokenizer.json`.
    Json(PathBuf),
    /// Path of a `vocab.txt`, and the treatment of capital letters.
    List(PathBuf, Case),
}

/// Returns the `vocab.txt` of a folder, and the treatment of capital letters from its
/// `tokenizer_config.json`.
fn listed(folder: &Path) -> Result<Words, LoadError> {
    #[derive(serde::Deserialize)]
    struct Said {
        #[serde(default = "lowers")]
        do_lower_case: bool,
    }
    fn lowers() -> bool {
        true
    }
    let path = folder.join("tokenizer_config.json");
    let lowers = if path.exists() {
        let said = files::bytes(&path, MAX_CONFIG_BYTES)?;
        let said: Said = serde_json::from_slice(&said).map_err(|error| {
            let what = error.to_string();
            files::location(&path).error(Reason::Row { what, form: "JSON, with `do_lower_case`" })
        })?;
        said.do_lower_case
    } else {
        lowers()
    };
    let case = if lowers { Case::Lowered } else { Case::Kept };
    Ok(Words::List(folder.join("vocab.txt"), case))
}

fn of_files(
    config_path: &Path,
    weights_path: &Path,
    words: &Words,
    device: &Device,
) -> Result<Pretrained, LoadError> {
    let of = |path: &Path| {
        let path = path.to_owned();
        move |source| LoadError::Encoder { path, source }
    };
    let config = files::bytes(config_path, MAX_CONFIG_BYTES)?;
    let config = PretrainedConfig::from_json(&String::from_utf8_lossy(&config));
    let config = config.map_err(of(config_path))?;
    let weights = Weights::read(weights_path, &config, device).map_err(of(weights_path))?;
    let (path, tokenizer) = match words {
        Words::Json(path) => {
            (path, TextTokenizer::from_json(&files::bytes(path, MAX_TOKENIZER_BYTES)?))
        }
        Words::List(path, case) => {
            let tokens = files::bytes(path, MAX_TOKENIZER_BYTES)?;
            let tokens = parse_vocabulary(&path.display().to_string(), &tokens)?;
            (path, word_piece(tokens, *case))
        }
    };
    let of_words = |source| LoadError::Tokenizer { path: path.clone(), source };
    fitting(Pretrained { config, weights, tokenizer: tokenizer.map_err(of_words)? })
}

/// Checks that the encoder has a row for every token.
fn fitting(pretrained: Pretrained) -> Result<Pretrained, LoadError> {
    let (tokens, rows) = (pretrained.tokenizer.size(), pretrained.config.vocabulary);
    if tokens <= rows { Ok(pretrained) } else { Err(LoadError::Vocabulary { tokens, rows }) }
}
