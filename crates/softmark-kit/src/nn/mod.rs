//! Layers with gradients, fast on the CPU.
//!
//! Names and signatures are candle-nn's: replace `use candle_nn::…` by `use softmark_kit::nn::…`, and the
//! rest of a model stays unchanged.
//!
//! | item | notes |
//! |---|---|
//! | [`linear`], [`linear_no_bias`], [`Linear`] | correct for any view |
//! | [`layer_norm`], [`LayerNorm`] | with a gradient |
//! | [`embedding`], [`embedding_with_padding`], [`Embedding`] | |
//! | [`Dropout`], [`dropout::begin_step`] | masks from a seed |
//! | [`Activation`], [`ops`] | softmax, GELU, `ReLU`, … |
//! | [`loss`] | cross-entropy with smoothing and ignored targets |
//! | [`attention`] | scaled dot-product attention |
//! | [`pooling`] | mean, max and first over real tokens |
//!
//! # Implementation
//!
//! On the CPU each layer has one forward kernel and one backward kernel, derived by hand, in `f32` and, for
//! checking gradients, in `f64`. candle's own layers consist of a dozen operations, each with a tensor of its
//! own in memory and another in the backward pass. On other devices, and for other types, the layers are
//! composed as well: see [`composed`]. There, ids, targets and the masks of dropout pass through host memory:
//! ids and targets are checked, and masks are the same on every device.
//!
//! A result has the same bits for any number of threads.
#![expect(
    clippy::inline_always,
    reason = "what a kernel calls has to be compiled for the kernel's instructions"
)]
#![expect(
    single_use_lifetimes,
    reason = "a kernel names its lifetime: its arguments become a struct"
)]
#![expect(clippy::needless_pass_by_value, reason = "the signatures are candle-nn's")]

#[cfg(feature = "attention")]
pub mod attention;
pub mod composed;
pub mod dropout;
pub mod loss;
pub mod ops;
#[cfg(feature = "pooling")]
pub mod pooling;

mod activation;
mod embedding;
#[cfg(feature = "pretrained-encoder")]
pub(crate) mod frozen;
mod kernel;
mod layer_norm;
mod linear;
mod options;

pub use activation::Activation;
pub use dropout::Dropout;
pub use embedding::{Embedding, embedding, embedding_with_padding};
pub use layer_norm::{LayerNorm, LayerNormConfig, layer_norm, layer_norm_no_bias};
pub use linear::{Linear, linear, linear_b, linear_no_bias};
pub use options::Pooling;
