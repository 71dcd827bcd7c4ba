//! One question to a process and its answer, within a wall-clock budget.

use std::io::{self, BufReader, ErrorKind, Read, Write};
use std::os::fd::AsRawFd;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::socket::{MsgFlags, recv};
use softmark_sandbox::Process;
use softmark_wire::{Reply, Request, write_frame};

use crate::clock::Clock;
use crate::session::reply::{Broken, read_reply};
use crate::session::waiting::WaitingBudget;

/// Longest wait before the wall-clock budget is examined, so by this time at most a limit may be exceeded: 1 % of the
/// ten seconds that assignments allow. It is set once for each channel, and not for each answer.
const TICK: Duration = Duration::from_millis(100);

/// Prepares the channel of a new process for [`exchange`].
pub(crate) fn prepare(process: &mut Process) -> io::Result<()> {
    let channel = process.channel();
    channel.set_read_timeout(Some(TICK))?;
    channel.set_write_timeout(Some(TICK))
}

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
    let mut replies = BufReader::new(channel);
    let reply = read_reply(&mut replies, request)?;
    if !replies.buffer().is_empty() {
        return Err(unrequested());
    }
    match silent(replies.into_inner().process) {
        // The answer is complete; a closed channel matters only to the next question.
        Ok(()) | Err(Broken::Closed) => Ok(reply),
        Err(broken) => Err(broken),
    }
}

/// Returns an error if a process has sent unrequested bytes or closed its channel.
fn silent(process: &mut Process) -> Result<(), Broken> {
    match recv(process.channel().as_raw_fd(), &mut [0], MsgFlags::MSG_DONTWAIT) {
        Ok(0) => Err(Broken::Closed),
        Ok(_) => Err(unrequested()),
        Err(Errno::EAGAIN | Errno::EINTR) => Ok(()),
        Err(error) => Err(io::Error::from(error).into()),
    }
}

/// Returns the error for bytes that nobody asked for.
fn unrequested() -> Broken {
    Broken::Garbled("more than was asked for".to_owned())
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
        mut action: impl FnMut(&mut Process) -> io::Result<usize>,
    ) -> io::Result<usize> {
        loop {
            if self.waiting.is_look_due() {
                self.waiting.read(self.process.progress());
                if self.waiting.is_out() {
                    return Err(ErrorKind::TimedOut.into());
                }
            }
            let clock = Clock::start();
            let result = action(self.process);
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
        self.within(|process| process.channel().read(buffer))
    }
}

impl Write for Watched<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.within(|process| process.channel().write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
