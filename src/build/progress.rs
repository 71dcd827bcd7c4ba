//! Progress of the build of a pack.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::build::artifacts::Message;

/// Seconds that a crate adds to the duration of a build on two cores, measured: those of the crates that take longest, and
/// of each other one. All 147 crates take 145 s.
const SECONDS: [(&str, f64); 2] = [("candle_core", 40.0), ("softmark_kit", 35.0)];
const SECONDS_OTHERWISE: f64 = 0.5;

/// Seconds of work that count as measured at the speed of [`SECONDS`] from the beginning, so that the first crates do not
/// decide the estimate.
const SECONDS_TRUSTED: f64 = 30.0;

/// Stage of the preparation of a pack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackProgress {
    /// Another grader builds a pack in the same cache, and this one waits for it.
    Waiting,
    /// Cargo fetches the sources that are not on this machine yet.
    Fetching,
    /// Cargo compiles the crates. This stage is reported at least every second.
    Compiling(CompileProgress),
    /// All crates are compiled, and the pack is complete.
    Built,
}

/// Number of crates that are compiled, and the time.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CompileProgress {
    /// Number of crates that are compiled; at most `total`.
    pub done: usize,
    /// Number of crates of the pack.
    pub total: usize,
    /// Time since the first crate was begun.
    pub elapsed: Duration,
    /// Estimate of the time that the other crates will take; `None` once the build has taken longer than expected.
    pub left: Option<Duration>,
}

/// Counts the crates that cargo reports as compiled, and estimates the time for the others.
#[derive(Debug)]
pub(crate) struct CrateCounter {
    total: usize,
    /// Library names of the crates that are not compiled yet, and the number of crates with each name: there may be two
    /// versions of one crate.
    missing: BTreeMap<String, usize>,
    /// Package ids of the crates that are compiled. Cargo compiles a crate twice if build scripts use it, too.
    done: BTreeSet<String>,
    /// Output of cargo since the last end of a line.
    line: Vec<u8>,
    /// Expected seconds for the crates that were compiled during this build.
    seconds_done: f64,
    /// Time at which the last crate was reported.
    last: Duration,
}

impl CrateCounter {
    /// Creates a counter for crates with these library names.
    pub(crate) fn new(crates: impl IntoIterator<Item = String>) -> Self {
        let mut missing = BTreeMap::new();
        for name in crates {
            *missing.entry(name).or_insert(0) += 1;
        }
        Self {
            total: missing.values().sum(),
            missing,
            done: BTreeSet::new(),
            line: Vec::new(),
            seconds_done: 0.0,
            last: Duration::ZERO,
        }
    }

    /// Reads a piece of cargo's output that was written `elapsed` after the start.
    pub(crate) fn read(&mut self, output: &[u8], elapsed: Duration) {
        self.line.extend_from_slice(output);
        while let Some(end) = self.line.iter().position(|byte| *byte == b'\n') {
            let line: Vec<u8> = self.line.drain(..=end).collect();
            if let Some(message) = std::str::from_utf8(&line).ok().and_then(Message::parse) {
                self.count(message, elapsed);
            }
        }
    }

    fn count(&mut self, message: Message, elapsed: Duration) {
        let Some(target) = message.library() else { return };
        let Some(missing) = self.missing.get_mut(&target.name).filter(|count| **count > 0) else {
            return;
        };
        let seconds = seconds_for(&target.name);
        if self.done.insert(message.package_id) {
            *missing -= 1;
            self.last = elapsed;
            // An artifact of an earlier build says nothing about the speed of this one.
            self.seconds_done += if message.fresh { 0.0 } else { seconds };
        }
    }

    /// Returns the progress at a time.
    pub(crate) fn progress(&self, elapsed: Duration) -> CompileProgress {
        CompileProgress {
            done: self.done.len(),
            total: self.total,
            elapsed,
            left: self.left(elapsed),
        }
    }

    /// Returns the progress after cargo has succeeded.
    pub(crate) fn complete(&self, elapsed: Duration) -> CompileProgress {
        CompileProgress { done: self.total, total: self.total, elapsed, left: Some(Duration::ZERO) }
    }

