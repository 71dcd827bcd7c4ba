//! Looks after everything below this process, and kills it.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, SysconfVar, getpid, sysconf};

use crate::sandbox::report::Used;

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

/// What processes that are still there have used, and hold.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Held {
    /// Processor time.
    pub(crate) cpu: Duration,
    /// Memory of their own, of all together. What is mapped from files is not theirs, and how much of
    /// it counts as resident depends on what lies in the system's cache.
    pub(crate) bytes: u64,
    /// Threads of all together.
    pub(crate) threads: u64,
}

/// What everything below this process holds.
pub(crate) fn held_by_descendants() -> Held {
    held_below(getpid())
}

/// Time that a tree of processes has spent so far, and its threads.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Time in which it computed.
    pub computed: Duration,
    /// Time in which it could have computed and no processor was free, as far as the kernel tells; of
    /// threads that have ended it does not.
    pub held_up: Duration,
    /// Number of threads.
    pub threads: u64,
}

/// The progress of all processes below `root` that still exist.
pub(crate) fn progress_below(root: Pid) -> Progress {
    let mut progress = Progress::default();
    let mut ticks = 0_u64;
    for pid in descendants(root) {
        let Some(stat) = stat(pid) else { continue };
        ticks += stat.ticks;
        progress.threads += stat.threads;
        let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else { continue };
        for thread in threads.flatten() {
            progress.held_up += held_up(&thread.path().join("schedstat"));
        }
    }
    progress.computed = Duration::from_millis(ticks.saturating_mul(1000) / ticks_each_second());
    progress
}

/// The time for which the calling thread was ready to run and no processor was free.
pub(crate) fn held_up_here() -> Duration {
    held_up(Path::new("/proc/thread-self/schedstat"))
}

/// The time that a thread spent waiting for a processor; none where the kernel does not tell.
fn held_up(schedstat: &Path) -> Duration {
    fs::read_to_string(schedstat).ok().and_then(|text| read_held_up(&text)).unwrap_or_default()
}

fn read_held_up(text: &str) -> Option<Duration> {
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// What the descendants of this process have used that are still there: of those that are killed, the
/// kernel tells nobody but their parent.
pub(crate) fn used_by_descendants() -> Used {
    let peaks = descendants(getpid())
        .into_iter()
        .filter_map(|pid| read_peak(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?));
    Used { peak_bytes: peaks.max().unwrap_or_default(), cpu: held_by_descendants().cpu }
}

fn held_below(root: Pid) -> Held {
    let page = system(SysconfVar::PAGE_SIZE, 4096);
    let mut held = Held::default();
    let mut ticks = 0_u64;
    for pid in descendants(root) {
        // One that has just ended holds nothing.
        let Some(stat) = stat(pid) else { continue };
        ticks += stat.ticks;
        held.threads += stat.threads;
        let pages = own_pages(pid).unwrap_or_default();
        held.bytes = held.bytes.saturating_add(pages.saturating_mul(page));
    }
    held.cpu = Duration::from_millis(ticks.saturating_mul(1000) / ticks_each_second());
    held
}

fn ticks_each_second() -> u64 {
    system(SysconfVar::CLK_TCK, 100)
}

fn system(variable: SysconfVar, usual: u64) -> u64 {
    let value = sysconf(variable).ok().flatten();
    value.and_then(|value| u64::try_from(value).ok()).unwrap_or(usual).max(1)
}

/// What `/proc/PID/stat` says of a process.
#[derive(Debug, PartialEq, Eq)]
struct Stat {
    /// User and system time, with those of the children that it has waited for.
    ticks: u64,
    threads: u64,
}

/// Number of threads of a process; 0 if it has just ended.
pub(crate) fn threads_of(pid: Pid) -> u64 {
    stat(pid).map_or(0, |stat| stat.threads)
}

fn stat(pid: Pid) -> Option<Stat> {
    read_stat(&fs::read_to_string(format!("/proc/{pid}/stat")).ok()?)
}

fn read_stat(text: &str) -> Option<Stat> {
    // The second field, the name, may hold anything; after it comes the third.
    let (_, fields) = text.rsplit_once(')')?;
    let fields: Vec<&str> = fields.split_whitespace().collect();
    let field = |number: usize| fields.get(number - 3)?.parse::<u64>().ok();
    let ticks = (14..=17).filter_map(field).sum();
    Some(Stat { ticks, threads: field(20)? })
}

fn own_pages(pid: Pid) -> Option<u64> {
    read_own_pages(&fs::read_to_string(format!("/proc/{pid}/statm")).ok()?)
}

fn read_own_pages(text: &str) -> Option<u64> {
    let mut fields = text.split_whitespace().skip(1).map(str::parse::<u64>);
    let (resident, of_files) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(resident.saturating_sub(of_files))
}

/// The most that was resident at a time, in bytes; the line gives it in KiB.
fn read_peak(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

/// Every process below `root`, parents before children.
pub(crate) fn descendants(root: Pid) -> Vec<Pid> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_read_whatever_its_name() {
        let text = "7 (a) b) R 1 7 7 0 -1 4194304 107 0 0 0 1 2 3 4 20 0 5 0 1234 99 321 184";
        assert_eq!(read_stat(text), Some(Stat { ticks: 10, threads: 5 }));
        assert_eq!(read_stat("7 (a) R 1"), None);
        let own = stat(getpid()).unwrap();
        assert!(own.threads > 0, "{own:?}");
        assert_eq!(read_own_pages("900 321 300 5 0 99 0"), Some(21));
        assert_eq!(read_own_pages("900"), None);
        assert!(own_pages(getpid()).unwrap() > 0);
        assert_eq!(read_peak("Name:\tVmHWM: 1\nVmHWM:\t    20 kB\n"), Some(20 * 1024));
        assert_eq!(read_peak("Name:\ta\n"), None);
        assert_eq!(read_held_up("5 1690286 2"), Some(Duration::from_nanos(1_690_286)));
        assert_eq!(read_held_up("5"), None);
    }
}
