//! Observation of the time and memory that a process uses.

use std::time::Duration;

use softmark_wire::Fault;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::clock::Clock;
use crate::limits::Limits;
use crate::printed::Printed;

/// Multiple of the time allowed for waiting that an answer may take in all. A process that computes is not waiting, however
/// little it gets of a busy machine: with 2 s of processor time and 10 s of waiting, one that gets more than a thirtieth of a
/// processor reaches the first limit first. One that sleeps in between would otherwise never reach a limit.
const ALL_IN_ALL: u32 = 6;

/// Observer of one process.
#[derive(Debug)]
pub(crate) struct Monitor {
    /// None if the system cannot be asked: then only time and printed text are limited.
    system: Option<System>,
    pid: Pid,
    limits: Limits,
    /// Processor time at the last look.
    used: Duration,
    /// When the question was asked.
    asked: Clock,
    /// When the process was last seen to have computed.
    computed: Clock,
}

impl Monitor {
    /// Returns an observer of the process with this number.
    pub(crate) fn new(pid: u32, limits: Limits) -> Self {
        let (system, pid) = (System::new().ok(), Pid::from_u32(pid));
        let now = Clock::start();
        Self { system, pid, limits, used: Duration::ZERO, asked: now, computed: now }
    }

    /// Begins to measure the time of an answer.
    pub(crate) fn ask(&mut self) {
        self.asked = Clock::start();
        self.computed = self.asked;
    }

    /// Returns the limit that the process exceeds, if it does.
    pub(crate) fn exceeded(&mut self, printed: &Printed) -> Option<Fault> {
        let Limits { cpu_seconds, wall_seconds, memory_mebibytes, flood_mebibytes } = self.limits;
        if let Some((used, memory)) = self.usage() {
            if memory > memory_mebibytes << 20 {
                return Some(Fault::OutOfMemory { mebibytes: memory_mebibytes });
            }
            if used > Duration::from_secs(cpu_seconds) {
                return Some(Fault::CpuTime { seconds: cpu_seconds });
            }
            if used > self.used {
                (self.used, self.computed) = (used, Clock::start());
            }
        }
        if printed.bytes() > flood_mebibytes << 20 {
            return Some(Fault::Garbled(format!("it printed more than {flood_mebibytes} MiB")));
        }
        let wall = self.limits.wall();
        let is_over = self.computed.elapsed() > wall || self.asked.elapsed() > wall * ALL_IN_ALL;
        is_over.then_some(Fault::WallTime { seconds: wall_seconds })
    }

    /// Returns the processor time and the bytes of memory that the process uses.
    fn usage(&mut self) -> Option<(Duration, u64)> {
        let system = self.system.as_mut()?;
        let kind = ProcessRefreshKind::nothing().with_cpu().with_memory();
        system.refresh_processes_specifics(ProcessesToUpdate::Some(&[self.pid]), true, kind);
        let process = system.process(self.pid)?;
        Some((Duration::from_millis(process.accumulated_cpu_time()), process.memory()))
    }
}
