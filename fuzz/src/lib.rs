//! What has to hold of any bytes, and how much memory they may take.
//!
//! Each property is a function of bytes that panics where it does not hold. The targets put random
//! bytes to them; `tests/it/fuzzed.rs` puts the kept seeds to the same functions in every
//! `cargo test`.

#[expect(dead_code, reason = "tests build more with them")]
#[path = "../../tests/it/support/archive.rs"]
mod builders;
mod memory;
pub mod properties;

pub use memory::{bounded, read_archive};
