//! The command line: what was typed becomes a plan, the plan is carried out, the outcome is told.
//!
//! Invariant: everything that can be wrong with what was typed is found before anything is written.
//! Data goes to stdout, all else to stderr.
//!
//! ```text
//! args (what was typed) ─┐
//! env (the environment) ─┴─► plan (what it means) ─► commands/ ─► printer, exit code
//! ```

mod args;
mod commands;
mod entry;
mod env;
mod exit;
mod failure;
mod gradebook;
mod interrupt;
mod isolation;
mod near;
mod plan;
mod printer;
mod progress;
mod secret;
mod site;

pub use entry::main;
pub use exit::Exit;
