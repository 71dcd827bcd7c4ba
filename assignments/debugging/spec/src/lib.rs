//! The specification of the `debugging` assignment: a trait for each task, in [`debugging`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment, and without
//! what it asks for: the encoder of `pretrained`, and in `hooks` the recorder of attention and its statistics.

#[doc(no_inline)]
pub use softmark_kit::{
    compare, component, data, device, in_pool, init, metrics, nn, optim, rng, schedule, sweep,
    train,
};

pub mod adapter;
pub mod debugging;
pub mod prelude;
mod remote;

/// Hooks: points at which other code looks at a layer.
pub mod hooks {
    #[doc(no_inline)]
    pub use softmark_kit::hooks::{Call, Handle, HeadStatistics, Hooks, Point, Recorded, WEIGHTS};
}

/// Pretrained encoders: their configuration and their weights.
pub mod pretrained {
    #[doc(no_inline)]
    pub use softmark_kit::pretrained::{
        BUILTIN, Family, PretrainedConfig, PretrainedError, Weights, published_name,
    };
}

pub use debugging::DebuggingAssignment;
#[doc(no_inline)]
pub use encoder_spec::encoder;
