//! Readers of `/proc`.

use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::time::Duration;

use nix::unistd::{Pid, SysconfVar, sysconf};

/// Fields of `/proc/PID/stat`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ProcessStat {
    /// User and system time in clock ticks, including that of children that were waited for.
    pub(crate) ticks: u64,
    /// Number of threads.
    pub(crate) threads: u64,
}

/// Reads `/proc/PID/stat`; `None` if the process does not exist any more.
pub(crate) fn stat(pid: Pid) -> Option<ProcessStat> {
    parse_stat(&fs::read(format!("/proc/{pid}/stat")).ok()?)
}

/// Open `/proc/PID/task`, the folder of a process's threads.
#[derive(Debug)]
pub(crate) struct TaskFolder {
    pub(crate) pid: Pid,
    folder: File,
    /// True if the kernel gives the folder a link for each thread, beside the two of an empty folder, as Linux does.
    has_links: bool,
}

impl TaskFolder {
    /// Opens the folder of a living process; `None` if it does not exist any more.
    pub(crate) fn open(pid: Pid) -> Option<Self> {
        let folder = File::open(format!("/proc/{pid}/task")).ok()?;
        let has_links = links(&folder) > EMPTY_LINKS;
        Some(Self { pid, folder, has_links })
    }

    /// Returns the number of threads; 0 if the process does not exist any more, even if another one has its number.
    ///
    /// Counting links takes a fraction of the time of reading `/proc/PID/stat`, which is done where there are none.
    pub(crate) fn threads(&self) -> u64 {
        if self.has_links {
            links(&self.folder).saturating_sub(EMPTY_LINKS)
        } else {
            stat(self.pid).map_or(0, |stat| stat.threads)
        }
    }
}

/// Number of links to an empty folder: its name, and its own `.`.
const EMPTY_LINKS: u64 = 2;

fn links(folder: &File) -> u64 {
    folder.metadata().map_or(0, |metadata| metadata.nlink())
}

fn parse_stat(text: &[u8]) -> Option<ProcessStat> {
    // The second field, the name in parentheses, may contain any bytes.
    let end_of_name = text.iter().rposition(|byte| *byte == b')')?;
    let fields = str::from_utf8(text.get(end_of_name + 1..)?).ok()?;
    // The first one is the third field.
    let mut fields = fields.split_ascii_whitespace().skip(14 - 3);
    let mut next = || fields.next()?.parse::<u64>().ok();
    let ticks = next()? + next()? + next()? + next()?;
    // Priority and nice value may be negative.
    let threads = fields.nth(20 - 18)?.parse().ok()?;
    Some(ProcessStat { ticks, threads })
}

/// Returns the private resident memory of a process in bytes: pages that are not mapped from files.
/// Mapped files do not count, because the page cache decides which of their pages are resident.
pub(crate) fn private_bytes(pid: Pid) -> Option<u64> {
    let pages = parse_private_pages(&fs::read_to_string(format!("/proc/{pid}/statm")).ok()?)?;
    Some(pages.saturating_mul(system_value(SysconfVar::PAGE_SIZE, 4096)))
}

fn parse_private_pages(text: &str) -> Option<u64> {
    let mut fields = text.split_whitespace().skip(1).map(str::parse::<u64>);
    let (resident, shared) = (fields.next()?.ok()?, fields.next()?.ok()?);
    Some(resident.saturating_sub(shared))
}

/// Returns the largest resident set size that a process has had, in bytes.
pub(crate) fn peak_bytes(pid: Pid) -> Option<u64> {
    parse_peak_bytes(&fs::read_to_string(format!("/proc/{pid}/status")).ok()?)
}

fn parse_peak_bytes(text: &str) -> Option<u64> {
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.split_whitespace().next()?.parse().ok()?;
    Some(kibibytes.saturating_mul(1024))
}

/// Returns the time for which the threads of a process were runnable and no processor was free.
pub(crate) fn run_delay(pid: Pid) -> Duration {
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Duration::ZERO;
    };
    threads.flatten().map(|thread| thread_run_delay(&thread.path())).sum()
}

/// Returns the time for which the calling thread was runnable and no processor was free.
pub fn current_thread_run_delay() -> Duration {
    thread_run_delay(Path::new("/proc/thread-self"))
}

/// Returns the run delay of one thread; zero if the kernel does not report it.
fn thread_run_delay(thread: &Path) -> Duration {
    let text = fs::read_to_string(thread.join("schedstat"));
    text.ok().and_then(|text| parse_run_delay(&text)).unwrap_or_default()
}

fn parse_run_delay(text: &str) -> Option<Duration> {
    text.split_whitespace().nth(1)?.parse().ok().map(Duration::from_nanos)
}

/// Returns the children that the main thread of a process has started, and those that the process has inherited as a subreaper;
/// none if it does not exist any more.
///
/// Nothing of its other threads is read. What is read in `/proc` of a thread stays in the kernel's cache until the thread ends; if that
/// is when the process ends, whoever waits for the process spins in the kernel until the thread has cleared its entries, for milliseconds
/// where the processors are busy.
pub(crate) fn children_of_main_thread(pid: Pid) -> Vec<Pid> {
    parse_pids(&fs::read_to_string(format!("/proc/{pid}/task/{pid}/children")).unwrap_or_default())
}

