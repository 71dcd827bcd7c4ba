//! Exit reasons, and the result of a completed process.

use std::time::Duration;

use crate::job::Limits;
use crate::protocol::{Cause, Observations};
use crate::rusage::TerminationStatus;

/// Signal numbers of Linux.
const SIGHUP: i32 = 1;
const SIGINT: i32 = 2;
const SIGQUIT: i32 = 3;
const SIGABRT: i32 = 6;
const SIGBUS: i32 = 7;
const SIGKILL: i32 = 9;
const SIGSEGV: i32 = 11;
const SIGTERM: i32 = 15;
const SIGXCPU: i32 = 24;

/// Signals with which people, service managers and the kernel kill processes, and that no computation
/// raises.
const EXTERNAL_SIGNALS: [i32; 5] = [SIGHUP, SIGINT, SIGQUIT, SIGKILL, SIGTERM];

/// Reason why a program is no longer running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitReason {
    /// The program exited with this code.
    Exited(i32),
    /// This signal killed the program.
    Signaled(i32),
    /// The program used up its CPU time.
    CpuLimit,
    /// The program was still running at its deadline.
    WallLimit,
    /// An allocation failed when the program had used at least a quarter of its memory, or the
    /// process tree used too much memory.
    OutOfMemory,
    /// The grader no longer needed the program.
    Stopped,
    /// The program wrote more output than its limit.
    OutputLimit,
    /// The process tree had more threads than its limit.
    ThreadLimit,
}

/// Resource usage of a completed process tree.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct ResourceUsage {
    /// CPU time of all processes.
    pub cpu: Duration,
    /// Wall-clock time from start to end.
    pub wall: Duration,
    /// Largest resident set size of any one process, in bytes.
    pub peak_bytes: u64,
}

/// Result of a program that has ended together with all its descendants.
#[derive(Debug, Clone)]
pub struct CompletedProcess {
    /// Reason why the program ended.
    pub exit: ExitReason,
    /// Resource usage of the whole process tree.
    pub usage: ResourceUsage,
    /// Output of the process tree on stdout and stderr; the middle is omitted if it is too long.
    pub log: Vec<u8>,
    /// True if a part of the log is omitted.
    pub log_truncated: bool,
}

impl ExitReason {
    /// True if a signal killed the program that no computation raises, and that the supervisor did not
    /// send: the kernel sends such a signal when the machine is out of memory, a person may send one,
    /// and so may the program itself, if it can.
    pub fn is_external_signal(self) -> bool {
        matches!(self, Self::Signaled(signal) if EXTERNAL_SIGNALS.contains(&signal))
    }

