//! The first process in a name space of processes: starts the program there, and says how it ended.
//!
//! It is started by the guard, or by `bwrap` in the guard's stead. When it ends, the kernel kills all
//! that is left in its name space.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Command;

use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{dup2_stdin, dup2_stdout};

use crate::sandbox::brief::Brief;
use crate::sandbox::level::Level;
use crate::sandbox::report::Word;
use crate::sandbox::usage::{ended, of_children};
use crate::sandbox::{spaces, start};

/// Runs the program to its end.
///
/// Called with its channel as stdin, its log as stdout, and a pipe to the guard as stderr, on which a
/// word is said when the program has started, and another when it has ended. `itself` starts this
/// program again.
pub(crate) fn init(itself: Command, args: &[OsString]) {
    let mut guard = io::stderr();
    let said = run(itself, args, &mut guard);
    let last = said.unwrap_or_else(|error| Word::Failed(error.to_string()));
    // No guard that listens, no report.
    guard.write_all(last.encode().as_bytes()).ok();
}

fn run(itself: Command, args: &[OsString], guard: &mut impl Write) -> io::Result<Word> {
    let usage = || io::Error::new(io::ErrorKind::InvalidInput, "not called by the guard");
    let brief = Brief::decode(args).ok_or_else(usage)?;
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if brief.level == Level::Full {
        spaces::enter()?;
    }
    let mut child = start::program(itself, &brief)?;
    // The program alone holds its channel and its log now: their ends are its end.
    let (reader, writer) = io::pipe()?;
    dup2_stdin(&reader)?;
    dup2_stdout(&writer)?;
    guard.write_all(Word::Started.encode().as_bytes())?;
    let status = child.wait()?;
    Ok(Word::Ended(ended(status), of_children()?))
}
