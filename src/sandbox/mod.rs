//! The only place that starts a process.
//!
//! Invariant: a process that is started here, and every process that it starts, has limits and is
//! dead once its [`Process`] is gone or [`Sandbox::run`] has returned. One that runs what a student
//! wrote reaches what its [`Reach`] names, and nothing else, as far as the [`Level`] goes.
//!
//! ```text
//! grader ── channel ──────────────────────────────────────────────► program's stdin
//!    │ ▲    log ◄──────────────────────────────────────────────────  its stdout and stderr
//!    │ └─── facts ───┐          ┌ in name spaces ┐
//!    └── orders ──► guard ─────►│ init ──────────┼► confine ── becomes ──► program
//!                               └────────────────┘
//! ```
//!
//! Guard, `init` and `confine` are this program again, under hidden names ([`hidden`]), so that all
//! that a process has to do to itself between its start and the program's is done in safe code.
//!
//! - **The guard** is the parent that every orphan below it falls back to, so it can find and kill
//!   all of them. It obeys the grader's orders, keeps the deadline, looks at what the tree holds,
//!   and ends with everything below it when the grader is gone: it sees the end of the orders'
//!   channel. It alone says how the program ended, and a student's code holds none of its
//!   descriptors.
//! - **`init`** is the first process in a name space of processes, at the levels that have one.
//! - **`confine`** builds the view of files, gives up all rights, sets limits and filters on itself,
//!   and becomes the program: a compiler, which reads and writes the files that it is shown, or a
//!   worker, which is linked statically, can open nothing, and starts in an empty root.
//!
//! What a program did is told from its exit status, its processor time and its memory as the kernel
//! counted them, and from the guard's own deadline; nothing that it wrote is read for that.

mod brief;
mod bwrap;
mod confine;
mod detect;
mod files;
mod finished;
mod guard;
mod hidden;
mod init;
mod job;
mod level;
mod log;
mod probe;
mod process;
mod report;
mod rights;
mod spaces;
mod start;
mod sweep;
mod syscalls;
mod usage;
mod view;

pub use detect::{best, holds};
pub use finished::{Ending, Finished};
pub use hidden::hidden;
pub use job::{Job, Limits, Reach};
pub use level::Level;
pub use process::{Process, Sandbox, SandboxError};
pub use sweep::Progress;
pub(crate) use sweep::held_up_here;
