//! The descendants of a process: their resource usage, and killing all of them.

use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid};

use crate::job::Access;
use crate::level::Level;
use crate::procfs;
use crate::rusage::Rusage;

/// Pause between two rounds of killing.
const PAUSE: Duration = Duration::from_micros(200);

/// Threads of a program that may have started other processes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Starters {
    /// Any thread.
    AllThreads,
    /// The main thread alone: of a program that cannot start any, and of the processes of the sandbox above it.
    MainThread,
}

impl Starters {
    /// Returns the threads of a program at an isolation level with this access. The filter of a program that only computes lets it
    /// start threads and no processes.
    pub(crate) fn of(level: Level, access: &Access) -> Self {
        let is_filtered = level != Level::None && *access == Access::ComputeOnly;
        if is_filtered { Self::MainThread } else { Self::AllThreads }
    }
}

/// Returns all descendants of a supervisor, parents before children. It has started them from its main thread.
pub(crate) fn descendants(supervisor: Pid, starters: Starters) -> Vec<Pid> {
    let mut found = procfs::children_of_main_thread(supervisor);
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        next += 1;
        found.extend(match starters {
            Starters::AllThreads => procfs::children(pid),
            Starters::MainThread => procfs::children_of_main_thread(pid),
        });
    }
    found
}

/// Kills every descendant of this process, and reaps none.
///
/// All are stopped before the first is killed, so that a tree that keeps growing is caught.
pub(crate) fn kill_descendants() {
    let tree = descendants(getpid(), Starters::AllThreads);
    for signal in [Signal::SIGSTOP, Signal::SIGKILL] {
        for pid in &tree {
            // Fails if the process has just ended.
            kill(*pid, signal).ok();
        }
    }
}

/// Kills and reaps until no descendant is left.
///
/// The calling process must be a subreaper, so that orphans become its children.
pub(crate) fn kill_and_reap_descendants() {
    loop {
        kill_descendants();
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return,
                Ok(WaitStatus::StillAlive) => break,
                // `EINVAL` means that a signal without a name killed the process, which is reaped.
                Ok(_) | Err(_) => {}
            }
        }
        // Not a blocking wait: a process that was forked while the tree was listed is still alive.
        thread::sleep(PAUSE);
    }
}

/// Resources that the living descendants of this process use.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct TreeUsage {
    /// CPU time.
    pub(crate) cpu: Duration,
    /// Private memory in bytes.
    pub(crate) private_bytes: u64,
    /// Number of threads.
    pub(crate) threads: u64,
}

/// Returns the resources that the living descendants of this process use.
pub(crate) fn usage_of_descendants(starters: Starters) -> TreeUsage {
    let mut usage = TreeUsage::default();
    let mut ticks = 0_u64;
    for pid in descendants(getpid(), starters) {
        // A process that has just ended uses nothing.
        let Some(stat) = procfs::stat(pid) else { continue };
        ticks += stat.ticks;
        usage.threads += stat.threads;
        let bytes = procfs::private_bytes(pid).unwrap_or_default();
        usage.private_bytes = usage.private_bytes.saturating_add(bytes);
    }
    usage.cpu = procfs::ticks_to_duration(ticks);
    usage
}

/// Returns CPU time and peak memory of the living descendants of this process. The kernel reports the
/// usage of processes that are killed to their parents only, so this must be called before.
pub(crate) fn rusage_of_descendants() -> Rusage {
    let all = Starters::AllThreads;
    let peaks = descendants(getpid(), all).into_iter().filter_map(procfs::peak_bytes);
    Rusage { peak_bytes: peaks.max().unwrap_or_default(), cpu: usage_of_descendants(all).cpu }
}

/// CPU time and threads of a running process tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// CPU time used so far.
    pub cpu: Duration,
    /// Time for which living threads were runnable and no processor was free; zero if the kernel does
    /// not report it.
    pub run_delay: Duration,
    /// Number of threads.
    pub threads: u64,
}

/// Returns the progress of the living descendants of a supervisor.
pub(crate) fn progress_of_descendants(supervisor: Pid, starters: Starters) -> Progress {
    let mut progress = Progress::default();
    let mut ticks = 0_u64;
    for pid in descendants(supervisor, starters) {
        let Some(stat) = procfs::stat(pid) else { continue };
        ticks += stat.ticks;
        progress.threads += stat.threads;
        progress.run_delay += procfs::run_delay(pid);
    }
    progress.cpu = procfs::ticks_to_duration(ticks);
    progress
}
