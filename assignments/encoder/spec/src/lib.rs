//! The specification of the `encoder` assignment: a trait for each task, in [`encoder`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment.

#[doc(no_inline)]
pub use softmark_kit::*;

pub mod adapter;
pub mod encoder;
pub mod prelude;
pub mod stand_in;

pub use encoder::EncoderAssignment;
