//! Process 1 of a PID namespace: starts the program there and reports how it ended.
//!
//! The supervisor starts it, either directly or through `bwrap`. When it ends, the kernel kills all
//! processes that are left in its namespace.

use std::ffi::OsString;
use std::io::{self, Write};
use std::process::Command;

use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{dup2_stdin, dup2_stdout};

use crate::launch_spec::LaunchSpec;
use crate::level::Level;
use crate::protocol::InitMessage;
use crate::rusage::{TerminationStatus, of_children};
use crate::{launcher, namespaces};

/// Hidden subcommand that starts this process.
pub(crate) const SUBCOMMAND: &str = "__init";

/// Runs the program to its end.
///
/// Stdin must be the program's channel, stdout its log, and stderr a pipe to the supervisor, which
/// gets one message when the program has started and another when it has ended. `grader` is a command
/// that starts this executable again.
pub(crate) fn run(grader: Command, args: &[OsString]) {
    let mut supervisor = io::stderr();
    let result = run_program(grader, args, &mut supervisor);
    let last = result.unwrap_or_else(|error| InitMessage::Failed(error.to_string()));
    // Fails only if the supervisor is gone.
    supervisor.write_all(last.encode().as_bytes()).ok();
}

fn run_program(
    grader: Command,
    args: &[OsString],
    supervisor: &mut impl Write,
) -> io::Result<InitMessage> {
    let spec = LaunchSpec::from_args(args)?;
    prctl::set_pdeathsig(Signal::SIGKILL)?;
    if spec.level == Level::Full {
        namespaces::enter_other_namespaces()?;
    }
    let mut child = launcher::spawn(grader, &spec)?;
    // Only the program may hold its channel and its log, so that they close when it ends.
    let (reader, writer) = io::pipe()?;
    dup2_stdin(&reader)?;
    dup2_stdout(&writer)?;
    supervisor.write_all(InitMessage::Started.encode().as_bytes())?;
    let status = child.wait()?;
    Ok(InitMessage::Ended(TerminationStatus::of(status), of_children()?))
}
