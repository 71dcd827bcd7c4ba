//! Tests of the layers: against PyTorch, against numeric gradients, and for any number of threads.

#![expect(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::cast_possible_truncation,
    reason = "helpers of tests are tests"
)]

mod dropout;
mod errors;
mod golden;
mod gradients;
mod layers;
mod operation;
mod threads;
mod weights;
