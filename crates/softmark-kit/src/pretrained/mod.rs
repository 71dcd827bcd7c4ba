//! Pretrained encoders of the BERT family, with gradients.
//!
//! | item | type |
//! |---|---|
//! | sizes, from `config.json` | [`PretrainedConfig`] |
//! | weights, from `model.safetensors` | [`Weights`] |
//! | the encoder, with separate embedding step and layers | [`PretrainedEncoder`] |
//!
//! This crate does not fetch files: `softmark-data` reads a folder, the Hub or the built-in encoder.

mod config;
#[cfg(feature = "pretrained-encoder")]
mod encoder;
mod weights;

pub use config::{PretrainedConfig, PretrainedError};
#[cfg(feature = "pretrained-encoder")]
pub use encoder::PretrainedEncoder;
#[doc(inline)]
pub use softmark_common::pretrained::{BUILTIN, Family, published_name};
pub use weights::Weights;
