//! Text from submissions, which is printed escaped or not at all.
//!
//! Invariant: what [`Untrusted`] and [`UntrustedName`] print moves no cursor and changes no direction of writing.
//! [`Untrusted`] also hides nothing and covers no other line. Neither dereferences to `str`; `as_raw` is for writers
//! that escape in their own way and for comparison, and `tests/it/tidy.rs` lists the files that use it.

mod escape;
mod name;
mod text;

pub use escape::{char_width, escape_line, is_unprintable};
pub use name::UntrustedName;
pub use text::Untrusted;
