//! Terminal reports: a class as a table, or one submission in full.
//!
//! Invariant: output is printable, except for newlines and the colors that are added here.

mod class;
mod closing;
mod paint;
mod submission;

pub use class::class;
pub(crate) use paint::Ink;
pub use paint::{Layout, Style};
pub use submission::submission;
