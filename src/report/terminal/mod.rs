//! For a person at work: a class as a table, one submission in full.
//!
//! Invariant: what reaches the terminal is printable, but for the newlines and colors made here.

mod class;
mod closing;
mod paint;
mod submission;

pub use class::class;
pub(crate) use paint::Ink;
pub use paint::{Layout, Style};
pub use submission::submission;
