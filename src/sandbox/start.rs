//! Starting a process that becomes the program, and hearing whether it did.

use std::io::{self, Read};
use std::os::fd::AsFd;
use std::process::{Child, Command, Stdio};

use crate::sandbox::brief::Brief;
use crate::sandbox::hidden::CONFINE;

/// Starts the program of a brief, with this process's stdin as its channel and its stdout as its log;
/// an error where it never ran.
///
/// Only a thread that stays may do it: the program is killed when the thread that started it ends.
pub(crate) fn program(mut itself: Command, brief: &Brief) -> io::Result<Child> {
    let (mut failure, pipe) = io::pipe()?;
    let log = io::stdout().as_fd().try_clone_to_owned()?;
    itself.arg(CONFINE).args(brief.encode()).stdout(Stdio::from(log)).stderr(Stdio::from(pipe));
    let mut child = itself.env_clear().spawn()?;
    // Holds the writing end of the pipe.
    drop(itself);
    let mut reason = String::new();
    failure.read_to_string(&mut reason)?;
    if reason.is_empty() {
        return Ok(child);
    }
    child.wait()?;
    Err(io::Error::other(reason))
}
