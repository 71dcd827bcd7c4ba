//! The specification of the `encoder` assignment: a trait for each task, in [`encoder`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment, and without
//! what it asks for: the encoder of `pretrained`, and the grid search of `sweep`.

#[doc(no_inline)]
pub use softmark_kit::{
    compare, component, data, device, hooks, in_pool, init, metrics, nn, optim, rng, schedule,
    train,
};

pub mod adapter;
pub mod encoder;
pub mod prelude;
pub mod stand_in;

/// Pretrained encoders: their configuration and their weights.
pub mod pretrained {
    #[doc(no_inline)]
    pub use softmark_kit::pretrained::{
        BUILTIN, Family, PretrainedConfig, PretrainedError, Weights, published_name,
    };
}

pub use encoder::EncoderAssignment;
