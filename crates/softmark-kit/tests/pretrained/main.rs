//! Pretrained encoders: read as published, right to the yardstick, and open to gradients.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "helpers of tests are tests")]

mod agreement;
mod files;
mod golden;
mod gradients;
mod sample;
