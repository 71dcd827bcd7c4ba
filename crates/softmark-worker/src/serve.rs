//! The worker's main loop, which answers requests over a socket.

use std::io::{self, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;
use std::thread;

use softmark_kit::component::Components;
use softmark_wire::{
    Failure, FailureKind, FrameError, MAX_FRAME_BYTES, Reply, Request, read_frame, write_frame,
};

use crate::dispatch::Dispatcher;
use crate::seal::{SEALED, seal};

/// Exit status of a worker whose channel failed (`EX_PROTOCOL`).
const BROKEN_CHANNEL: u8 = 76;

/// Exit status of a worker that panicked outside of the student's code (`EX_SOFTWARE`).
const PANICKED: u8 = 70;

/// Exit status of a worker that could not seal itself or start its thread (`EX_OSERR`).
const NOT_READY: u8 = 71;

/// Stack size of the thread that runs the student's code: the usual size of a main thread, independent of the
/// machine's limit.
const STACK_BYTES: usize = 8 * 1024 * 1024;

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
        return ExitCode::from(NOT_READY);
    }
    let answering = move || {
        let channel = channel().map_err(FrameError::Io)?;
        answer_all(components(), &channel)
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

fn answer_all(components: Components, channel: &UnixStream) -> Result<(), FrameError> {
    let mut dispatcher = Dispatcher::new(components);
    // Most requests arrive whole at the first read.
    let mut requests = BufReader::new(channel);
    loop {
        let request = match read(&mut requests) {
            Ok(request) => request,
            Err(FrameError::Closed) => return Ok(()),
            Err(error) => return Err(error),
        };
        let reply = dispatcher.answer(&request, &mut |experiment: &Reply| {
            write_frame(&mut &*channel, &experiment.encode()).ok()?;
            read(&mut requests).ok()
        });
        write_frame(&mut &*channel, &sendable(&reply))?;
    }
}

/// Encodes a reply, or a failure if the reply is too large to be sent.
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

fn read(channel: &mut impl Read) -> Result<Request, FrameError> {
    let frame = read_frame(channel, MAX_FRAME_BYTES)?;
    Request::decode(&frame)
        .map_err(|error| FrameError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))
}
