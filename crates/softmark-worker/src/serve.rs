//! The worker's main loop: questions in, answers out, over a socket of its own.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread;

use softmark_wire::{
    Failure, FailureKind, FrameError, MAX_FRAME_BYTES, Reply, Request, read_frame, write_frame,
};

use crate::dispatch::{Dispatcher, PartTable};
use crate::seal::{SEALED, seal};

/// The exit code of a worker whose channel broke (`EX_PROTOCOL`).
const BROKEN_CHANNEL: u8 = 76;

/// The exit code of a worker that panicked outside of the student's code (`EX_SOFTWARE`).
const PANICKED: u8 = 70;

/// The exit code of a worker that could not seal itself or start its thread (`EX_OSERR`).
const NOT_READY: u8 = 71;

/// The student's code has as much stack as the main thread of a program usually has, whatever the
/// machine's own limit is.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Answers questions about the parts of the table that `parts` makes, until the grader closes the
/// channel.
///
/// The channel arrives as standard input, because that is the one descriptor that a program can
/// be started with in safe code. Before any of the student's code runs it is moved away, and in its
/// place comes one that cannot be read from: reading input gives nothing, and printing goes to the
/// log. No file is opened for that, because a worker may open none. One that is told [`SEALED`] starts
/// no other program from then on.
#[expect(clippy::print_stderr, reason = "the log is all that a worker has before it answers")]
pub fn serve(parts: fn() -> PartTable) -> ExitCode {
    let is_sealed = std::env::args_os().nth(1).is_some_and(|word| word == SEALED);
    if is_sealed && let Err(error) = seal() {
        eprintln!("the worker cannot be sealed: {error}");
        return ExitCode::from(NOT_READY);
    }
    let answering = move || {
        let mut channel = channel().map_err(FrameError::Io)?;
        answer_all(parts(), &mut channel)
    };
    let answering = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(answering)
        .map(thread::JoinHandle::join);
    match answering {
        Ok(Ok(Ok(()))) => ExitCode::SUCCESS,
        Ok(Ok(Err(_))) => ExitCode::from(BROKEN_CHANNEL),
        Ok(Err(_)) => ExitCode::from(PANICKED),
        Err(_) => ExitCode::from(NOT_READY),
    }
}

fn channel() -> io::Result<UnixStream> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(io::stdout())?;
    Ok(channel)
}

fn answer_all(table: PartTable, channel: &mut UnixStream) -> Result<(), FrameError> {
    let mut dispatcher = Dispatcher::new(table);
    loop {
        let request = match read(channel) {
            Ok(request) => request,
            Err(FrameError::Closed) => return Ok(()),
            Err(error) => return Err(error),
        };
        let reply = dispatcher.answer(&request, &mut |experiment: &Reply| {
            write_frame(channel, &experiment.encode()).ok()?;
            read(channel).ok()
        });
        write_frame(channel, &sendable(&reply))?;
    }
}

/// A reply as bytes, or the failure that it is too large to be sent.
fn sendable(reply: &Reply) -> Vec<u8> {
    let bytes = reply.encode();
    if bytes.len() <= MAX_FRAME_BYTES {
        return bytes;
    }
    let message = format!(
        "the answer takes {} MiB, and {} MiB is the largest that can be sent",
        bytes.len().div_ceil(1 << 20),
        MAX_FRAME_BYTES >> 20
    );
    let failure = Failure { kind: FailureKind::Unsendable, message, place: String::new() };
    Reply::Failed(failure).encode()
}

fn read(channel: &mut UnixStream) -> Result<Request, FrameError> {
    let frame = read_frame(channel, MAX_FRAME_BYTES)?;
    Request::decode(&frame)
        .map_err(|error| FrameError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))
}
