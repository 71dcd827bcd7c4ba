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
//!
//! The grader runs on Unix; a student's own `cargo test` needs [`InProcess`] alone, on any system.

mod catch;
mod convert;
mod dispatch;
mod experiment;
mod in_process;
mod parameters;
#[cfg(unix)]
mod seal;
#[cfg(unix)]
mod serve;
mod training;

pub use dispatch::Dispatcher;
pub use experiment::AskBack;
pub use in_process::InProcess;
#[cfg(unix)]
pub use seal::{SEALED, seal};
#[cfg(unix)]
pub use serve::serve;
