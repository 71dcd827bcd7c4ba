//! Starts programs under supervision.

use std::io::ErrorKind;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::process::Stdio;

use nix::unistd::{AccessFlags, access};

use crate::connection::{Connection, REPORT_TIMEOUT};
use crate::error::SandboxError;
use crate::exit::CompletedProcess;
use crate::job::Job;
use crate::launch_spec::LaunchSpec;
use crate::level::Level;
use crate::process::Process;
use crate::supervisor::MAX_RENEWALS;

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
        let mut supervisor = self.supervise(job, Stdio::null())?;
        let longest = job.limits.wall.saturating_mul(1 + MAX_RENEWALS);
        let report = supervisor.report(longest.saturating_add(REPORT_TIMEOUT));
        let report = report.ok_or_else(|| SandboxError::supervisor_lost(&job.program))?;
        supervisor.complete(&job.program, &job.limits, report)
    }

    /// Starts a program whose stdin is one end of a socket, its channel.
    ///
    /// # Errors
    ///
    /// Fails if the supervisor cannot be started. [`Process::end`] reports if the program cannot be.
    pub fn start(&self, job: &Job) -> Result<Process, SandboxError> {
        let failed = |source| SandboxError::Supervisor { action: "create a channel for", source };
        let (channel, stdin) = UnixStream::pair().map_err(failed)?;
        let supervisor = self.supervise(job, Stdio::from(OwnedFd::from(stdin)))?;
        Ok(Process::new(job, channel, supervisor))
    }

    fn supervise(&self, job: &Job, stdin: Stdio) -> Result<Connection, SandboxError> {
        check(job)?;
        let spec = LaunchSpec { level: self.level, job: job.clone() };
        Connection::open(&self.grader, &spec, stdin)
    }
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
