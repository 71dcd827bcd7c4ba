//! The hidden names under which this program starts itself.

use std::ffi::OsString;
use std::process::ExitCode;

use crate::sandbox::confine::confine;
use crate::sandbox::guard::guard;

/// Watches a program.
pub(crate) const GUARD: &str = "__guard";
/// Becomes a program.
pub(crate) const CONFINE: &str = "__confine";

/// Does what this process was started for, if the sandbox started it; `args` holds the program's
/// own name first.
///
/// `main` calls this before anything else.
pub fn hidden(args: &[OsString]) -> Option<ExitCode> {
    let [_, name, args @ ..] = args else {
        return None;
    };
    if name == GUARD {
        guard(args);
        return Some(ExitCode::SUCCESS);
    }
    if name == CONFINE {
        let Err(error) = confine(args);
        tell(&error.to_string());
        return Some(ExitCode::from(127));
    }
    None
}

#[expect(clippy::print_stderr, reason = "stderr is the pipe to the guard")]
fn tell(error: &str) {
    eprint!("{error}");
}
