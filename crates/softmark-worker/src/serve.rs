//! The worker's main loop: questions in, answers out, over a socket of its own.

use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread;

use softmark_wire::{FrameError, MAX_FRAME_BYTES, Reply, Request, read_frame, write_frame};

use crate::dispatch::{Dispatcher, PartTable};

/// The exit code of a worker whose channel broke (`EX_PROTOCOL`).
const BROKEN_CHANNEL: u8 = 76;

/// The student's code has as much stack as the main thread of a program usually has, whatever the
/// machine's own limit is.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Answers questions about the parts of the table that `parts` makes, until the grader closes the
/// channel.
///
/// The channel arrives as standard input, because that is the one descriptor that a program can
/// be started with in safe code. Before any of the student's code runs it is moved away, and in its
/// place comes one that cannot be read from: reading input gives nothing, and printing goes to the
/// log. No file is opened for that, because a worker may open none.
pub fn serve(parts: fn() -> PartTable) -> ExitCode {
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
        Ok(Ok(Err(_)) | Err(_)) | Err(_) => ExitCode::from(BROKEN_CHANNEL),
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
        write_frame(channel, &reply.encode())?;
    }
}

fn read(channel: &mut UnixStream) -> Result<Request, FrameError> {
    let frame = read_frame(channel, MAX_FRAME_BYTES)?;
    Request::decode(&frame)
        .map_err(|error| FrameError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))
}
