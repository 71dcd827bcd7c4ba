//! candle-nn as students get it: its names and signatures, and no function that ends the gradient without an error.
//!
//! Students' crates call this crate `candle_nn`. It re-exports candle-nn, but for these items:
//!
//! | item | here |
//! |---|---|
//! | [`Linear`], [`linear()`], [`linear_no_bias`], [`linear_b`] | the layer of [`softmark_kit::nn`], with candle-nn's initial values |
//! | [`LayerNorm`], [`layer_norm()`], [`RmsNorm`], [`rms_norm`] | the layer of [`softmark_kit::nn`]; candle-nn's have no gradient |
//! | [`Embedding`], [`embedding()`] | the layer of [`softmark_kit::nn`] |
//! | [`Dropout`], [`ops::dropout`] | those of [`softmark_kit::nn`], with masks from a seed; candle's generator cannot be seeded |
//! | [`ops::softmax`], [`ops::log_softmax`], [`ops::silu`], [`ops::sigmoid`], [`loss::cross_entropy`] | those of [`softmark_kit::nn`] |
//! | [`ops::softmax_last_dim`], [`ops::layer_norm`], [`ops::rms_norm`], [`rotary_emb`] | computed with a gradient; candle-nn's give none, and no error |
//! | `attention`, `cpu_flash_attention`, `varlen_attention`, `moe`, `ops::sdpa` | not here: assignments ask for attention, and the others run on GPUs only |
//!
//! # Errors of candle
//!
//! Everything else is candle's. On the CPU, candle 0.11.1 computes these wrong, without an error:
//!
//! | item | wrong |
//! |---|---|
//! | [`Conv1d`], [`conv1d`], `Tensor::conv1d` | for more than one example the gradient of the weight, and, without padding and dilation, that of the input as well; the output where the weight is not contiguous in memory |
//! | [`ConvTranspose1d`], [`conv_transpose1d`], `Tensor::conv_transpose1d` | for more than one example the output, without padding and dilation; there is no gradient, which is an error |
//!
//! One example at a time comes out right, and so do [`Conv2d`] and [`ConvTranspose2d`].
//!
//! The gradient of `max` and `max_keepdim` is that of candle as well: each of two equal largest numbers gets the whole
//! gradient. The same holds for `min` and `min_keepdim`.
//!
//! An assignment that asks for more of it to be built has a crate of its own, which re-exports less of this one:
//! `assignments/modern/candle-nn`.

pub mod embedding;
pub mod layer_norm;
pub mod linear;
pub mod loss;
pub mod ops;
pub mod rotary_emb;

pub use candle_core::{Module, ModuleT};
pub use candle_nn::{
    Activation, BatchNorm, BatchNormConfig, Conv1d, Conv1dConfig, Conv2d, Conv2dConfig,
    ConvTranspose1d, ConvTranspose1dConfig, ConvTranspose2d, ConvTranspose2dConfig, Func, FuncT,
    GRUConfig, GroupNorm, Init, LSTMConfig, Optimizer, PReLU, ParamsAdamW, RNN, Sequential,
    VarBuilder, VarMap, activation, conv, encoding, func, group_norm, init, kv_cache, optim, prelu,
    rnn, sampling, seq, sequential, var_builder, var_map,
};
pub use candle_nn::{
    AdamW, GRU, LSTM, SGD, batch_norm, conv_transpose1d, conv_transpose1d_no_bias,
    conv_transpose2d, conv_transpose2d_no_bias, conv1d, conv1d_no_bias, conv2d, conv2d_no_bias,
    func_t, gru, lstm,
};
pub use embedding::{Embedding, embedding};
pub use layer_norm::{
    LayerNorm, LayerNormConfig, RmsNorm, layer_norm, layer_norm_no_bias, rms_norm,
};
pub use linear::{Linear, linear, linear_b, linear_no_bias};
pub use ops::Dropout;