    /// Derives the reason from the supervisor's observations, deterministically.
    ///
    /// `output_bytes` is the size of the whole output, so that [`ExitReason::OutputLimit`] does not
    /// depend on when the excess was noticed.
    ///
    /// **Out of memory.** The limit applies to the address space, and a Rust program aborts when an
    /// allocation fails. A program that allocates and fills block after block fails when the limit is
    /// reached. All of the limit is resident then, except for memory that is reserved and never
    /// touched: libraries, thread stacks (2 MiB each) and allocator arenas (64 MiB for each thread that
    /// allocates), a few hundred MiB at most. A buffer that grows by doubling fails with more than a
    /// third of the limit filled if growing copies it, and with half if not. Hence the threshold of a
    /// quarter: honest programs that run out of memory are well above it on every run. A single
    /// allocation that is too large fails with nothing filled, also on every run, and is reported as
    /// the signal that it raises. Either way it is a fault, and its name never affects points.
    ///
    /// **CPU time.** The kernel sends `SIGXCPU` at the limit, and `SIGKILL` a second later.
    pub(crate) fn of(observed: &Observations, output_bytes: u64, limits: &Limits) -> Self {
        if output_bytes > limits.flood_bytes {
            return Self::OutputLimit;
        }
        let signal = match (observed.cause, observed.status) {
            (Cause::Deadline, _) => return Self::WallLimit,
            (Cause::OutputLimit, _) => return Self::OutputLimit,
            (Cause::MemoryLimit, _) => return Self::OutOfMemory,
            (Cause::ThreadLimit, _) => return Self::ThreadLimit,
            (Cause::Order, _) | (Cause::Program, None) => return Self::Stopped,
            (Cause::Program, Some(TerminationStatus::Exited(code))) => return Self::Exited(code),
            (Cause::Program, Some(TerminationStatus::Signaled(signal))) => signal,
        };
        let quarter = limits.memory_mebibytes.saturating_mul(1024 * 256);
        match signal {
            SIGXCPU => Self::CpuLimit,
            SIGKILL if observed.program.cpu.as_secs() >= limits.cpu_seconds => Self::CpuLimit,
            // Not `SIGKILL`: the kernel sends that when the whole machine is out of memory.
            SIGABRT | SIGBUS | SIGSEGV if observed.program.peak_bytes >= quarter => {
                Self::OutOfMemory
            }
            other => Self::Signaled(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rusage::Rusage;

    const LIMIT_SECONDS: u64 = 5;
    const LIMIT_MEBIBYTES: u64 = 512;

    fn reason(cause: Cause, signal: i32, program: Rusage) -> ExitReason {
        let limits = Limits {
            cpu_seconds: LIMIT_SECONDS,
            memory_mebibytes: LIMIT_MEBIBYTES,
            ..Limits::generous()
        };
        let status = Some(TerminationStatus::Signaled(signal));
        let observed = Observations { cause, status, program, ..Observations::default() };
        ExitReason::of(&observed, 0, &limits)
    }

    fn used(seconds: u64, mebibytes: u64) -> Rusage {
        Rusage { cpu: Duration::from_secs(seconds), peak_bytes: mebibytes << 20 }
    }

    #[test]
    fn resource_usage_distinguishes_signals() {
        let killed_by = |signal, program| reason(Cause::Program, signal, program);
        assert_eq!(killed_by(SIGXCPU, used(5, 1)), ExitReason::CpuLimit);
        assert_eq!(killed_by(SIGKILL, used(6, 1)), ExitReason::CpuLimit);
        assert_eq!(killed_by(SIGKILL, used(1, 1)), ExitReason::Signaled(SIGKILL));
        assert_eq!(killed_by(SIGABRT, used(1, 127)), ExitReason::Signaled(SIGABRT));
        assert_eq!(killed_by(SIGABRT, used(1, 128)), ExitReason::OutOfMemory);
        assert_eq!(killed_by(SIGTERM, used(1, 500)), ExitReason::Signaled(SIGTERM));
        assert_eq!(killed_by(SIGKILL, used(1, 500)), ExitReason::Signaled(SIGKILL));
    }

    #[test]
    fn a_kill_by_the_supervisor_is_not_reported_as_a_signal() {
        let much = used(9, 500);
        assert_eq!(reason(Cause::Deadline, SIGKILL, much), ExitReason::WallLimit);
        assert_eq!(reason(Cause::Order, SIGKILL, much), ExitReason::Stopped);
        assert_eq!(reason(Cause::OutputLimit, SIGKILL, much), ExitReason::OutputLimit);
        assert_eq!(reason(Cause::MemoryLimit, SIGKILL, used(0, 1)), ExitReason::OutOfMemory);
        assert_eq!(reason(Cause::ThreadLimit, SIGKILL, used(0, 1)), ExitReason::ThreadLimit);
    }

    #[test]
    fn the_output_limit_applies_however_the_program_ended() {
        let status = Some(TerminationStatus::Exited(0));
        let observed = Observations { status, ..Observations::default() };
        let limits = Limits { flood_bytes: 10, ..Limits::generous() };
        assert_eq!(ExitReason::of(&observed, 10, &limits), ExitReason::Exited(0));
        assert_eq!(ExitReason::of(&observed, 11, &limits), ExitReason::OutputLimit);
    }
}
