//! The grader's connection to a supervisor.

use std::io::{self, ErrorKind, PipeReader, Read, Write};
use std::net::Shutdown;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Receiver, SyncSender};
use std::thread;
use std::time::Duration;

use nix::unistd::Pid;

use crate::clock::Clock;
use crate::error::SandboxError;
use crate::exit::{CompletedProcess, ExitReason, ResourceUsage};
use crate::job::{Job, Limits};
use crate::launch_spec::LaunchSpec;
use crate::output_log::OutputLog;
use crate::protocol::{Order, SupervisorReport};
use crate::supervisor;

/// Time that the supervisor gets to kill everything and report.
pub(crate) const REPORT_TIMEOUT: Duration = Duration::from_secs(30);

/// Upper bound of the length of a report.
const MAX_REPORT_BYTES: u64 = 64 * 1024;

/// A running supervisor.
#[derive(Debug)]
pub(crate) struct Connection {
    child: Child,
    orders: UnixStream,
    log: Receiver<OutputLog>,
    clock: Clock,
}

impl Connection {
    /// Starts a supervisor with `stdin` as the program's stdin. `grader` is an executable whose `main`
    /// calls [`run_helper`](crate::run_helper). A copy of the program's output is sent to `copy`.
    pub(crate) fn open(
        grader: &Path,
        spec: &LaunchSpec,
        stdin: Stdio,
        copy: Option<SyncSender<Vec<u8>>>,
    ) -> Result<Self, SandboxError> {
        let LaunchSpec { job: Job { limits, dir, .. }, .. } = spec;
        let failed = |source| SandboxError::Supervisor { action: "start", source };
        let (orders, their_orders) = UnixStream::pair().map_err(failed)?;
        let order_on_excess = orders.try_clone().map_err(failed)?;
        let (output, log_end) = io::pipe().map_err(failed)?;
        // Before the supervisor, so that none is started whose output nobody reads.
        let output = CopyingReader { output, copy };
        let log = read_log(output, limits, order_on_excess).map_err(failed)?;
        let mut command = command(grader);
        command
            .arg(supervisor::SUBCOMMAND)
            .args(spec.to_args())
            .env_clear()
            .current_dir(dir)
            // Ctrl-C on a terminal ends the grader only; the supervisor notices that it is gone.
            .process_group(0)
            .stdin(stdin)
            .stdout(Stdio::from(log_end))
            .stderr(Stdio::from(OwnedFd::from(their_orders)));
        let clock = Clock::start();
        let child = command.spawn().map_err(failed)?;
        Ok(Self { child, orders, log, clock })
    }

    /// Returns the process id of the supervisor.
    pub(crate) fn pid(&self) -> Option<Pid> {
        i32::try_from(self.child.id()).ok().map(Pid::from_raw)
    }

    /// True if the supervisor has ended.
    pub(crate) fn has_ended(&mut self) -> bool {
        !matches!(self.child.try_wait(), Ok(None))
    }

    /// Sends an order.
    pub(crate) fn send(&mut self, order: Order) {
        // Fails only if the supervisor is gone, and then the process tree is dead.
        self.orders.write_all(&[order.to_byte()]).ok();
    }

    /// Waits for the report; `None` if none arrives in time. The supervisor is gone afterwards in
    /// either case.
    pub(crate) fn report(&mut self, timeout: Duration) -> Option<SupervisorReport> {
        let mut text = Vec::new();
        let mut buffer = [0; 4096];
        let waited = Clock::start();
        // A read timeout of zero would be an error.
        let left = || waited.left(timeout).max(Duration::from_millis(1));
        while (text.len() as u64) < MAX_REPORT_BYTES
            && waited.elapsed() < timeout
            && self.orders.set_read_timeout(Some(left())).is_ok()
        {
            match self.orders.read(&mut buffer) {
                Ok(0) => break,
                Ok(count) => text.extend_from_slice(buffer.get(..count).unwrap_or_default()),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(_) => break,
            }
        }
        let report = std::str::from_utf8(&text).ok().and_then(SupervisorReport::decode);
        if report.is_none() {
            // A supervisor whose orders close kills everything; one that hangs must be killed.
            self.orders.shutdown(Shutdown::Both).ok();
            self.child.kill().ok();
        }
        self.child.wait().ok();
        report
    }

    /// Converts the report of the supervisor of `program`.
    pub(crate) fn complete(
        self,
        program: &Path,
        limits: &Limits,
        report: SupervisorReport,
    ) -> Result<CompletedProcess, SandboxError> {
        let wall = self.clock.elapsed();
        let observations = match report {
            SupervisorReport::Ended(observations) => observations,
            SupervisorReport::Failed(reason) => {
                return Err(SandboxError::Launch { program: program.to_owned(), reason });
            }
        };
        // All writers are dead, so the rest of the output is in the pipe.
        let log = self.log.recv_timeout(REPORT_TIMEOUT);
        let log = log.map_err(|_| SandboxError::supervisor_lost(program))?;
        let exit = ExitReason::of(&observations, log.written(), limits);
        let log = log.into_contents();
        let total = observations.total;
        let usage = ResourceUsage { cpu: total.cpu, wall, peak_bytes: total.peak_bytes };
        Ok(CompletedProcess { exit, usage, log: log.bytes, log_truncated: log.truncated })
    }
}

#[expect(clippy::disallowed_methods, reason = "the sandbox starts processes")]
fn command(program: &Path) -> Command {
    Command::new(program)
}

/// Reads the output on a thread of its own, and orders the end of a program that exceeds its limit.
fn read_log(
    mut output: CopyingReader,
    limits: &Limits,
    mut orders: UnixStream,
) -> io::Result<Receiver<OutputLog>> {
    let (sender, receiver) = mpsc::channel();
    let (log, limit) = (OutputLog::new(limits.output_bytes), limits.flood_bytes);
    // Fails only if the supervisor is gone.
    let mut on_excess = move || drop(orders.write_all(&[Order::OutputLimit.to_byte()]));
    let read = move || drop(sender.send(log.drain(&mut output, limit, &mut on_excess)));
    thread::Builder::new().name("log".to_owned()).spawn(read)?;
    Ok(receiver)
}

/// Reader of a program's output that sends a copy of what is read.
struct CopyingReader {
    output: PipeReader,
    copy: Option<SyncSender<Vec<u8>>>,
}

impl Read for CopyingReader {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.output.read(buffer)?;
        if let (Some(copy), Some(piece @ [_, ..])) = (&self.copy, buffer.get(..count)) {
            // Fails only if nobody listens any more; the log is complete without a listener, too.
            copy.send(piece.to_vec()).ok();
        }
        Ok(count)
    }
}
