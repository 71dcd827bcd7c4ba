//! Softmark: grades transformer-building assignments.
//!
//! The trusted side. Modules stand in the order in which data goes through them, and use only those
//! that stand before them.

pub mod model;

pub mod clock;

mod digest;

mod spreadsheet;

pub mod course;

pub mod assignment;

pub mod scaffold;

pub mod intake;

pub mod build;

pub mod session;

pub mod suite;

pub mod diagnose;

mod examine;

pub mod score;

pub mod store;

pub mod marking;
pub mod marks;

pub mod overrides;

pub mod pipeline;

pub mod jobs;

pub mod fixtures;

pub mod calibrate;

pub mod report;

pub mod ledger;

pub mod results;

pub mod statistics;

pub mod release;

pub mod package;

pub mod audit;

pub mod similar;

pub mod serve;

pub mod cli;

use std::ffi::OsString;
use std::process::ExitCode;

/// Runs the `grade` program with these exams, and returns its exit code.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     softmark::main(&[attention_exam::SUITE])
/// }
/// ```
pub fn main(exams: &'static [softmark_exam::Suite]) -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = softmark_sandbox::run_helper(&args) {
        return code;
    }
    cli::main(args, suite::Catalog::new(exams))
}
