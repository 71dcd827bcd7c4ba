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
    let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP].into_iter().collect();
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

fn remove(folder: &Path, prefix: &str) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        if entry.file_name().to_string_lossy().starts_with(prefix) {
            // What is left then is left to the machine's own clean-up.
            fs::remove_dir_all(entry.path()).ok();
        }
    }
}
