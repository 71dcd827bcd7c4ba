//! Runs a student's code and answers requests about it.
//!
//! ```text
//! frames ─► serve, serve_at ─► Dispatcher ─► catch ─► the student's code
//!                                  ▲
//!        InProcess ────────────────┘   (the process of the checks, for a debugger)
//! ```
//!
//! The worker computes and never judges: it holds no expected values, tolerances or points. The grader treats
//! everything that it sends as written by the student, since the student's code shares its process.
//!
//! The grader runs on Unix and starts workers with [`serve`]; a student's own `cargo test` starts them with [`serve_at`], on any
//! system.

mod answering;
mod catch;
mod convert;
mod dispatch;
mod exit;
mod experiment;
mod in_process;
mod parameters;
#[cfg(unix)]
mod seal;
#[cfg(unix)]
mod serve;
mod serve_at;
mod training;

pub use dispatch::Dispatcher;
pub use experiment::AskBack;
pub use in_process::InProcess;
#[cfg(unix)]
pub use seal::{SEALED, seal};
#[cfg(unix)]
pub use serve::serve;
pub use serve_at::serve_at;
