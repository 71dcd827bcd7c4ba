//! A running program.

use std::io::{ErrorKind, Read};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

use crate::connection::{Connection, REPORT_TIMEOUT};
use crate::error::SandboxError;
use crate::exit::CompletedProcess;
use crate::job::{Job, Limits};
use crate::level::Level;
use crate::process_tree::{self, Progress, Starters};
use crate::procfs::{self, TaskFolder};
use crate::protocol::Order;

/// A running program; dropping it kills the program and all its descendants.
#[derive(Debug)]
pub struct Process {
    program: PathBuf,
    limits: Limits,
    starters: Starters,
    channel: UnixStream,
    /// `None` once the program has been ended.
    supervisor: Option<Connection>,
    /// Descendants of the supervisor; empty until they are first needed.
    descendants: Vec<TaskFolder>,
}

impl Process {
    /// Creates the process of a job that `supervisor` has started at an isolation level.
    pub(crate) fn new(
        job: &Job,
        level: Level,
        channel: UnixStream,
        supervisor: Connection,
    ) -> Self {
        Self {
            starters: Starters::of(level, &job.access),
            program: job.program.clone(),
            limits: job.limits.clone(),
            channel,
            supervisor: Some(supervisor),
            descendants: Vec::new(),
        }
    }

    /// Returns the grader's end of the channel. The caller sets timeouts as needed.
    pub fn channel(&mut self) -> &mut UnixStream {
        &mut self.channel
    }

    /// Returns the CPU time and run delay of all living processes of the program. The kernel counts CPU
    /// time in hundredths of a second.
    pub fn progress(&self) -> Progress {
        let supervisor = self.supervisor.as_ref().and_then(Connection::pid);
        let of = |pid| process_tree::progress_of_descendants(pid, self.starters);
        supervisor.map_or_else(Progress::default, of)
    }

    /// Returns the current number of threads of the program. The processes are listed at the first
    /// call only, because an isolated program cannot start another one.
    pub fn threads(&mut self) -> u64 {
        self.find_processes();
        self.descendants.iter().map(TaskFolder::threads).sum()
    }

    /// Returns the private resident memory of the program in bytes, without pages that are mapped from
    /// files; `None` if one of its processes has ended. The processes are those of
    /// [`threads`](Self::threads).
    pub fn private_bytes(&mut self) -> Option<u64> {
        self.find_processes();
        self.descendants.iter().map(|it| procfs::private_bytes(it.pid)).sum()
    }

    /// Lists the processes of the program, unless they are known.
    fn find_processes(&mut self) {
        let supervisor = self.supervisor.as_ref().and_then(Connection::pid);
        if let Some(supervisor) = supervisor.filter(|_| self.descendants.is_empty()) {
            let pids = process_tree::descendants(supervisor, self.starters);
            self.descendants = pids.into_iter().filter_map(TaskFolder::open).collect();
        }
    }

    /// Ends the program and all its descendants.
    ///
    /// A program that has closed its channel is about to exit and gets a moment to do so, so that its
    /// exit status is known.
    ///
    /// # Errors
    ///
    /// Fails if the program could not be started or its supervisor is lost.
    pub fn end(mut self) -> Result<CompletedProcess, SandboxError> {
        let closed = is_closed(&mut self.channel);
        let Some(mut supervisor) = self.supervisor.take() else {
            return Err(SandboxError::supervisor_lost(&self.program));
        };
        supervisor.send(if closed { Order::AwaitExit } else { Order::Stop });
        let report = supervisor.report(REPORT_TIMEOUT);
        let report = report.ok_or_else(|| SandboxError::supervisor_lost(&self.program))?;
        supervisor.complete(&self.program, &self.limits, report)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut supervisor) = self.supervisor.take() {
            supervisor.send(Order::Stop);
            supervisor.report(REPORT_TIMEOUT);
        }
    }
}

/// True if the other end of the channel is closed; discards unread data.
fn is_closed(channel: &mut UnixStream) -> bool {
    if channel.set_nonblocking(true).is_err() {
        return true;
    }
    let mut buffer = [0; 4096];
    // More than the buffer of a socket holds: a channel with even more data is open.
    for _ in 0..1024 {
        match channel.read(&mut buffer) {
            Ok(0) => return true,
            Ok(_) => {}
            Err(error) if error.kind() == ErrorKind::WouldBlock => return false,
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(_) => return true,
        }
    }
    false
}
