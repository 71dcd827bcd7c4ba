//! The `grade` program.

use std::ffi::OsString;
use std::process::ExitCode;

use softmark::{cli, sandbox};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    if let Some(code) = sandbox::hidden(&args) {
        return code;
    }
    cli::main(args)
}
