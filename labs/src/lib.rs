//! Programs that train the published systems behind the assignments, and put the published figures beside ours.
//!
//! Each lab is a module with a function `run`, and a program of the same name:
//!
//! | lab | what it trains |
//! |---|---|
//! | [`ag_news`] | one self-attention on AG News: heads, positions, pooling, layer norm, a random search |
//! | [`buggy_layer`] | six layers with the debugging assignment's bug, and repaired |
//! | [`imdb`] | six layers over GloVe vectors on IMDB reviews |
//! | [`newsgroups`] | an encoder of two layers on four groups of 20 Newsgroups |
//! | [`trec`] | an encoder from scratch and tuned encoders on TREC, with and without a label leak |
//!
//! A lab reads its data from the folder `--data`, trains its runs through [`Lab`], which saves and resumes them,
//! and writes a [`Report`]: `index.html` and `results.json`. The same command gives the same bytes of both.

pub mod ag_news;
pub mod arguments;
pub mod buggy_layer;
pub mod classifier;
pub mod digest;
pub mod encoder;
mod files;
mod html;
pub mod imdb;
pub mod lab;
pub mod newsgroups;
mod page;
mod progress;
mod publish;
pub mod record;
pub mod report;
pub mod trec;

pub use arguments::Arguments;
pub use digest::Digest;
pub use lab::{Lab, Network, Parts, Training};
pub use record::{Measures, RunRecord, Scores, Setting, best};
pub use report::{Figure, Report, Section};
