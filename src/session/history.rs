//! Retry state of a component: failure counts, and the decision to give it up.

use softmark_sandbox::Limits;
use softmark_wire::Fault;

use crate::session::budget::Budget;
use crate::session::waiting::WaitingBudget;

/// Number of time-outs after which a component is given up.
pub(crate) const MAX_TIMEOUTS: u32 = 2;

/// Number of other faults that cost its process after which a component is given up.
pub(crate) const MAX_CRASHES: u32 = 12;

/// Most questions of a component that are asked again in a second process because the first one
/// used up its time or its threads; each costs the grader that time. A component whose `drop` never
/// ends would otherwise cost it at every question, until the time of the whole submission is used
/// up. With `cpu_seconds` of 2 it costs 37 s. Slow components are far below this number: eight processes
/// may take 160 times what the solution takes for all questions of a component (0.1 s).
pub(crate) const MAX_AGAIN: u32 = 8;

/// Factor by which the limits of the second try are higher.
pub(crate) const AGAIN: u32 = 2;

/// History of a component in a session.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// Wall-clock budget that is left.
    pub(crate) waiting: WaitingBudget,
    budget: Budget,
    timeouts: u32,
    crashes: u32,
    /// Number of questions that were asked again in a second process.
    again: u32,
    /// True if the wall-clock budget was extended after a time-out.
    is_waited_for_again: bool,
    last: Option<Fault>,
    is_condemned: bool,
}

impl History {
    /// Creates the state of a component that was never asked.
    pub(crate) fn new(limits: &Limits, budget: &Budget) -> Self {
        Self {
            waiting: WaitingBudget::new(limits.wall, budget.clone()),
            budget: budget.clone(),
            timeouts: 0,
            crashes: 0,
            again: 0,
            is_waited_for_again: false,
            last: None,
            is_condemned: false,
        }
    }

    /// True if the question that ended in `fault` must be asked again in a fresh process with
    /// higher limits.
    ///
    /// Earlier questions, or the moment of observation, may have caused a limit of processor time
    /// or threads to be reached; a single question in a fresh process decides. The waiting time is
    /// one limit for all questions, so it is extended once.
    pub(crate) fn deserves_another_try(&mut self, fault: &Fault, limits: &Limits) -> bool {
        match fault {
            Fault::CpuTime { .. } | Fault::Crowded { .. } => {
                self.again += 1;
                self.again <= MAX_AGAIN
            }
            Fault::WallTime { .. } if !self.is_waited_for_again => {
                self.is_waited_for_again = true;
                let wall = limits.wall.saturating_mul(AGAIN);
                self.waiting = WaitingBudget::new(wall, self.budget.clone());
                true
            }
            Fault::WallTime { .. }
            | Fault::Code(_)
            | Fault::OutOfMemory { .. }
            | Fault::NotStarted { .. }
            | Fault::Killed { .. }
            | Fault::Exited { .. }
            | Fault::Garbled(_) => false,
        }
    }

    /// Records a fault that cost the process and is not tried again.
    pub(crate) fn lost(&mut self, fault: &Fault, limits: &Limits) {
        match fault {
            Fault::CpuTime { .. } => self.timeouts += 1,
            Fault::WallTime { .. } => {
                self.timeouts += 1;
                self.waiting = WaitingBudget::new(limits.wall, self.budget.clone());
            }
            Fault::Code(_)
            | Fault::OutOfMemory { .. }
            | Fault::NotStarted { .. }
            | Fault::Crowded { .. }
            | Fault::Killed { .. }
            | Fault::Exited { .. }
            | Fault::Garbled(_) => self.crashes += 1,
        }
        self.last = Some(fault.clone());
    }

    /// Gives the component up because of this fault.
    pub(crate) fn condemn(&mut self, fault: &Fault) {
        self.last = Some(fault.clone());
        self.is_condemned = true;
    }

    /// Returns the last fault that cost a process.
    pub(crate) fn last(&self) -> Option<&Fault> {
        self.last.as_ref()
    }

    /// Returns the fault that answers every question, if the component is given up.
    pub(crate) fn given_up(&self) -> Option<&Fault> {
        let enough = self.timeouts >= MAX_TIMEOUTS || self.crashes >= MAX_CRASHES;
        self.last.as_ref().filter(|_| enough || self.is_condemned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn history() -> (History, Limits) {
        let limits = Limits::generous();
        (History::new(&limits, &Budget::unlimited()), limits)
    }

    fn asked_until_given_up(fault: &Fault) -> u32 {
        let (mut history, limits) = history();
        let mut count = 0;
        while history.given_up().is_none() {
            history.lost(fault, &limits);
            count += 1;
        }
        assert_eq!(history.given_up(), Some(fault));
        count
    }

    #[test]
    fn time_runs_out_twice_and_processes_break_twelve_times() {
        assert_eq!(asked_until_given_up(&Fault::CpuTime { seconds: 4 }), 2);
        assert_eq!(asked_until_given_up(&Fault::WallTime { seconds: 4 }), 2);
        assert_eq!(asked_until_given_up(&Fault::Exited { code: 0 }), 12);
        assert_eq!(asked_until_given_up(&Fault::Garbled(String::new())), 12);
    }

    #[test]
    fn a_limit_of_time_is_tried_again_and_a_crash_is_not() {
        let (mut history, limits) = history();
        let mut again = |fault| history.deserves_another_try(&fault, &limits);
        for _ in 0..3 {
            assert!(again(Fault::CpuTime { seconds: 2 }));
            assert!(again(Fault::Crowded { threads: 256 }));
        }
        assert!(again(Fault::WallTime { seconds: 10 }));
        assert!(!again(Fault::WallTime { seconds: 20 }), "once for all questions");
        assert!(!again(Fault::Exited { code: 0 }));
        assert!(!again(Fault::OutOfMemory { mebibytes: 1024 }));
    }

    #[test]
    fn what_needs_a_second_process_all_the_time_gets_none_in_the_end() {
        let (mut history, limits) = history();
        let fault = Fault::CpuTime { seconds: 2 };
        for _ in 0..MAX_AGAIN {
            assert!(history.deserves_another_try(&fault, &limits));
        }
        for _ in 0..MAX_TIMEOUTS {
            assert_eq!(history.given_up(), None);
            assert!(!history.deserves_another_try(&fault, &limits));
            history.lost(&fault, &limits);
        }
        assert_eq!(history.given_up(), Some(&fault));
    }

    #[test]
    fn what_is_condemned_is_not_asked() {
        let (mut history, _) = history();
        let fault = Fault::Killed { signal: 9 };
        history.condemn(&fault);
        assert_eq!(history.given_up(), Some(&fault));
    }
}
