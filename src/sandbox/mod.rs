//! The only place that starts a process.
//!
//! Invariant: a process that is started here, and every process that it starts, has limits and is
//! dead once its [`Process`] is gone or [`Sandbox::run`] has returned.
//!
//! ```text
//! grader ── channel ─────────────────────────────────────► program's stdin
//!    │ ▲    log ◄───────────────────────────────────────── program's stdout and stderr
//!    │ └─── facts ───┐
//!    └── orders ──► guard ── starts ──► confine ── becomes ──► program
//! ```
//!
//! The guard and `confine` are this program again, under hidden names ([`hidden`]), so that all
//! that a process has to do to itself between its start and the program's is done in safe code.
//!
//! - **The guard** is the parent that every orphan below it falls back to, so it can find and kill
//!   all of them. It obeys the grader's orders, keeps the deadline, and ends with everything below
//!   it when the grader is gone: it sees the end of the orders' channel. It alone says how the
//!   program ended, and a student's code holds none of its descriptors.
//! - **`confine`** sets limits on itself and becomes the program.
//!
//! What a program did is told from its exit status, its processor time and its memory as the kernel
//! counted them, and from the guard's own deadline; nothing that it wrote is read for that.
//!
//! Not yet kept apart: files, the network, and other processes of the same user. A program can
//! still kill its guard, which ends as an error of the grader and with no grade.

mod confine;
mod finished;
mod guard;
mod hidden;
mod job;
mod level;
mod log;
mod process;
mod report;
mod sweep;

pub use finished::{Ending, Finished};
pub use hidden::hidden;
pub use job::{Job, Limits};
pub use level::LEVEL;
pub use process::{Process, Sandbox, SandboxError};
