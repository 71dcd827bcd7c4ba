//! Starts programs under supervision.

use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::time::Duration;

use nix::unistd::{AccessFlags, access};

use crate::clock::Clock;
use crate::connection::{Connection, REPORT_TIMEOUT};
use crate::error::SandboxError;
use crate::exit::CompletedProcess;
use crate::job::Job;
use crate::launch_spec::LaunchSpec;
use crate::level::Level;
use crate::process::Process;
use crate::supervisor::MAX_RENEWALS;

/// Interval at which an observer is called while a program writes nothing.
const OBSERVER_INTERVAL: Duration = Duration::from_secs(1);

/// Number of pieces of output, of at most 64 KiB each, that may wait for an observer. A program that
/// writes faster waits for it.
const MAX_PENDING_PIECES: usize = 16;

/// Starts programs, and isolates those that compile or run student code.
#[derive(Debug, Clone)]
pub struct Sandbox {
    grader: PathBuf,
    level: Level,
}

impl Sandbox {
    /// Creates a sandbox that starts its helper processes from `grader`, an executable whose `main`
    /// calls [`run_helper`](crate::run_helper) first.
    ///
    /// Does not check that the level holds on this machine;
    /// [`verify_level`](crate::verify_level) does.
    pub fn new(grader: PathBuf, level: Level) -> Self {
        Self { grader, level }
    }

    /// Returns the level at which programs are isolated whose access is not
    /// [`Unrestricted`](crate::Access::Unrestricted).
    pub fn level(&self) -> Level {
        self.level
    }

    /// Runs a program to its end, with empty stdin.
    ///
    /// # Errors
    ///
    /// Fails if the program cannot be started or its supervisor is lost. A failure of the program
    /// itself is an [`ExitReason`](crate::ExitReason).
    pub fn run(&self, job: &Job) -> Result<CompletedProcess, SandboxError> {
        let supervisor = self.supervise(job, Stdio::null(), None)?;
        complete(job, supervisor, max_duration(job))
    }

    /// Runs a program to its end, with empty stdin, and calls `observer` with each piece of its output
    /// as it is written. While nothing is written, `observer` is called with an empty piece every
    /// second. The log of the result holds the output as well.
    ///
    /// # Errors
    ///
    /// Fails like [`Sandbox::run`].
    pub fn run_observed(
        &self,
        job: &Job,
        observer: &mut dyn FnMut(&[u8]),
    ) -> Result<CompletedProcess, SandboxError> {
        let (copy, pieces) = mpsc::sync_channel(MAX_PENDING_PIECES);
        let clock = Clock::start();
        let mut supervisor = self.supervise(job, Stdio::null(), Some(copy))?;
        let limit = max_duration(job);
        while !clock.left(limit).is_zero() && !supervisor.has_ended() {
            if observe(&pieces, observer).is_err() {
                break;
            }
        }
        for piece in pieces.try_iter() {
            observer(&piece);
        }
        // The thread that reads the output must not wait for an observer that is gone.
        drop(pieces);
        complete(job, supervisor, clock.left(limit).saturating_add(REPORT_TIMEOUT))
    }

    /// Starts a program whose stdin is one end of a socket, its channel.
    ///
    /// # Errors
    ///
    /// Fails if the supervisor cannot be started. [`Process::end`] reports if the program cannot be.
    pub fn start(&self, job: &Job) -> Result<Process, SandboxError> {
        let failed = |source| SandboxError::Supervisor { action: "create a channel for", source };
        let (channel, stdin) = UnixStream::pair().map_err(failed)?;
        let supervisor = self.supervise(job, Stdio::from(OwnedFd::from(stdin)), None)?;
        Ok(Process::new(job, self.level, channel, supervisor))
    }

    fn supervise(
        &self,
        job: &Job,
        stdin: Stdio,
        copy: Option<SyncSender<Vec<u8>>>,
    ) -> Result<Connection, SandboxError> {
        check(job)?;
        let spec = LaunchSpec { level: self.level, job: job.clone() };
        Connection::open(&self.grader, &spec, stdin, copy)
    }
}

/// Returns the time after which a job has ended and its supervisor has reported.
fn max_duration(job: &Job) -> Duration {
    job.limits.wall.saturating_mul(1 + MAX_RENEWALS).saturating_add(REPORT_TIMEOUT)
}

/// Waits for the report of a supervisor, and converts it.
fn complete(
    job: &Job,
    mut supervisor: Connection,
    timeout: Duration,
) -> Result<CompletedProcess, SandboxError> {
    let report = supervisor.report(timeout);
    let report = report.ok_or_else(|| SandboxError::supervisor_lost(&job.program))?;
    supervisor.complete(&job.program, &job.limits, report)
}

/// Waits for the next piece of output and calls `observer` once; fails if there will be no more.
fn observe(
    pieces: &Receiver<Vec<u8>>,
    observer: &mut dyn FnMut(&[u8]),
) -> Result<(), RecvTimeoutError> {
    match pieces.recv_timeout(OBSERVER_INTERVAL) {
        Ok(piece) => observer(&piece),
        Err(RecvTimeoutError::Timeout) => observer(&[]),
        Err(error) => return Err(error),
    }
    Ok(())
}

/// Reports errors that can be known before anything is started.
fn check(job: &Job) -> Result<(), SandboxError> {
    let program = |source| SandboxError::Program { program: job.program.clone(), source };
    access(&job.program, AccessFlags::X_OK).map_err(|errno| program(errno.into()))?;
    if !job.program.is_absolute() || job.program.is_dir() {
        return Err(program(ErrorKind::InvalidInput.into()));
    }
    let dir = |source| SandboxError::WorkingDirectory { dir: job.dir.clone(), source };
    access(&job.dir, AccessFlags::X_OK).map_err(|errno| dir(errno.into()))
}
