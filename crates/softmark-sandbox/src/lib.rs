//! Process isolation: the only place in Softmark that starts a process.
//!
//! Invariant: every process started here, but for [the grader itself](OwnProgram), has resource limits, and it and all its descendants are
//! dead once its [`Process`] is dropped or [`Sandbox::run`] has returned. A process that compiles or
//! runs student code can access what its [`Access`] names and nothing else, as far as the [`Level`]
//! enforces it.
//!
//! ```text
//! grader ── channel ──────────────────────────────────────────────────► program's stdin
//!    │ ▲    log ◄──────────────────────────────────────────────────────  its stdout and stderr
//!    │ └─── report ────┐          ┌─ in namespaces ─┐
//!    └──── orders ──► supervisor ─►│ init ───────────┼► launcher ─ exec ─► program
//!                                  └─────────────────┘
//! ```
//!
//! Supervisor, `init` and launcher are the grader's own executable, started again with a hidden
//! subcommand ([`run_helper`]). So everything that a process must do between `fork` and `exec` is
//! safe Rust.
//!
//! - **The supervisor** is the subreaper of the process tree: orphans are re-parented to it, so it
//!   can find and kill all of them. It obeys the grader's orders, enforces the deadline and the
//!   totals of the tree, and kills the tree when the grader is gone, which it notices because the
//!   orders' socket closes. It alone reports how the program ended; student code holds none of its
//!   descriptors.
//! - **`init`** is process 1 of a PID namespace, at the levels that have one.
//! - **The launcher** builds the root file system, drops all capabilities, sets resource limits,
//!   Landlock rules and a seccomp filter on itself, and executes the program. The program is either a
//!   compiler, which reads and writes the files that its job lists, or a worker, which is linked
//!   statically, can open nothing, and starts in an empty root.
//!
//! The exit reason follows from the exit status, the CPU time and the memory that the kernel
//! reports, and from the supervisor's own deadline. Nothing that the program wrote affects it.

mod bwrap;
mod capabilities;
mod clock;
mod connection;
mod detection;
mod error;
mod exit;
mod helper;
mod init;
mod job;
mod landlock;
mod launch_spec;
mod launcher;
mod level;
mod namespaces;
mod output_log;
mod own_program;
mod probe;
mod process;
mod process_tree;
mod procfs;
mod protocol;
mod root_fs;
mod rusage;
mod sandbox;
mod seccomp;
mod supervisor;

pub use clock::Clock;
pub use detection::{best_level, verify_level};
pub use error::SandboxError;
pub use exit::{CompletedProcess, ExitReason, ResourceUsage};
pub use helper::run_helper;
pub use job::{Access, Job, Limits};
pub use level::Level;
pub use own_program::{OwnProgram, Starter};
pub use process::Process;
pub use process_tree::Progress;
pub use procfs::current_thread_run_delay;
pub use sandbox::Sandbox;
