//! Whole-program tests.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod build;
mod sandbox;
