//! The `grade` program.

use std::ffi::OsString;
use std::process::ExitCode;

use softmark::cli;
use softmark_sandbox::run_helper;

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = run_helper(&args) {
        return code;
    }
    cli::main(args)
}
