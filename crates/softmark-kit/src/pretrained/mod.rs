//! Pretrained encoders of the BERT family, through which gradients flow.
//!
//! | for | |
//! |---|---|
//! | the sizes, from `config.json` | [`PretrainedConfig`] |
//! | the weights, from `model.safetensors` | [`Weights`] |
//! | the encoder, its embedding step and its layers apart | [`PretrainedEncoder`] |
//!
//! Where the files come from is not this crate's: `softmark-data` reads a folder, the Hub or what is
//! built in.

mod config;
mod encoder;
mod weights;

pub use config::{PretrainedConfig, PretrainedError};
pub use encoder::PretrainedEncoder;
#[doc(inline)]
pub use softmark_common::pretrained::{BUILTIN, Family, published_name};
pub use weights::Weights;
