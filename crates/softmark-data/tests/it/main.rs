//! Tests of the readers on published data and on malformed data.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod damage;
mod encoder;
#[cfg(feature = "hub")]
mod hub;
mod minilm;
mod pretrained;
mod published;
mod reviews;
#[cfg(feature = "hub")]
mod server;
mod stripping;
mod support;
mod tokenizing;
