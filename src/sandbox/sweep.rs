//! Looks after everything below this process, and kills it.

use std::fs;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, SysconfVar, getpid, sysconf};

/// Between two rounds.
const PAUSE: Duration = Duration::from_micros(200);

/// Kills every descendant of this process; reaps none of them.
///
/// All are stopped before any is killed, so that a tree that keeps growing is caught.
pub(crate) fn kill_descendants() {
    let tree = descendants(getpid());
    for signal in [Signal::SIGSTOP, Signal::SIGKILL] {
        for pid in &tree {
            // One that has just ended needs no signal.
            kill(*pid, signal).ok();
        }
    }
}

/// Kills and reaps until there is no descendant left.
///
/// Only right for a subreaper: there, what has lost its parent becomes a child.
pub(crate) fn sweep() {
    loop {
        kill_descendants();
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return,
                Ok(WaitStatus::StillAlive) => break,
                // `EINVAL`: ended by a signal that has no name, and reaped all the same.
                Ok(_) | Err(_) => {}
            }
        }
        // Not a blocking wait: a process that was forked while the tree was listed is still alive.
        thread::sleep(PAUSE);
    }
}

/// Processor time of everything below this process that is still there.
pub(crate) fn descendants_cpu() -> Duration {
    cpu_below(getpid())
}

/// Processor time of everything below `root` that is still there.
pub(crate) fn cpu_below(root: Pid) -> Duration {
    let ticks_each_second = sysconf(SysconfVar::CLK_TCK).ok().flatten().unwrap_or(100);
    let ticks: u64 = descendants(root).into_iter().filter_map(ticks).sum();
    let milliseconds = ticks.saturating_mul(1000);
    Duration::from_millis(milliseconds / u64::try_from(ticks_each_second).unwrap_or(100).max(1))
}

/// User and system time of a process, with those of the children that it has waited for.
fn ticks(pid: Pid) -> Option<u64> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the name, may hold anything; after it comes the third.
    let (_, fields) = stat.rsplit_once(')')?;
    let times = fields.split_whitespace().skip(11).take(4);
    Some(times.filter_map(|field| field.parse::<u64>().ok()).sum())
}

/// Every process below `root`, parents before children.
fn descendants(root: Pid) -> Vec<Pid> {
    let mut found = vec![root];
    let mut next = 0;
    while let Some(&pid) = found.get(next) {
        next += 1;
        found.extend(children(pid));
    }
    found.remove(0);
    found
}

/// The children of all threads of a process; none if it has just ended.
fn children(pid: Pid) -> Vec<Pid> {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        let listed = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(listed.split_whitespace().filter_map(|word| word.parse::<i32>().ok()));
    }
    found.into_iter().map(Pid::from_raw).collect()
}
