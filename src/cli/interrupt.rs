//! What is left behind when a run is broken off: nothing but the records that it has kept.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::thread;

use nix::sys::signal::{SigSet, Signal, raise};

/// From now on, and until the program ends, a signal that breaks it off first removes what its run
/// has in `folder` under names that begin with `prefix`.
///
/// To be called before threads are started: they take their mask of signals from this one.
///
/// # Errors
///
/// When the thread that waits for signals cannot be started.
pub(crate) fn clean_up_when_broken_off(folder: PathBuf, prefix: String) -> io::Result<()> {
    let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
        .into_iter()
        .filter(|signal| ignored & mask(*signal) == 0)
        .collect();
    signals.thread_block()?;
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        if let Ok(signal) = signals.wait() {
            // What is still at work may write while this removes.
            for _ in 0..3 {
                remove(&folder, &prefix);
            }
            // Now it does what it always does: it ends the program, and the guards see it go.
            signals.thread_unblock().ok();
            raise(signal).ok();
        }
    })?;
    Ok(())
}

/// The signals that whoever started the program has told it to ignore, as `nohup` does: a run goes on
/// through those.
fn ignored(status: &str) -> u64 {
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or(0)
}

/// The signal's bit in such a mask.
fn mask(signal: Signal) -> u64 {
    u32::try_from(signal as i32 - 1).ok().and_then(|n| 1_u64.checked_shl(n)).unwrap_or(0)
}

fn remove(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            // What is left then is left to the machine's own clean-up.
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_ignored_is_read_from_the_mask() {
        let status = "Name:\tgrade\nSigBlk:\t0000000000000000\nSigIgn:\t0000000000001003\n";
        let ignored = ignored(status);
        assert_ne!(ignored & mask(Signal::SIGHUP), 0);
        assert_ne!(ignored & mask(Signal::SIGINT), 0);
        assert_eq!(ignored & mask(Signal::SIGTERM), 0);
        assert_eq!(super::ignored("Name:\tgrade\n"), 0);
    }
}
