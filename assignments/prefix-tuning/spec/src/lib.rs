//! The specification of the `prefix-tuning` assignment: a trait for each task, in [`tuning`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment, and without
//! what it asks for: schedules of the learning rate, and the loop of `train`.

#[doc(no_inline)]
pub use softmark_kit::{
    compare, component, data, device, hooks, in_pool, init, metrics, nn, optim, pretrained, rng,
    sweep,
};

pub mod adapter;
pub mod prelude;
pub mod tuning;

/// Parts of a training loop.
pub mod train {
    #[doc(no_inline)]
    pub use softmark_kit::train::{
        Batch, EpochRecord, Examples, History, Limits, Model, Observer, Plan, StepRecord,
        TerminalObserver, TrainError, Usage, checkpoint, pad, shuffled, split,
    };
}

pub use tuning::TuningAssignment;
