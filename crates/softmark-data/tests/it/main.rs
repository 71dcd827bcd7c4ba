//! The readers on the published data, and on data that is wrong.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod damage;
#[cfg(feature = "hub")]
mod hub;
mod published;
mod reviews;
mod stripping;
mod support;
mod tokenizing;
