//! The specification of the `modern` assignment: a trait for each task.
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment, and without
//! what it asks for: attention and norms in `nn`.
//!
//! | task | component | trait |
//! |---|---|---|
//! | 1 | root mean square norm | [`RmsNorm`] |
//! | 2 | gated feed-forward network | [`SwiGlu`] |
//! | 3 | rotary positions | [`Rotary`] |
//! | 4 | causal attention whose query heads share keys and values | [`GroupedQueryAttention`] |
//! | 5 | decoder block built from all of these | [`DecoderBlock`] |

#[doc(no_inline)]
pub use softmark_kit::{
    compare, component, data, device, hooks, in_pool, init, metrics, optim, pretrained, rng,
    schedule, sweep, train,
};

pub mod adapter;
pub mod assignment;
pub mod attention;
pub mod block;
pub mod feed_forward;
pub mod norm;
pub mod prelude;
pub mod rotary;

/// Layers of the kit.
pub mod nn {
    #[doc(no_inline)]
    pub use softmark_kit::nn::{
        Activation, Dropout, Embedding, Linear, dropout, embedding, embedding_with_padding, linear,
        linear_b, linear_no_bias, loss, ops, pooling,
    };
}

pub use assignment::{ModernAssignment, PartsOf};
pub use attention::{GroupedQueryAttention, GroupedQueryConfig};
pub use block::{BlockConfig, BlockParts, DecoderBlock};
pub use feed_forward::SwiGlu;
pub use norm::{EPSILON, RmsNorm};
pub use rotary::{BASE, Rotary};