/// Returns the children of all threads of a process; none if it does not exist any more.
pub(crate) fn children(pid: Pid) -> Vec<Pid> {
    if stat(pid).is_none_or(|stat| stat.threads <= 1) {
        return children_of_main_thread(pid);
    }
    let Ok(threads) = fs::read_dir(format!("/proc/{pid}/task")) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    for thread in threads.flatten() {
        let list = fs::read_to_string(thread.path().join("children")).unwrap_or_default();
        found.extend(parse_pids(&list));
    }
    found
}

fn parse_pids(list: &str) -> Vec<Pid> {
    let numbers = list.split_whitespace().filter_map(|word| word.parse::<i32>().ok());
    numbers.map(Pid::from_raw).collect()
}

/// Converts clock ticks to a duration.
pub(crate) fn ticks_to_duration(ticks: u64) -> Duration {
    let ticks_per_second = system_value(SysconfVar::CLK_TCK, 100);
    Duration::from_millis(ticks.saturating_mul(1000) / ticks_per_second)
}

fn system_value(variable: SysconfVar, default: u64) -> u64 {
    let value = sysconf(variable).ok().flatten();
    value.and_then(|value| u64::try_from(value).ok()).unwrap_or(default).max(1)
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use nix::unistd::getpid;

    use super::*;

    #[test]
    fn parses_the_stat_of_a_process_with_any_name() {
        let text = b"7 (a) \xff) R 1 7 7 0 -1 4194304 107 0 0 0 1 2 3 4 20 -5 5 0 1234 99 321 184";
        assert_eq!(parse_stat(text), Some(ProcessStat { ticks: 10, threads: 5 }));
        assert_eq!(parse_stat(b"7 (a) R 1"), None);
        let own = stat(getpid()).unwrap();
        assert!(own.threads > 0, "{own:?}");
    }

    #[expect(clippy::disallowed_methods, reason = "the process is the test's own")]
    #[test]
    fn threads_are_counted_while_the_process_lives() {
        let mut child = Command::new("sleep").arg("3600").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        let folder = TaskFolder::open(pid).unwrap();
        let other_kernel = TaskFolder { has_links: false, ..TaskFolder::open(pid).unwrap() };
        for _ in 0..3 {
            assert_eq!((folder.threads(), other_kernel.threads()), (1, 1));
        }
        child.kill().unwrap();
        child.wait().unwrap();
        assert_eq!((folder.threads(), other_kernel.threads()), (0, 0));
    }

    #[expect(clippy::disallowed_methods, reason = "the process is the test's own")]
    #[test]
    fn children_of_other_threads_are_found_where_they_are_looked_for() {
        // A test has a thread of its own, which is not the main one.
        let mut child = Command::new("sleep").arg("3600").spawn().unwrap();
        let pid = Pid::from_raw(child.id().try_into().unwrap());
        assert!(children(getpid()).contains(&pid));
        assert!(!children_of_main_thread(getpid()).contains(&pid));
        child.kill().unwrap();
        child.wait().unwrap();
        // A shell starts it from its main thread, which is its only one.
        let mut shell = Command::new("sh").args(["-c", "sleep 3600 & wait"]).spawn().unwrap();
        let pid = Pid::from_raw(shell.id().try_into().unwrap());
        let found = (0..1000).find_map(|_| {
            std::thread::sleep(Duration::from_millis(5));
            Some(children_of_main_thread(pid)).filter(|found| !found.is_empty())
        });
        assert_eq!(found.as_ref(), Some(&children(pid)));
        nix::sys::signal::kill(found.unwrap()[0], nix::sys::signal::Signal::SIGKILL).unwrap();
        shell.wait().unwrap();
    }

    #[test]
    fn links_of_the_folder_are_the_threads() {
        let folder = TaskFolder::open(getpid()).unwrap();
        let (stop, wait) = std::sync::mpsc::channel::<()>();
        let before = folder.threads();
        let waiting = std::thread::Builder::new().name("waiting".to_owned());
        let thread = waiting.spawn(move || wait.recv()).unwrap();
        // Other tests start and end threads meanwhile.
        let counted = (0..1000).any(|_| folder.threads() == stat(getpid()).unwrap().threads);
        assert!(before > 0 && counted && folder.threads() > 1);
        drop(stop);
        thread.join().unwrap().unwrap_err();
    }

    #[test]
    fn parses_memory_and_run_delay() {
        assert_eq!(parse_private_pages("900 321 300 5 0 99 0"), Some(21));
        assert_eq!(parse_private_pages("900"), None);
        assert!(private_bytes(getpid()).unwrap() > 0);
        assert_eq!(parse_peak_bytes("Name:\tVmHWM: 1\nVmHWM:\t    20 kB\n"), Some(20 * 1024));
        assert_eq!(parse_peak_bytes("Name:\ta\n"), None);
        assert_eq!(parse_run_delay("5 1690286 2"), Some(Duration::from_nanos(1_690_286)));
        assert_eq!(parse_run_delay("5"), None);
    }
}
