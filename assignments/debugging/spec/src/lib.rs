//! The specification of the `debugging` assignment: a trait for each task, in [`debugging`].
//!
//! Students' crates call this crate `softmark_kit`: it is the kit, with the traits of the assignment.

#[doc(no_inline)]
pub use softmark_kit::*;

pub mod adapter;
pub mod debugging;
pub mod prelude;
mod remote;

pub use debugging::DebuggingAssignment;
#[doc(no_inline)]
pub use encoder_spec::encoder;
