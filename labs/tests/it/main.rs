//! Tests of the labs: the harness, and a short run of each lab on small files in the published formats.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::indexing_slicing, clippy::panic, reason = "a missing value fails a test")]

mod ag_news;
mod buggy_layer;
mod harness;
mod imdb;
mod newsgroups;
mod support;
mod trec;
