//! How a program ended.

use crate::model::Usage;
use crate::sandbox::job::Limits;
use crate::sandbox::report::{Cause, Facts, Status};

/// `SIGABRT`, `SIGBUS`, `SIGKILL`, `SIGSEGV`, `SIGXCPU`: their numbers on Linux.
const ABORT: i32 = 6;
const BUS: i32 = 7;
const KILL: i32 = 9;
const SEGV: i32 = 11;
const XCPU: i32 = 24;

/// Why a program is no longer running.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// It returned this code.
    Exited(i32),
    /// This signal ended it.
    Signaled(i32),
    /// Its processor time was used up.
    CpuTime,
    /// It was still there at the deadline.
    WallTime,
    /// It had used at least a quarter of its memory when an allocation failed, or its processes used
    /// too much together.
    OutOfMemory,
    /// It was no longer needed.
    Stopped,
    /// It wrote more than anyone will read.
    OutputFlood,
    /// It had more threads, or processes, than it may have.
    Crowded,
}

/// A program that has ended, and everything that it had started.
#[derive(Debug, Clone)]
pub struct Finished {
    /// Why it ended.
    pub ending: Ending,
    /// What it cost, with everything that it had started.
    pub usage: Usage,
    /// What it and all that it started wrote on stdout and stderr; the middle is left out when that
    /// is too long.
    pub log: Vec<u8>,
    /// Whether a part of the log is left out.
    pub log_truncated: bool,
}

impl Ending {
    /// What the facts amount to; the same facts always amount to the same.
    ///
    /// `written` is all that the program wrote, so that whether a flood is one does not depend on
    /// how soon it was noticed.
    ///
    /// **Out of memory.** The limit is on address space, and a Rust program aborts when an
    /// allocation fails. One that allocates and fills block after block fails when the limit is
    /// reached, with all of it resident but what is reserved and never touched: its libraries,
    /// thread stacks (2 MiB each) and allocator arenas (64 MiB for each thread that allocates), a
    /// few hundred MiB at most. A buffer that grows by doubling fails with more than a third of the
    /// limit filled where it is copied to grow, and with half where it is not. Hence the quarter
    /// that is asked for: honest ways of running out are well above it on every run. One single
    /// allocation that is too large fails with nothing filled, on every run too, and stays the
    /// signal that it is. Either way a fault is a fault: which of the two names it gets never
    /// changes a mark.
    ///
    /// **Processor time.** The kernel sends `SIGXCPU` at the limit, and kills a second later a
    /// program that ignores it.
    pub(crate) fn of(facts: &Facts, written: u64, limits: &Limits) -> Self {
        if written > limits.flood_bytes {
            return Self::OutputFlood;
        }
        let signal = match (facts.cause, facts.status) {
            (Cause::Deadline, _) => return Self::WallTime,
            (Cause::Flood, _) => return Self::OutputFlood,
            (Cause::Memory, _) => return Self::OutOfMemory,
            (Cause::Crowd, _) => return Self::Crowded,
            (Cause::Order, _) | (Cause::Program, None) => return Self::Stopped,
            (Cause::Program, Some(Status::Exited(code))) => return Self::Exited(code),
            (Cause::Program, Some(Status::Signaled(signal))) => signal,
        };
        let filled = facts.alone.peak_bytes >= limits.memory_mebibytes.saturating_mul(1024 * 256);
        match signal {
            XCPU => Self::CpuTime,
            KILL if facts.alone.cpu.as_secs() >= limits.cpu_seconds => Self::CpuTime,
            ABORT | BUS | KILL | SEGV if filled => Self::OutOfMemory,
            other => Self::Signaled(other),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::sandbox::report::Used;

    fn ending(cause: Cause, status: Status, cpu: u64, peak_mebibytes: u64) -> Ending {
        let limits = Limits { cpu_seconds: 5, memory_mebibytes: 512, ..Limits::generous() };
        let facts = Facts {
            cause,
            status: Some(status),
            alone: Used { cpu: Duration::from_secs(cpu), peak_bytes: peak_mebibytes << 20 },
            ..Facts::default()
        };
        Ending::of(&facts, 0, &limits)
    }

    #[test]
    fn signals_are_told_apart_by_what_was_used() {
        let signaled =
            |signal, cpu, peak| ending(Cause::Program, Status::Signaled(signal), cpu, peak);
        assert_eq!(signaled(XCPU, 5, 1), Ending::CpuTime);
        assert_eq!(signaled(KILL, 6, 1), Ending::CpuTime);
        assert_eq!(signaled(KILL, 1, 1), Ending::Signaled(KILL));
        assert_eq!(signaled(ABORT, 1, 127), Ending::Signaled(ABORT));
        assert_eq!(signaled(ABORT, 1, 128), Ending::OutOfMemory);
        assert_eq!(signaled(15, 1, 500), Ending::Signaled(15));
    }

    #[test]
    fn what_the_guard_did_is_not_blamed_on_a_signal() {
        let killed = Status::Signaled(KILL);
        assert_eq!(ending(Cause::Deadline, killed, 9, 500), Ending::WallTime);
        assert_eq!(ending(Cause::Order, killed, 9, 500), Ending::Stopped);
        assert_eq!(ending(Cause::Flood, killed, 9, 500), Ending::OutputFlood);
        assert_eq!(ending(Cause::Memory, killed, 0, 1), Ending::OutOfMemory);
        assert_eq!(ending(Cause::Crowd, killed, 0, 1), Ending::Crowded);
    }

    #[test]
    fn a_flood_is_one_however_the_program_ended() {
        let facts = Facts { status: Some(Status::Exited(0)), ..Facts::default() };
        let limits = Limits { flood_bytes: 10, ..Limits::generous() };
        assert_eq!(Ending::of(&facts, 10, &limits), Ending::Exited(0));
        assert_eq!(Ending::of(&facts, 11, &limits), Ending::OutputFlood);
    }
}
