//! One question to a process and its answer, within a wall-clock budget.

use std::io::{self, ErrorKind, Read, Write};
use std::time::Duration;

use softmark_sandbox::Process;
use softmark_wire::{Reply, Request, write_frame};

use crate::clock::Clock;
use crate::session::reply::{Broken, read_reply};
use crate::session::waiting::WaitingBudget;

/// Sends one request to a process and returns the reply.
pub(crate) fn exchange(
    process: &mut Process,
    waiting: &mut WaitingBudget,
    request: &Request,
) -> Result<Reply, Broken> {
    // Unrequested bytes must not be taken for the answer.
    silent(process)?;
    let mut channel = Watched { process, waiting };
    write_frame(&mut channel, &request.encode())?;
    let reply = read_reply(&mut channel, request)?;
    match silent(channel.process) {
        // The answer is complete; a closed channel matters only to the next question.
        Ok(()) | Err(Broken::Closed) => Ok(reply),
        Err(broken) => Err(broken),
    }
}

/// Returns an error if a process has sent unrequested bytes or closed its channel.
fn silent(process: &mut Process) -> Result<(), Broken> {
    let channel = process.channel();
    channel.set_nonblocking(true)?;
    let read = channel.read(&mut [0]);
    channel.set_nonblocking(false)?;
    match read {
        Ok(0) => Err(Broken::Closed),
        Ok(_) => Err(Broken::Garbled("more than was asked for".to_owned())),
        Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {
            Ok(())
        }
        Err(error) => Err(error.into()),
    }
}

/// Channel of a process, limited by a wall-clock budget.
struct Watched<'a> {
    process: &'a mut Process,
    waiting: &'a mut WaitingBudget,
}

impl Watched<'_> {
    /// Repeats `action` until it succeeds, fails, or the wall-clock budget is used up.
    fn within(
        &mut self,
        mut action: impl FnMut(&mut Process, Duration) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            if self.waiting.until_look().is_zero() {
                self.waiting.read(self.process.progress());
                if self.waiting.is_out() {
                    return Err(ErrorKind::TimedOut.into());
                }
            }
            let clock = Clock::start();
            // A time-out of zero would mean to wait for ever.
            let left = self.waiting.until_look().max(Duration::from_millis(1));
            let result = action(self.process, left);
            self.waiting.waited(clock.elapsed());
            match result {
                Err(error)
                    if matches!(
                        error.kind(),
                        ErrorKind::WouldBlock | ErrorKind::TimedOut | ErrorKind::Interrupted
                    ) => {}
                result => return result,
            }
        }
    }
}

impl Read for Watched<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.within(|process, left| {
            process.channel().set_read_timeout(Some(left))?;
            process.channel().read(buffer)
        })
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.within(|process, left| {
            process.channel().set_write_timeout(Some(left))?;
            process.channel().write(bytes)
        })
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
