//! The free functions of `candle_nn` and the kit: those that make a tensor of tensors, and the others.

use candle_core::{D, Result, Tensor};
use candle_nn as nn;
use softmark_kit::nn as kit;
use softmark_kit::nn::pooling::Pooling;

/// Arguments of attention.
pub(super) struct Attention<'a> {
    pub(super) query: &'a Tensor,
    pub(super) key: &'a Tensor,
    pub(super) value: &'a Tensor,
    pub(super) mask: Option<&'a Tensor>,
    pub(super) heads: usize,
}

/// A library function, by what it takes.
#[derive(Clone, Copy)]
pub(super) enum Function {
    One(fn(&Tensor) -> Result<Tensor>),
    Two(fn(&Tensor, &Tensor) -> Result<Tensor>),
    Three(fn(&Tensor, &Tensor, &Tensor) -> Result<Tensor>),
    Attends(fn(&Attention<'_>) -> Result<Tensor>),
    /// None: the solution's own output with other numbers.
    Spoils,
}

use Function::{Attends, One, Three, Two};

/// The factor of scores.
fn scale(query: &Tensor) -> Result<f32> {
    Ok(1.0 / (query.dim(D::Minus1)? as f32).sqrt())
}

/// Functions that make a tensor of tensors.
pub(super) const TRIED: &[(&str, Function)] = &[
    ("candle_nn::ops::dropout", One(|x| nn::ops::dropout(x, 0.0))),
    ("candle_nn::ops::hard_sigmoid", One(nn::ops::hard_sigmoid)),
    ("candle_nn::ops::layer_norm", Three(|x, a, b| nn::ops::layer_norm(x, a, b, 1e-5))),
    ("candle_nn::ops::layer_norm_slow", Three(|x, a, b| nn::ops::layer_norm_slow(x, a, b, 1e-5))),
    ("candle_nn::ops::leaky_relu", One(|x| nn::ops::leaky_relu(x, 0.0))),
    ("candle_nn::ops::log_softmax", One(|x| nn::ops::log_softmax(x, D::Minus1))),
    ("candle_nn::ops::mish", One(nn::ops::mish)),
    ("candle_nn::ops::pixel_shuffle", One(|x| nn::ops::pixel_shuffle(x, 1))),
    ("candle_nn::ops::pixel_unshuffle", One(|x| nn::ops::pixel_unshuffle(x, 1))),
    ("candle_nn::ops::replication_pad2d", One(|x| nn::ops::replication_pad2d(x, 0))),
    ("candle_nn::ops::rms_norm", Two(|x, a| nn::ops::rms_norm(x, a, 1e-5))),
    ("candle_nn::ops::rms_norm_slow", Two(|x, a| nn::ops::rms_norm_slow(x, a, 1e-5))),
    (
        "candle_nn::ops::sdpa",
        Attends(|it| {
            nn::ops::sdpa(it.query, it.key, it.value, it.mask, false, scale(it.query)?, 1.0)
        }),
    ),
    ("candle_nn::ops::selu", One(|x| nn::ops::selu(x, 1.0, 1.0))),
    ("candle_nn::ops::sigmoid", One(nn::ops::sigmoid)),
    ("candle_nn::ops::silu", One(nn::ops::silu)),
    ("candle_nn::ops::softmax", One(|x| nn::ops::softmax(x, D::Minus1))),
    ("candle_nn::ops::softmax_last_dim", One(nn::ops::softmax_last_dim)),
    (
        "candle_nn::ops::swiglu",
        // It halves the last axis, and panics where that has one number.
        One(|x| if x.dim(D::Minus1)? > 1 { nn::ops::swiglu(x) } else { Ok(x.clone()) }),
    ),
    ("candle_nn::rotary_emb::rope", Three(nn::rotary_emb::rope)),
    ("candle_nn::rotary_emb::rope_i", Three(nn::rotary_emb::rope_i)),
    ("candle_nn::rotary_emb::rope_i_slow", Three(nn::rotary_emb::rope_i_slow)),
    ("candle_nn::rotary_emb::rope_slow", Three(nn::rotary_emb::rope_slow)),
    ("candle_nn::rotary_emb::rope_thd", Three(nn::rotary_emb::rope_thd)),
    (
        "softmark_kit::nn::attention::attention_side_by_side",
        Attends(|it| {
            kit::attention::attention_side_by_side(
                it.query, it.key, it.value, it.heads, it.mask, None,
            )
        }),
    ),
    (
        "softmark_kit::nn::attention::attention_weights",
        Attends(|it| kit::attention::attention_weights(it.query, it.key, it.mask)),
    ),
    (
        "softmark_kit::nn::attention::scaled_dot_product_attention",
        Attends(|it| {
            kit::attention::scaled_dot_product_attention(
                it.query, it.key, it.value, it.mask, 0.0, false,
            )
        }),
    ),
    (
        "softmark_kit::nn::composed::attention",
        Attends(|it| kit::composed::attention(it.query, it.key, it.value, it.mask)),
    ),
    (
        "softmark_kit::nn::composed::attention_weights",
        Attends(|it| kit::composed::attention_weights(it.query, it.key, it.mask)),
    ),
    ("softmark_kit::nn::composed::gelu", One(kit::composed::gelu)),
    ("softmark_kit::nn::composed::gelu_erf", One(kit::composed::gelu_erf)),
    (
        "softmark_kit::nn::composed::layer_norm",
        Three(|x, a, b| kit::composed::layer_norm(x, a, Some(b), 1e-5, true)),
    ),
    ("softmark_kit::nn::composed::linear", Three(|x, a, b| kit::composed::linear(x, a, Some(b)))),
    ("softmark_kit::nn::composed::log_softmax", One(|x| kit::composed::log_softmax(x, D::Minus1))),
    (
        "softmark_kit::nn::composed::pooling",
        Two(|x, mask| kit::composed::pooling(x, mask, Pooling::Mean)),
    ),
    ("softmark_kit::nn::composed::relu", One(kit::composed::relu)),
    ("softmark_kit::nn::composed::sigmoid", One(kit::composed::sigmoid)),
    ("softmark_kit::nn::composed::silu", One(kit::composed::silu)),
    ("softmark_kit::nn::composed::softmax", One(|x| kit::composed::softmax(x, D::Minus1))),
    ("softmark_kit::nn::dropout::dropout", One(|x| kit::dropout::dropout(x, 0.0))),
    ("softmark_kit::nn::ops::gelu", One(kit::ops::gelu)),
    ("softmark_kit::nn::ops::gelu_erf", One(kit::ops::gelu_erf)),
    ("softmark_kit::nn::ops::log_softmax", One(|x| kit::ops::log_softmax(x, D::Minus1))),
    ("softmark_kit::nn::ops::masked_fill", Two(|x, m| kit::ops::masked_fill(x, m, 0.0))),
    ("softmark_kit::nn::ops::relu", One(kit::ops::relu)),
    ("softmark_kit::nn::ops::sigmoid", One(kit::ops::sigmoid)),
    ("softmark_kit::nn::ops::silu", One(kit::ops::silu)),
    ("softmark_kit::nn::ops::softmax", One(|x| kit::ops::softmax(x, D::Minus1))),
    ("softmark_kit::nn::ops::softmax_last_dim", One(kit::ops::softmax_last_dim)),
    ("softmark_kit::nn::pooling::masked_first", Two(kit::pooling::masked_first)),
    ("softmark_kit::nn::pooling::masked_max", Two(kit::pooling::masked_max)),
    ("softmark_kit::nn::pooling::masked_mean", Two(kit::pooling::masked_mean)),
];

/// Free functions that are not called here, by how their paths begin, and the reason.
pub(super) const NOT_TRIED: &[(&str, &str)] = &[
    ("candle_nn::attention::", "not given; takes one text, or texts one after another"),
    ("candle_nn::batch_norm", "makes a module from a builder"),
    ("candle_nn::conv", "makes a module from a builder"),
    ("candle_nn::cpu_flash_attention::", "not given; takes one text"),
    ("candle_nn::embedding", "makes a module from a builder"),
    ("candle_nn::encoding::one_hot", "takes ids alone"),
    ("candle_nn::func", "makes a module of a closure"),
    ("candle_nn::group_norm", "makes a module from a builder"),
    ("candle_nn::gru", "makes a module from a builder"),
    ("candle_nn::layer_norm", "makes a module from a builder"),
    ("candle_nn::linear", "makes a module from a builder"),
    ("candle_nn::loss::", "gives one number"),
    ("candle_nn::lstm", "makes a module from a builder"),
    ("candle_nn::moe::", "is for accelerators"),
    ("candle_nn::prelu", "makes a module from a builder"),
    ("candle_nn::rms_norm", "makes a module from a builder"),
    ("candle_nn::sampling::", "draws at random"),
    ("candle_nn::seq", "makes a module of modules"),
    ("softmark_kit::adapter::", "calls the student's own types"),
    ("softmark_kit::compare::", "gives no tensor"),
    ("softmark_kit::component::", "gives no tensor"),
    ("softmark_kit::data::", "gives no tensor"),
    ("softmark_kit::device", "gives no tensor"),
    ("softmark_kit::hooks::", "gives no tensor; not given where it is the task"),
    ("softmark_kit::in_pool", "gives no tensor"),
    ("softmark_kit::init::", "draws at random"),
    ("softmark_kit::metrics::", "gives one number"),
    ("softmark_kit::nn::composed::cross_entropy", "gives one number"),
    ("softmark_kit::nn::composed::embedding", "takes ids"),
    ("softmark_kit::nn::dropout::begin_step", "gives no tensor"),
    ("softmark_kit::nn::embedding", "makes a module from a builder"),
    ("softmark_kit::nn::layer_norm", "makes a module from a builder"),
    ("softmark_kit::nn::linear", "makes a module from a builder"),
    ("softmark_kit::nn::loss::", "gives one number"),
    ("softmark_kit::optim::", "takes gradients"),
    ("softmark_kit::prelude::", "gives no tensor"),
    ("softmark_kit::pretrained::", "gives no tensor"),
    ("softmark_kit::rng::", "gives no tensor"),
    (
        "softmark_kit::train::",
        "trains, or reads and writes files; `fit` is not given where it is the task",
    ),
];
