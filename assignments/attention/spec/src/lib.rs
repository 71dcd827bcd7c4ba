//! The specification of the `attention` assignment: a trait for each task.
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment, and without
//! what it asks for: attention and pooling in `nn`.
//!
//! | task | component | trait |
//! |---|---|---|
//! | 1 | scaled dot-product attention | [`ScaledDotProductAttention`] |
//! | 2 | multi-head attention | [`MultiHeadAttention`] |
//! | 3 | sinusoidal positions | [`SinusoidalPosition`] |
//! | 4 | learned positions | [`LearnedPosition`] |
//! | 5 | pooling of a sequence into a vector | [`MaskedPooling`] |
//! | 6 | a text classifier built from all of these | [`AttentionClassifier`] |

#[doc(no_inline)]
pub use softmark_kit::{
    compare, component, data, device, hooks, in_pool, init, metrics, optim, pretrained, rng,
    schedule, sweep, train,
};

pub mod adapter;
pub mod assignment;
pub mod attention;
pub mod classifier;
pub mod multi_head;
pub mod pooling;
pub mod position;
pub mod prelude;
mod stand_in;

/// Layers of the kit.
pub mod nn {
    #[doc(no_inline)]
    pub use softmark_kit::nn::{
        Activation, Dropout, Embedding, LayerNorm, LayerNormConfig, Linear, dropout, embedding,
        embedding_with_padding, layer_norm, layer_norm_no_bias, linear, linear_b, linear_no_bias,
        loss, ops,
    };
}

pub use assignment::{AttentionAssignment, AttentionPartsOf};
pub use attention::{AttentionOutput, ScaledDotProductAttention};
pub use classifier::{AttentionClassifier, AttentionParts, ClassifierConfig};
pub use multi_head::{AttentionConfig, MultiHeadAttention};
pub use pooling::{MaskedPooling, Pooling};
pub use position::{LearnedPosition, PositionConfig, SinusoidalPosition};
