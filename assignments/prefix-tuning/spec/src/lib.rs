//! The specification of the `prefix-tuning` assignment: a trait for each task, in [`tuning`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment.

#[doc(no_inline)]
pub use softmark_kit::*;

pub mod adapter;
pub mod prelude;
pub mod tuning;

pub use tuning::TuningAssignment;
