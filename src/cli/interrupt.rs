//! Cleanup after an interrupt: only the records that the run has saved remain.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::thread;

use nix::sys::signal::{SigSet, Signal, kill, raise};
use nix::unistd::Pid;
use softmark_sandbox::Starter;

use crate::cli::progress::say;
use crate::pipeline;

/// Text that is printed when a signal breaks the run off.
static INTERRUPT_MESSAGE: Mutex<String> = Mutex::new(String::new());

/// Sets the text that is printed when a signal breaks the run off: what goes on elsewhere.
pub(crate) fn set_interrupt_message(text: &str) {
    text.clone_into(&mut INTERRUPT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner));
}

/// Signals that break a run off, held back until somebody waits for them.
#[derive(Debug)]
pub(crate) struct Signals(SigSet);

impl Signals {
    /// From now on they wait.
    ///
    /// To be called before there is anything to leave behind, and before threads are started: they
    /// take their mask of signals from this one.
    ///
    /// # Errors
    ///
    /// When the kernel does not let them be held back.
    pub(crate) fn held_back() -> io::Result<Self> {
        let ignored = ignored(&fs::read_to_string("/proc/self/status").unwrap_or_default());
        let signals: SigSet = [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP]
            .into_iter()
            .filter(|signal| ignored & mask(*signal) == 0)
            .collect();
        signals.thread_block()?;
        Ok(Self(signals))
    }

    /// From now on, and until the program ends, one of them first removes the run's folder `scratch`. If another process started
    /// this one as a part of itself, its end breaks the run off as well.
    ///
    /// # Errors
    ///
    /// When the threads that wait cannot be started.
    pub(crate) fn clean_up(self, scratch: PathBuf) -> io::Result<()> {
        let Self(signals) = self;
        let thread = thread::Builder::new().name("signals".to_owned());
        thread.spawn(move || wait_and_remove(signals, &scratch))?;
        let Some(starter) = Starter::find() else { return Ok(()) };
        let thread = thread::Builder::new().name("starter".to_owned());
        thread.spawn(|| end_with(starter)).map(drop)
    }
}

/// Breaks the run off when the process that started this one ends.
fn end_with(starter: Starter) {
    starter.wait_for_end();
    kill(Pid::this(), Signal::SIGTERM).ok();
}

/// Waits for one of these signals, removes the run's folder, and lets the signal end the program.
fn wait_and_remove(signals: SigSet, scratch: &Path) {
    if let Ok(signal) = signals.wait() {
        let message = INTERRUPT_MESSAGE.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if !message.is_empty() {
            say(&format!("\n{message}"));
        }
        // What is still at work may make folders again; what is left then is for the next
        // run, as after a signal that cannot be waited for.
        for _ in 0..3 {
            pipeline::remove(scratch).ok();
        }
        // Now the signal ends the program, and the supervisors notice that it is gone.
        signals.thread_unblock().ok();
        raise(signal).ok();
    }
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
