//! Hidden subcommands with which the grader's executable starts itself as a helper process.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use crate::{init, launcher, supervisor};

/// Exit code of a launcher that could not execute the program.
const LAUNCH_FAILED: u8 = 127;

/// Runs a helper process of the sandbox if `args` ask for one; returns `None` otherwise.
///
/// `args` are the complete command line, with the program's name first. `main` must call this before
/// anything else.
pub fn run_helper(args: &[OsString]) -> Option<ExitCode> {
    let [program, subcommand, args @ ..] = args else {
        return None;
    };
    if subcommand == supervisor::SUBCOMMAND {
        supervisor::run(args);
        return Some(ExitCode::SUCCESS);
    }
    if subcommand == init::SUBCOMMAND {
        // By name, because `/proc/self/exe` may not exist here.
        init::run(command(program), args);
        return Some(ExitCode::SUCCESS);
    }
    if subcommand == launcher::SUBCOMMAND {
        let Err(error) = launcher::run(args);
        report(&error.to_string());
        return Some(ExitCode::from(LAUNCH_FAILED));
    }
    None
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn command(program: &OsStr) -> Command {
    Command::new(program)
}

#[expect(clippy::print_stderr, reason = "stderr is a pipe to the process that started this one")]
fn report(error: &str) {
    eprint!("{error}");
}
