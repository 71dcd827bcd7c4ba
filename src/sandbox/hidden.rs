//! The hidden names under which this program starts itself.

use std::ffi::{OsStr, OsString};
use std::process::{Command, ExitCode};

use crate::sandbox::confine::confine;
use crate::sandbox::guard::guard;
use crate::sandbox::init::init;

/// Watches a program.
pub(crate) const GUARD: &str = "__guard";
/// Is the first process in a name space.
pub(crate) const INIT: &str = "__init";
/// Becomes a program.
pub(crate) const CONFINE: &str = "__confine";

/// Does what this process was started for, if the sandbox started it; `args` holds the program's
/// own name first.
///
/// `main` calls this before anything else.
pub fn hidden(args: &[OsString]) -> Option<ExitCode> {
    let [program, name, args @ ..] = args else {
        return None;
    };
    if name == GUARD {
        guard(args);
        return Some(ExitCode::SUCCESS);
    }
    if name == INIT {
        // Its own name, for there may be no `/proc` to say it.
        init(itself(program), args);
        return Some(ExitCode::SUCCESS);
    }
    if name == CONFINE {
        let Err(error) = confine(args);
        tell(&error.to_string());
        return Some(ExitCode::from(127));
    }
    None
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn itself(program: &OsStr) -> Command {
    Command::new(program)
}

#[expect(clippy::print_stderr, reason = "stderr is the pipe to whoever started this")]
fn tell(error: &str) {
    eprint!("{error}");
}
