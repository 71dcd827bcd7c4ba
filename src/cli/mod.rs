//! The command line: parses arguments into a plan, runs the plan, and prints the result.
//!
//! Invariant: every usage error is found before anything is written.
//! Data goes to stdout, all else to stderr.
//!
//! ```text
//! args (command line) ───┐
//! env (the environment) ─┴─► plan (what it means) ─► commands/ ─► printer, exit code
//! ```

mod args;
mod changes;
mod commands;
mod course_marks;
mod course_text;
mod course_warnings;
mod entry;
mod env;
mod exit;
mod failure;
mod fill;
mod folders_below;
mod gradebook;
mod hand_ins;
mod help;
mod interrupt;
mod isolation;
mod job_progress;
mod libraries;
mod output_file;
mod plan;
mod printer;
mod progress;
mod readers;
mod remote;
mod room;
mod secret;
mod site;
mod teams;
mod timings;
mod versions;

pub use entry::main;
pub use exit::Exit;
