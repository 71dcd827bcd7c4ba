//! The library that students program against.
//!
//! An assignment asks for implementations of traits, which are in its specification, `assignments/<id>/spec`. That crate
//! re-exports this one, and students' code calls it `softmark_kit`. Each trait's documentation is the specification:
//! the formula, the shapes, the dtype, the meaning of a mask, the names and shapes of parameters, and the behavior in
//! edge cases.
//!
//! Students build and train their components with these modules:
//!
//! | for | module |
//! |---|---|
//! | layers with gradients, fast on the CPU | [`nn`] |
//! | parameters by name, from seeded streams | [`init`] |
//! | Adam, `AdamW`, gradient descent, clipping | [`optim`] |
//! | warm-up and decay of the learning rate | [`schedule`] |
//! | the loop: batches, early stopping, checkpoints, limits | [`train`] |
//! | accuracy, F1, confusion matrix | [`metrics`] |
//! | hyperparameter search | [`sweep`] |
//!
//! # Features
//!
//! `attention`, `pooling`, `pretrained-encoder` and `sweep` are all on by default. An assignment that asks for one of them
//! does without it, and is handed out without its source.
//!
//! # Letters
//!
//! Shapes are written with the same letters everywhere:
//!
//! | letter | size of |
//! |---|---|
//! | `B` | the batch |
//! | `T`, `Tq`, `Tk` | a sequence; the query's and the key's where they differ |
//! | `D` | the model (`d_model`) |
//! | `H`, `K` | the heads, and the width of one (`K = D / H`) |
//!
//! Floating point tensors are `f32`.
//! Masks are `u8`, **1 = may look, 0 = may not**.
//! Weights are stored output-first: `y = x · Wᵀ + b`, which is how [`candle_nn::Linear`] reads them.
//!
//! # Pitfalls of candle
//!
//! Students get candle-nn from `softmark-candle-nn`, which has the same names and none of these pitfalls.
//!
//! - [`candle_nn::ops::softmax`] has a gradient; `softmax_last_dim`, `layer_norm`, `rms_norm` and the rotary embeddings
//!   of candle-nn have none and give no error: parameters before them silently get no gradient.
//! - `transpose` and `narrow` return views. Some operations require [`contiguous`] memory and return an error
//!   otherwise; `reshape` copies when necessary.
//! - [`candle_nn::Linear`] of candle 0.11.1 gives wrong numbers, and no error, for a batch of more than one
//!   example whose last two axes were swapped by `transpose`: call [`contiguous`] first.
//! - `sum` over any but the last axes divides two integers for each element to find out where it belongs. The backward
//!   pass of `broadcast_add` does that, and so the gradient of every bias of [`candle_nn::Linear`]. [`nn::linear`] has
//!   the same parameters and computes that gradient in its own kernel: the classifier of the assignment `attention` is
//!   trained in 0.82 s with it, and in 1.15 s with candle-nn's.
//!
//! [`contiguous`]: candle_core::Tensor::contiguous

#![cfg_attr(
    not(all(feature = "pooling", feature = "pretrained-encoder", feature = "sweep")),
    allow(dead_code, reason = "kernels have functions for all layers")
)]

pub mod component;
mod device;
pub mod hooks;
pub mod init;
pub mod metrics;
pub mod nn;
pub mod optim;
pub mod prelude;
pub mod pretrained;
pub mod schedule;
#[cfg(feature = "sweep")]
pub mod sweep;
pub mod train;

pub use device::{device, in_pool};
#[doc(inline)]
pub use softmark_common::{compare, data, rng};
// Every crate of a student's is built on the kit, and so finds the instances.
use softmark_instances as _;
