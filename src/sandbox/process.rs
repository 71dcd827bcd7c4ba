//! Starting a program, talking to it, and ending it.

use std::io::{self, ErrorKind, PipeReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use nix::unistd::{AccessFlags, Pid, access};
use thiserror::Error;

use crate::clock::Clock;
use crate::model::Usage;
use crate::sandbox::brief::Brief;
use crate::sandbox::finished::{Ending, Finished};
use crate::sandbox::guard::MAX_EXTENSIONS;
use crate::sandbox::hidden::GUARD;
use crate::sandbox::job::{Job, Limits};
use crate::sandbox::level::Level;
use crate::sandbox::log::Log;
use crate::sandbox::report::{self, Report};
use crate::sandbox::sweep::{self, Progress};

/// How long the guard may take to kill everything and say so.
const GUARD_PATIENCE: Duration = Duration::from_secs(30);

/// Longer than any report.
const MAX_REPORT_BYTES: u64 = 64 * 1024;

/// The sandbox failed; the program that was to run in it is not to blame.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// There is no such program, or it may not be started.
    #[error("cannot start {}: {source}", program.display())]
    Program {
        /// What was to be started.
        program: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// There is no such folder to start in.
    #[error("cannot start in {}: {source}", dir.display())]
    Dir {
        /// The folder.
        dir: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The guard could not start the program.
    #[error("cannot start {}: {reason}", program.display())]
    Confine {
        /// What was to be started.
        program: PathBuf,
        /// What the guard said.
        reason: String,
    },
    /// The guard could not be started or talked to.
    #[error("cannot {action} the guard: {source}")]
    Guard {
        /// What was tried.
        action: &'static str,
        /// Why it failed.
        source: io::Error,
    },
    /// The guard ended without a report, or gave none in time.
    #[error("the guard of {} is gone without a report", program.display())]
    GuardLost {
        /// What it guarded.
        program: PathBuf,
    },
}

/// Starts programs, and isolates those that have to be.
#[derive(Debug, Clone)]
pub struct Sandbox {
    grade: PathBuf,
    level: Level,
}

/// A running program; ends when this is dropped.
#[derive(Debug)]
pub struct Process {
    program: PathBuf,
    limits: Limits,
    channel: UnixStream,
    /// `None` once the process has been ended.
    guard: Option<Guard>,
    /// The processes below the guard, once somebody has looked.
    pids: Vec<Pid>,
}

#[derive(Debug)]
struct Guard {
    child: Child,
    orders: UnixStream,
    log: Receiver<Log>,
    clock: Clock,
}

impl Sandbox {
    /// Starts programs by way of `grade`: a program whose `main` calls
    /// [`hidden`](crate::sandbox::hidden) first. That the level holds on this machine is for
    /// [`holds`](crate::sandbox::holds) to say.
    pub fn new(grade: PathBuf, level: Level) -> Self {
        Self { grade, level }
    }

    /// How far programs are isolated that run what a student wrote.
    pub fn level(&self) -> Level {
        self.level
    }

    /// Runs a program to its end, with nothing on its stdin.
    ///
    /// # Errors
    ///
    /// When it cannot be started or its guard is lost; whatever it does itself is an [`Ending`].
    pub fn run(&self, job: &Job) -> Result<Finished, SandboxError> {
        let mut guard = self.guard(job, Stdio::null())?;
        let longest = job.limits.wall.saturating_mul(1 + MAX_EXTENSIONS);
        let patience = longest.saturating_add(GUARD_PATIENCE);
        let report = guard.report(patience).ok_or_else(|| lost(&job.program))?;
        guard.finish(&job.program, &job.limits, report)
    }

    /// Starts a program with one end of a channel as its stdin.
    ///
    /// # Errors
    ///
    /// When the guard cannot be started. That the program cannot be is said by [`Process::end`].
    pub fn start(&self, job: &Job) -> Result<Process, SandboxError> {
        let channel = |source| SandboxError::Guard { action: "make a channel for", source };
        let (ours, theirs) = UnixStream::pair().map_err(channel)?;
        let guard = self.guard(job, Stdio::from(OwnedFd::from(theirs)))?;
        Ok(Process {
            program: job.program.clone(),
            limits: job.limits.clone(),
            channel: ours,
            guard: Some(guard),
            pids: Vec::new(),
        })
    }

    fn guard(&self, job: &Job, stdin: Stdio) -> Result<Guard, SandboxError> {
        check(job)?;
        let start = |source| SandboxError::Guard { action: "start", source };
        let (orders, theirs) = UnixStream::pair().map_err(start)?;
        let flood_orders = orders.try_clone().map_err(start)?;
        let (output, log_end) = io::pipe().map_err(start)?;
        // First, so that a guard never starts which nobody listens to.
        let log = drain(output, &job.limits, flood_orders).map_err(start)?;
        let mut command = command(&self.grade);
        command
            .arg(GUARD)
            .args(Brief { level: self.level, job: job.clone() }.encode())
            .env_clear()
            .current_dir(&job.dir)
            // Ctrl-C on a terminal is for the grader alone; the guard sees it go.
            .process_group(0)
            .stdin(stdin)
            .stdout(Stdio::from(log_end))
            .stderr(Stdio::from(OwnedFd::from(theirs)));
        let clock = Clock::start();
        let child = command.spawn().map_err(start)?;
        Ok(Guard { child, orders, log, clock })
    }
}

/// What can be said before anything is started is said clearly.
fn check(job: &Job) -> Result<(), SandboxError> {
    let program = |source| SandboxError::Program { program: job.program.clone(), source };
    access(&job.program, AccessFlags::X_OK).map_err(|errno| program(errno.into()))?;
    if !job.program.is_absolute() || job.program.is_dir() {
        return Err(program(ErrorKind::InvalidInput.into()));
    }
    access(&job.dir, AccessFlags::X_OK)
        .map_err(|errno| SandboxError::Dir { dir: job.dir.clone(), source: errno.into() })
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

fn lost(program: &Path) -> SandboxError {
    SandboxError::GuardLost { program: program.to_owned() }
}

/// Reads the output on a thread of its own; orders the end of a flood.
fn drain(
    mut output: PipeReader,
    limits: &Limits,
    mut orders: UnixStream,
) -> io::Result<Receiver<Log>> {
    let (sender, receiver) = mpsc::channel();
    let (log, flood_bytes) = (Log::new(limits.output_bytes), limits.flood_bytes);
    thread::Builder::new().name("log".to_owned()).spawn(move || {
        let log = log.drain(&mut output, flood_bytes, || {
            // The guard may be gone already.
            orders.write_all(&[report::FLOOD]).ok();
        });
        sender.send(log).ok();
    })?;
    Ok(receiver)
}

impl Process {
    /// The grader's end of the channel; set its timeouts as needed.
    pub fn channel(&mut self) -> &mut UnixStream {
        &mut self.channel
    }

    /// The time spent by the program and all processes that it has started, if they still exist; the
    /// kernel counts processor time in hundredths of a second.
    pub fn progress(&self) -> Progress {
        let guard = self.guard.as_ref().and_then(|guard| i32::try_from(guard.child.id()).ok());
        guard.map_or_else(Progress::default, |guard| sweep::progress_below(Pid::from_raw(guard)))
    }

    /// The threads that the program has right now. What it starts beside itself is not counted: an
    /// isolated program cannot.
    pub fn threads(&mut self) -> u64 {
        let guard = self.guard.as_ref().and_then(|guard| i32::try_from(guard.child.id()).ok());
        if let Some(guard) = guard.filter(|_| self.pids.is_empty()) {
            self.pids = sweep::descendants(Pid::from_raw(guard));
        }
        self.pids.iter().map(|pid| sweep::threads_of(*pid)).sum()
    }

    /// Ends the program and everything that it has started.
    ///
    /// One that has closed its channel is about to end by itself and is given a moment for that, so
    /// that it is known how it ended.
    ///
    /// # Errors
    ///
    /// When the program could not be started or its guard is lost.
    pub fn end(mut self) -> Result<Finished, SandboxError> {
        let order = if closed(&mut self.channel) { report::AWAIT } else { report::STOP };
        let Some(mut guard) = self.guard.take() else {
            return Err(lost(&self.program));
        };
        guard.order(order);
        let report = guard.report(GUARD_PATIENCE).ok_or_else(|| lost(&self.program))?;
        guard.finish(&self.program, &self.limits, report)
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if let Some(mut guard) = self.guard.take() {
            guard.order(report::STOP);
            guard.report(GUARD_PATIENCE);
        }
    }
}

/// Whether the other side has closed the channel; what it sent and nobody read is thrown away.
fn closed(channel: &mut UnixStream) -> bool {
    if channel.set_nonblocking(true).is_err() {
        return true;
    }
    let mut buffer = [0; 4096];
    // More than a channel holds: one that still gives after that is open.
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

impl Guard {
    fn order(&mut self, order: u8) {
        // A guard that is gone has ended everything already.
        self.orders.write_all(&[order]).ok();
    }

    /// The report, if it comes in time; the guard is gone afterwards, either way.
    fn report(&mut self, patience: Duration) -> Option<Report> {
        let mut text = Vec::new();
        let mut buffer = [0; 4096];
        let waited = Clock::start();
        // Zero would mean to wait for ever.
        let left = || waited.left(patience).max(Duration::from_millis(1));
        while (text.len() as u64) < MAX_REPORT_BYTES
            && waited.elapsed() < patience
            && self.orders.set_read_timeout(Some(left())).is_ok()
        {
            match self.orders.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => text.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let report = std::str::from_utf8(&text).ok().and_then(Report::decode);
        if report.is_none() {
            // Without orders a guard ends everything; but one that hangs does not.
            self.orders.shutdown(Shutdown::Both).ok();
            self.child.kill().ok();
        }
        self.child.wait().ok();
        report
    }

    fn finish(
        self,
        program: &Path,
        limits: &Limits,
        report: Report,
    ) -> Result<Finished, SandboxError> {
        let wall = self.clock.elapsed();
        let facts = match report {
            Report::Ended(facts) => facts,
            Report::Failed(reason) => {
                return Err(SandboxError::Confine { program: program.to_owned(), reason });
            }
        };
        // All writers are dead: this is a matter of reading what is left in the pipe.
        let log = self.log.recv_timeout(GUARD_PATIENCE).map_err(|_| lost(program))?;
        let ending = Ending::of(&facts, log.written(), limits);
        let (log, log_truncated) = log.finish();
        let usage = Usage { cpu: facts.total.cpu, wall, peak_bytes: facts.total.peak_bytes };
        Ok(Finished { ending, usage, log, log_truncated })
    }
}
