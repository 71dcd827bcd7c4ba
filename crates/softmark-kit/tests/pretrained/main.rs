//! Pretrained encoders: read as published, right to the yardstick, and open to gradients.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod agreement;
mod files;
mod golden;
mod gradients;
mod sample;
