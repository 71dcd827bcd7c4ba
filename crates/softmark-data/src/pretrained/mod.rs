//! Pretrained encoders with their tokenizers, from a folder, from the Hub, or built in.
//!
//! | from | |
//! |---|---|
//! | a folder with the files of a published model | [`read`] |
//! | the Hub, at a commit (feature `hub`) | `fetch` |
//! | what this project pretrained itself, without a file or a network | [`builtin`] |
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

/// What a `config.json`, and what a tokenizer may have at most: the largest published have 3 kB and 17 MB.
const MAX_CONFIG_BYTES: u64 = 1 << 20;
const MAX_TOKENIZER_BYTES: u64 = 64 << 20;

/// An encoder's sizes and weights, and the tokenizer that makes its ids.
#[derive(Debug, Clone)]
pub struct Pretrained {
    /// The sizes.
    pub config: PretrainedConfig,
    /// The weights.
    pub weights: Weights,
    /// The tokenizer.
    pub tokenizer: TextTokenizer,
}

/// Why there is no encoder to be had.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LoadError {
    /// A file that cannot be read.
    #[error(transparent)]
    File(#[from] DataError),
    /// A config or weights that cannot be used.
    #[error("{}: {source}", path.display())]
    Encoder {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: PretrainedError,
    },
    /// A tokenizer that cannot be used.
    #[error("{}: {source}", path.display())]
    Tokenizer {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: TokenizeError,
    },
    /// A tokenizer whose ids the encoder does not have.
    #[error(
        "the tokenizer has {tokens} tokens and the encoder rows for {rows}; are the files of one model?"
    )]
    Vocabulary {
        /// Of the tokenizer.
        tokens: usize,
        /// Of the encoder.
        rows: usize,
    },
    /// What the Hub is asked for is no file.
    #[cfg(feature = "hub")]
    #[error(transparent)]
    Name(#[from] crate::hub::NameError),
    /// The Hub does not give a file.
    #[cfg(feature = "hub")]
    #[error(transparent)]
    Hub(#[from] crate::hub::HubError),
}

/// Reads the files of a published model: `config.json`, `model.safetensors`, and `tokenizer.json` or, where
/// there is none, `vocab.txt`, whose words are lowered where `tokenizer_config.json` does not say
/// otherwise.
///
/// # Errors
///
/// When one of them is missing, broken, or of another encoder.
pub fn read(folder: &Path, device: &Device) -> Result<Pretrained, LoadError> {
    let tokenizer = folder.join("tokenizer.json");
    let tokenizer = if tokenizer.exists() { Words::Json(tokenizer) } else { listed(folder)? };
    of_files(&folder.join("config.json"), &folder.join("model.safetensors"), &tokenizer, device)
}

/// The encoder that is built in: four layers, 96 channels, pretrained by this project on the corpus of
/// [`softmark_kit::data::corpus`]; it knows the words of the built-in questions and no others.
///
/// # Errors
///
/// When the files that the program was built with are not those of the project.
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

/// Where a tokenizer comes from.
enum Words {
    /// A `tokenizer.json`.
    Json(PathBuf),
    /// A `vocab.txt`.
    List(PathBuf, Case),
}

/// The `vocab.txt` of a folder, and what its `tokenizer_config.json` says of letters.
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
            files::place(&path).error(Reason::Row { what, form: "JSON, with `do_lower_case`" })
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

/// Whether the encoder has a row for every token.
fn fitting(pretrained: Pretrained) -> Result<Pretrained, LoadError> {
    let (tokens, rows) = (pretrained.tokenizer.size(), pretrained.config.vocabulary);
    if tokens <= rows { Ok(pretrained) } else { Err(LoadError::Vocabulary { tokens, rows }) }
}
