//! Tests of pretrained encoders: reading of published files, correct outputs, and gradients.

#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod agreement;
mod files;
mod golden;
mod gradients;
mod sample;
