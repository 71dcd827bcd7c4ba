//! Exit status and resource usage of processes, as reported by the kernel.

use std::io;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

use nix::sys::resource::{UsageWho, getrusage};
use nix::sys::time::TimeVal;

/// Resource usage of a set of processes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Rusage {
    /// CPU time, including that of children that were waited for.
    pub(crate) cpu: Duration,
    /// Largest resident set size of any one process, in bytes.
    pub(crate) peak_bytes: u64,
}

/// Exit status of a process.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum TerminationStatus {
    /// Exited with this code.
    Exited(i32),
    /// Killed by this signal.
    Signaled(i32),
}

impl TerminationStatus {
    /// Converts the exit status of the standard library.
    pub(crate) fn of(status: ExitStatus) -> Self {
        match (status.code(), status.signal()) {
            (Some(code), _) => Self::Exited(code),
            (None, signal) => Self::Signaled(signal.unwrap_or_default()),
        }
    }
}

/// Returns the usage of all children that this process has waited for, and of their children.
pub(crate) fn of_children() -> io::Result<Rusage> {
    let usage = getrusage(UsageWho::RUSAGE_CHILDREN)?;
    let cpu = duration(usage.user_time()) + duration(usage.system_time());
    // Linux reports KiB.
    let peak_bytes = u64::try_from(usage.max_rss()).unwrap_or_default().saturating_mul(1024);
    Ok(Rusage { cpu, peak_bytes })
}

fn duration(time: TimeVal) -> Duration {
    let seconds = Duration::from_secs(u64::try_from(time.tv_sec()).unwrap_or_default());
    seconds + Duration::from_micros(u64::try_from(time.tv_usec()).unwrap_or_default())
}
