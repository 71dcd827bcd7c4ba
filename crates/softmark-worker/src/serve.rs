//! The main function of a worker that the grader starts.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use softmark_kit::component::Components;

use crate::answering::{Experiments, answer_on_a_thread};
use crate::exit;
use crate::seal::{SEALED, seal};

/// Answers requests about the components that `components` returns, until the grader closes the
/// channel.
///
/// The channel arrives as standard input, the one descriptor that safe code can pass to a program that it
/// starts. Before any of the student's code runs, the channel is moved to another descriptor and standard
/// input is replaced by one that cannot be read from: reading input returns nothing, and printing goes to the
/// log. No file is opened for this, since a worker may open none. A worker started with [`SEALED`] cannot
/// start another program from then on.
#[expect(clippy::print_stderr, reason = "the log is all that a worker has before it answers")]
pub fn serve(components: fn() -> Components) -> ExitCode {
    let is_sealed = std::env::args_os().nth(1).is_some_and(|word| word == SEALED);
    if is_sealed && let Err(error) = seal() {
        eprintln!("the worker cannot be sealed: {error}");
        return ExitCode::from(exit::NOT_READY);
    }
    ExitCode::from(answer_on_a_thread(components, channel, Experiments::Answered))
}

fn channel() -> io::Result<UnixStream> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(io::stdout())?;
    Ok(channel)
}
