//! Tests of the labs: the harness, and a short run of each lab on small files in the published formats.

mod ag_news;
mod buggy_layer;
mod harness;
mod imdb;
mod newsgroups;
mod support;
mod trec;
