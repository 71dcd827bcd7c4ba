//! Components of the `debugging` assignment: capture attention weights, summarize them in numbers, repair a
//! layer that runs and does not learn, and write detectors that find such bugs in unknown layers.
//!
//! ```text
//! ids ─► Encoder ─► EncoderLayer × N ─► SelfAttention ─► a Point of the model's Hooks
//!                     buggy, or repaired                       └─► AttentionCapture ─► AttentionStatistics
//!
//! Detector ─► experiments ─► a Suspect: some encoder layer ─► Verdict
//! ```
//!
//! Letters are those of [`encoder`](crate::encoder). Masks are `[B, T]`, `u8`, **1 = a real token, 0 = padding**.

mod assignment;
mod capture;
mod detector;
mod parameters;
mod specimen;
mod statistics;
mod suspect;

pub use assignment::{DebuggingAssignment, HookedAttention, Wiring};
pub use capture::AttentionCapture;
pub use detector::{Detector, DetectorSet, Verdict};
pub use parameters::LayerParameters;
#[doc(inline)]
pub use softmark_common::debugging::{Allowance, MAX_DETECTORS, MAX_EXPERIMENTS, MAX_TOKENS};
pub use specimen::Specimen;
pub use statistics::AttentionStatistics;
pub use suspect::{Observed, Suspect};
