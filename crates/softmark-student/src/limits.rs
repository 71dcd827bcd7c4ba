//! Limits of the process that answers a check.

use std::time::Duration;

use serde::Deserialize;

/// Limits of one process that runs a student's code: those of the grader, as the table `[worker]` of `assignment.toml` states
/// them.
///
/// The grader's processes are limited by the kernel, and more strictly: here the process is looked at from outside, on every
/// system in the same way, and what counts is the memory that it uses.
///
/// The grader optimises a student's code, and `cargo test` does not. Even so, all public checks together take at most 1.7 s of
/// processor time with any accepted variant of the five assignments, those by loops and by hand included (31 checks of
/// `encoder`; 0.8 s with the solutions), and each check has its own 2 s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Limits {
    /// Seconds of processor time.
    pub(crate) cpu_seconds: u64,
    /// Seconds of waiting for one answer.
    pub(crate) wall_seconds: u64,
    /// Mebibytes of memory.
    pub(crate) memory_mebibytes: u64,
    /// Mebibytes of printed text.
    pub(crate) flood_mebibytes: u64,
}

impl Default for Limits {
    /// Limits where `assignment.toml` states none, as in a solution: those of most assignments.
    fn default() -> Self {
        Self { cpu_seconds: 2, wall_seconds: 10, memory_mebibytes: 1024, flood_mebibytes: 64 }
    }
}

impl Limits {
    /// Returns the time that one answer may take.
    pub(crate) fn wall(self) -> Duration {
        Duration::from_secs(self.wall_seconds)
    }
}
