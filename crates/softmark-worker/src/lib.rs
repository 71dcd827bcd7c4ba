//! Runs a student's code and answers requests about it.
//!
//! ```text
//! frames ─► serve ─► Dispatcher ─► catch ─► the student's code
//!                        ▲
//!        InProcess ──────┘   (a student's own `cargo test`)
//! ```
//!
//! The worker computes and never judges: it holds no expected values, tolerances or points. The grader treats
//! everything that it sends as written by the student, since the student's code shares its process.

mod attention;
mod catch;
mod convert;
mod debugging;
mod dispatch;
mod encoder;
mod experiment;
mod in_process;
mod parameters;
mod seal;
mod serve;
mod stand_in;
mod training;
mod tuning;

pub use attention::{attention, attention_classifier_with, multi_head_with};
pub use debugging::debugging;
pub use dispatch::{Dispatcher, Inputs, Outputs, Part, PartTable, Sizes};
pub use encoder::{classifier_with, encoder, encoder_with, layer_with};
pub use experiment::AskBack;
pub use in_process::InProcess;
pub use seal::{SEALED, seal};
pub use serve::serve;
pub use tuning::tuning;
