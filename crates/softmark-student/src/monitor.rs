//! What a process uses, seen from outside.

use std::time::Duration;

use softmark_wire::Fault;
use sysinfo::{Pid, ProcessRefreshKind, ProcessesToUpdate, System};

use crate::clock::Clock;
use crate::limits::Limits;
use crate::printed::Printed;

/// Observer of one process.
#[derive(Debug)]
pub(crate) struct Monitor {
    /// None if the system cannot be asked: then only time and printed text are limited.
    system: Option<System>,
    pid: Pid,
    limits: Limits,
}

impl Monitor {
    /// Returns an observer of the process with this number.
    pub(crate) fn new(pid: u32, limits: Limits) -> Self {
        Self { system: System::new().ok(), pid: Pid::from_u32(pid), limits }
    }

    /// Returns the limit that the process exceeds, if it does; `since` is when the question was asked.
    pub(crate) fn exceeded(&mut self, since: Clock, printed: &Printed) -> Option<Fault> {
        let Limits { cpu_seconds, wall_seconds, memory_mebibytes, flood_mebibytes } = self.limits;
        let kind = ProcessRefreshKind::nothing().with_cpu().with_memory();
        if let Some(system) = &mut self.system {
            system.refresh_processes_specifics(ProcessesToUpdate::Some(&[self.pid]), true, kind);
        }
        if let Some(process) = self.system.as_ref().and_then(|it| it.process(self.pid)) {
            if process.memory() > memory_mebibytes << 20 {
                return Some(Fault::OutOfMemory { mebibytes: memory_mebibytes });
            }
            let used = Duration::from_millis(process.accumulated_cpu_time());
            if used > Duration::from_secs(cpu_seconds) {
                return Some(Fault::CpuTime { seconds: cpu_seconds });
            }
        }
        if printed.bytes() > flood_mebibytes << 20 {
            return Some(Fault::Garbled(format!("it printed more than {flood_mebibytes} MiB")));
        }
        (since.elapsed() > self.limits.wall()).then_some(Fault::WallTime { seconds: wall_seconds })
    }
}
