//! What a part has already cost, and whether it is asked any more.

use softmark_wire::Fault;

use crate::sandbox::Limits;
use crate::session::patience::Patience;

/// After so many faults of time a part is given up.
pub(crate) const MAX_TIMEOUTS: u32 = 2;

/// After so many other faults that cost its process, it is too.
pub(crate) const MAX_CRASHES: u32 = 12;

/// A part's history in a session.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    /// How long it is still waited for.
    pub(crate) patience: Patience,
    timeouts: u32,
    crashes: u32,
    last: Option<Fault>,
}

impl Standing {
    /// Of a part that was never asked.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self { patience: Patience::new(limits), timeouts: 0, crashes: 0, last: None }
    }

    /// Its process was lost to this.
    pub(crate) fn lost(&mut self, fault: &Fault, limits: &Limits) {
        match fault {
            Fault::CpuTime { .. } => self.timeouts += 1,
            Fault::WallTime { .. } => {
                self.timeouts += 1;
                self.patience = Patience::new(limits);
            }
            Fault::Code(_)
            | Fault::OutOfMemory { .. }
            | Fault::Crowded { .. }
            | Fault::Killed { .. }
            | Fault::Exited { .. }
            | Fault::Garbled(_) => self.crashes += 1,
        }
        self.last = Some(fault.clone());
    }

    /// The last fault that cost a process.
    pub(crate) fn last(&self) -> Option<&Fault> {
        self.last.as_ref()
    }

    /// The answer to everything, if no process is started for this part any more.
    pub(crate) fn given_up(&self) -> Option<&Fault> {
        let enough = self.timeouts >= MAX_TIMEOUTS || self.crashes >= MAX_CRASHES;
        self.last.as_ref().filter(|_| enough)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked_until_given_up(fault: &Fault) -> u32 {
        let limits = Limits::generous();
        let mut standing = Standing::new(&limits);
        let mut count = 0;
        while standing.given_up().is_none() {
            standing.lost(fault, &limits);
            count += 1;
        }
        assert_eq!(standing.given_up(), Some(fault));
        count
    }

    #[test]
    fn time_runs_out_twice_and_processes_break_twelve_times() {
        assert_eq!(asked_until_given_up(&Fault::CpuTime { seconds: 4 }), 2);
        assert_eq!(asked_until_given_up(&Fault::WallTime { seconds: 4 }), 2);
        assert_eq!(asked_until_given_up(&Fault::Exited { code: 0 }), 12);
        assert_eq!(asked_until_given_up(&Fault::Garbled(String::new())), 12);
    }
}
