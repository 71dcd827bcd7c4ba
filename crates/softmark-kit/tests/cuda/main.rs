//! On a GPU the layers, the optimizers and training give what they give on the CPU.
//!
//! ```text
//! cargo test -p softmark-kit --features cuda --test cuda
//! ```
//!
//! Without a GPU every test says `SKIPPED`. With `--nocapture` the tests print the largest differences beside
//! the tolerances.

#![cfg(feature = "cuda")]
#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests"
)]

#[path = "../nn/edge_cases.rs"]
mod edge_cases;
mod encoder;
#[path = "../nn/golden_cases.rs"]
mod golden_cases;
mod gpu;
mod layers;
mod model;
#[expect(dead_code, reason = "on a GPU, every layer is composed")]
#[path = "../nn/operation.rs"]
mod operation;
mod parameters;
#[expect(dead_code, reason = "weights are loaded to a device here")]
#[path = "../pretrained/sample.rs"]
mod sample;
#[path = "../nn/slopes.rs"]
mod slopes;
#[path = "../support/mod.rs"]
mod support;
mod training;
