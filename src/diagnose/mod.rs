//! Diagnosis: finds the mistake that explains a submission's responses.
//!
//! Invariant: a mistake is named only if it accounts for every response of the submission and shows
//! in the responses: in numbers that are not the expected ones, or, for a mistake that consists in
//! an error or a panic, in exactly these errors beside right numbers. A diagnosis changes no
//! points.
//!
//! The submission, the oracle and each imitation of the mistake catalogue get the same diagnostic
//! cases; `rule.rs` evaluates the responses. Recorded answers of a mutant stand for an imitation.

mod answers;
mod ask;
mod battery_digest;
mod candidates;
mod known;
mod matching;
mod name;
mod reading;
mod recording;
mod rule;
#[cfg(test)]
mod tests;

pub(crate) use name::name_within;
pub use name::{Named, contradictions, differences, name_mistakes};
pub use recording::{RecordingState, record};
