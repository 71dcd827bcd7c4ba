//! Answers to requests over a channel.

use std::io::{self, BufReader, Read, Write};
use std::thread;

use softmark_kit::component::Components;
use softmark_wire::{
    Failure, FailureKind, FrameError, MAX_FRAME_BYTES, Reply, Request, read_frame, write_frame,
};

use crate::dispatch::Dispatcher;
use crate::exit;

/// Stack size of the thread that runs the student's code: the usual size of a main thread, independent of the
/// machine's limit.
const STACK_BYTES: usize = 8 * 1024 * 1024;

/// Treatment of the experiments of a detector.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Experiments {
    /// The requester answers them.
    #[cfg(unix)]
    Answered,
    /// The requester answers none, and a detector learns nothing from them.
    Unanswered,
}

/// Answers requests on a thread of its own until the channel that `open` returns is closed. Returns the exit status of the
/// process.
pub(crate) fn answer_on_a_thread<C>(
    components: fn() -> Components,
    open: impl FnOnce() -> io::Result<C> + Send + 'static,
    experiments: Experiments,
) -> u8
where
    for<'a> &'a C: Read + Write,
{
    let answering = move || {
        let channel = open().map_err(FrameError::Io)?;
        answer_all(components(), &channel, experiments)
    };
    let answering = thread::Builder::new()
        .name("worker".to_owned())
        .stack_size(STACK_BYTES)
        .spawn(answering)
        .map(thread::JoinHandle::join);
    match answering {
        Ok(Ok(Ok(()))) => exit::SUCCESS,
        Ok(Ok(Err(_))) => exit::BROKEN_CHANNEL,
        Ok(Err(_)) => exit::PANICKED,
        Err(_) => exit::NOT_READY,
    }
}

fn answer_all<C>(
    components: Components,
    channel: &C,
    experiments: Experiments,
) -> Result<(), FrameError>
where
    for<'a> &'a C: Read + Write,
{
    let mut dispatcher = Dispatcher::new(components);
    // Most requests arrive whole at the first read.
    let mut requests = BufReader::new(channel);
    loop {
        let request = match read(&mut requests) {
            Ok(request) => request,
            Err(FrameError::Closed) => return Ok(()),
            Err(error) => return Err(error),
        };
        let mut ask_back = |experiment: &Reply| {
            if experiments == Experiments::Unanswered {
                return None;
            }
            let mut channel = channel;
            write_frame(&mut channel, &experiment.encode()).ok()?;
            read(&mut requests).ok()
        };
        let reply = dispatcher.answer(&request, &mut ask_back);
        let mut channel = channel;
        write_frame(&mut channel, &sendable(&reply))?;
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