    /// Estimates the time for the missing crates, from the speed since the start.
    fn left(&self, elapsed: Duration) -> Option<Duration> {
        let missing = self.missing.iter();
        let seconds: f64 = missing.map(|(name, count)| seconds_for(name) * *count as f64).sum();
        let slowness =
            (self.last.as_secs_f64() + SECONDS_TRUSTED) / (self.seconds_done + SECONDS_TRUSTED);
        let end = self.last + Duration::from_secs_f64(seconds * slowness);
        end.checked_sub(elapsed).filter(|left| !left.is_zero())
    }
}

fn seconds_for(name: &str) -> f64 {
    SECONDS.iter().find(|(heavy, _)| *heavy == name).map_or(SECONDS_OTHERWISE, |it| it.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn message(id: &str, name: &str, kind: &str, fresh: bool) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"{id}","target":{{"name":"{name}","kind":["{kind}"]}},"fresh":{fresh}}}"#
        ) + "\n"
    }

    fn counter(names: &[&str]) -> CrateCounter {
        CrateCounter::new(names.iter().map(|&name| name.to_owned()))
    }

    #[test]
    fn each_crate_counts_once_and_the_total_is_reached_and_never_exceeded() {
        let mut counter = counter(&["syn", "syn", "half", "libm"]);
        let done = |counter: &CrateCounter| counter.progress(SECOND).done;
        assert_eq!(counter.progress(SECOND).total, 4);
        for (message, expected) in [
            (message("syn@1", "syn", "lib", false), 1),
            ("warning: unused\n{\"reason\":\"build-script-executed\",\"package_id\":\"half@2\"}\n".to_owned(), 1),
            (message("half@2", "build-script-build", "custom-build", false), 1),
            (message("syn@2", "syn", "lib", false), 2),
            // Compiled again for build scripts.
            (message("syn@2", "syn", "lib", false), 2),
            (message("half@2", "half", "lib", true), 3),
            // Neither of them was announced.
            (message("syn@3", "syn", "lib", false), 3),
            (message("other@1", "other", "proc-macro", false), 3),
            (message("libm@1", "libm", "proc-macro", false), 4),
            (message("libm@2", "libm", "lib", false), 4),
        ] {
            counter.read(message.as_bytes(), SECOND);
            assert_eq!(done(&counter), expected, "{message}");
        }
        assert_eq!(
            counter.progress(SECOND),
            CompileProgress { left: None, ..counter.complete(SECOND) }
        );
    }

    #[test]
    fn a_crate_that_cargo_does_not_report_is_done_at_the_end() {
        let counter = counter(&["half", "libm"]);
        assert_eq!(counter.progress(SECOND).done, 0);
        let end = counter.complete(SECOND);
        assert_eq!((end.done, end.total, end.left), (2, 2, Some(Duration::ZERO)));
    }

    #[test]
    fn output_is_read_in_pieces_of_any_size() {
        let text =
            message("half@2", "half", "lib", false) + &message("libm@1", "libm", "lib", false);
        for size in [1, 7, 64, text.len()] {
            let mut counter = counter(&["half", "libm"]);
            for piece in text.as_bytes().chunks(size) {
                counter.read(piece, SECOND);
            }
            assert_eq!(counter.progress(SECOND).done, 2, "{size}");
        }
    }

    /// Returns the estimate in seconds.
    fn left(counter: &CrateCounter, elapsed: u32) -> Option<u64> {
        counter.progress(SECOND * elapsed).left.map(|left| left.as_secs())
    }

    #[test]
    fn the_estimate_follows_what_was_measured() {
        let names = ["half", "candle_core", "softmark_kit"];
        let compiled = |seconds: u32| {
            let mut counter = counter(&names);
            counter.read(message("c@1", "candle_core", "lib", false).as_bytes(), SECOND * seconds);
            left(&counter, seconds).unwrap()
        };
        assert_eq!(left(&counter(&names), 0), Some(75));
        assert_eq!(left(&counter(&names), 60), Some(15), "time passes while a crate is compiled");
        assert_eq!(left(&counter(&names), 200), None, "longer than expected");
        assert_eq!(compiled(40), 35);
        assert!(compiled(80) > 50, "a slow machine");
        assert!(compiled(10) < 25, "a fast machine");
        let mut cached = counter(&names);
        cached.read(message("c@1", "candle_core", "lib", true).as_bytes(), SECOND);
        assert!((30..=40).contains(&left(&cached, 1).unwrap()), "not compiled, so not fast");
    }
}
