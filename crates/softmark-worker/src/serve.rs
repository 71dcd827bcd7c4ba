//! The worker's main loop: questions in, answers out, over a socket of its own.

use std::fs::File;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::process::ExitCode;

use softmark_wire::{FrameError, MAX_FRAME_BYTES, Request, read_frame, write_frame};

use crate::dispatch::{Dispatcher, PartTable};

/// The exit code of a worker whose channel broke (`EX_PROTOCOL`).
const BROKEN_CHANNEL: u8 = 76;

/// Answers questions about the parts of `table` until the grader closes the channel.
///
/// The channel arrives as standard input, because that is the one descriptor that a program can
/// be started with in safe code. It is moved away and `/dev/null` put in its place before any of
/// the student's code runs, so that reading input gives nothing and printing goes to the log.
pub fn serve(table: PartTable) -> ExitCode {
    match channel().map_err(FrameError::Io).and_then(|mut channel| answer_all(table, &mut channel))
    {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::from(BROKEN_CHANNEL),
    }
}

fn channel() -> io::Result<UnixStream> {
    let channel = UnixStream::from(io::stdin().as_fd().try_clone_to_owned()?);
    rustix::stdio::dup2_stdin(File::open("/dev/null")?)?;
    Ok(channel)
}

fn answer_all(table: PartTable, channel: &mut UnixStream) -> Result<(), FrameError> {
    let mut dispatcher = Dispatcher::new(table);
    loop {
        let frame = match read_frame(channel, MAX_FRAME_BYTES) {
            Ok(frame) => frame,
            Err(FrameError::Closed) => return Ok(()),
            Err(error) => return Err(error),
        };
        let request = Request::decode(&frame)
            .map_err(|error| FrameError::Io(io::Error::new(io::ErrorKind::InvalidData, error)))?;
        write_frame(channel, &dispatcher.answer(&request).encode())?;
    }
}
