//! Tests of the layers: against PyTorch, against numeric gradients, and for any number of threads.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests"
)]

mod dropout;
mod edge_cases;
mod edges;
mod errors;
mod golden;
mod golden_cases;
mod gradients;
mod layers;
mod operation;
mod slopes;
mod threads;
mod weights;
