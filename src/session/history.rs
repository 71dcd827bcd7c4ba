//! Retry state of a component: failure counts, and the decision to give it up.

use std::collections::BTreeMap;

use softmark_sandbox::Limits;
use softmark_wire::Fault;

use crate::session::budget::Budget;
use crate::session::waiting::WaitingBudget;

/// Number of time-outs after which a component, or one of its detectors, is given up.
pub(crate) const MAX_TIMEOUTS: u32 = 2;

/// Number of time-outs of all detectors after which the component is given up: those of three detectors. With `cpu_seconds` of 2
/// each costs 8 s, so all cost 48 s of the 64 s that `debugging` leaves for everything but its training; code that sleeps costs 80 s
/// of the 120 s in which the grader waits.
pub(crate) const MAX_TIMEOUTS_OF_DETECTORS: u32 = 3 * MAX_TIMEOUTS;

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

/// Time-outs of a detector, or of the other questions of a component.
#[derive(Debug, Clone)]
struct Timeouts {
    count: u32,
    last: Fault,
}

/// History of a component in a session.
#[derive(Debug, Clone)]
pub(crate) struct History {
    /// Wall-clock budget that is left.
    pub(crate) waiting: WaitingBudget,
    budget: Budget,
    /// Time-outs of each detector, and of the other questions (`None`).
    timeouts: BTreeMap<Option<u32>, Timeouts>,
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
            timeouts: BTreeMap::new(),
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
            | Fault::NotRun
            | Fault::Garbled(_) => false,
        }
    }

    /// Records a fault of a detector, or of another question (`None`), that cost the process and is not tried again.
    pub(crate) fn lost(&mut self, fault: &Fault, limits: &Limits, detector: Option<u32>) {
        match fault {
            Fault::CpuTime { .. } => self.timed_out(fault, detector),
            Fault::WallTime { .. } => {
                self.timed_out(fault, detector);
                self.waiting = WaitingBudget::new(limits.wall, self.budget.clone());
            }
            Fault::Code(_)
            | Fault::OutOfMemory { .. }
            | Fault::NotStarted { .. }
            | Fault::Crowded { .. }
            | Fault::Killed { .. }
            | Fault::Exited { .. }
            | Fault::NotRun
            | Fault::Garbled(_) => self.crashes += 1,
        }
        self.last = Some(fault.clone());
    }

    fn timed_out(&mut self, fault: &Fault, detector: Option<u32>) {
        let none = Timeouts { count: 0, last: fault.clone() };
        let timeouts = self.timeouts.entry(detector).or_insert(none);
        *timeouts = Timeouts { count: timeouts.count + 1, last: fault.clone() };
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

    /// Returns the fault that answers every question to a detector, or every other question (`None`), if what is asked is given up.
    pub(crate) fn given_up(&self, detector: Option<u32>) -> Option<Fault> {
        if self.crashes >= MAX_CRASHES || self.is_condemned {
            return self.last.clone();
        }
        let own = self.timeouts.get(&detector).filter(|it| it.count >= MAX_TIMEOUTS);
        let of_all: u32 = self.timeouts.values().map(|it| it.count).sum();
        let others = (of_all >= MAX_TIMEOUTS_OF_DETECTORS).then_some(Fault::NotRun);
        own.map(|it| it.last.clone()).or(others)
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
        while history.given_up(None).is_none() {
            history.lost(fault, &limits, None);
            count += 1;
        }
        assert_eq!(history.given_up(None).as_ref(), Some(fault));
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
            assert_eq!(history.given_up(None), None);
            assert!(!history.deserves_another_try(&fault, &limits));
            history.lost(&fault, &limits, None);
        }
        assert_eq!(history.given_up(None), Some(fault));
    }

    #[test]
    fn a_detector_is_given_up_by_itself_and_all_after_the_time_outs_of_three() {
        let (mut history, limits) = history();
        let fault = Fault::CpuTime { seconds: 4 };
        for detector in 0..2 {
            for _ in 0..MAX_TIMEOUTS {
                history.lost(&fault, &limits, Some(detector));
            }
            assert_eq!(history.given_up(Some(detector)).as_ref(), Some(&fault));
        }
        history.lost(&fault, &limits, Some(2));
        assert_eq!([history.given_up(Some(2)), history.given_up(None)], [None, None]);
        history.lost(&fault, &limits, Some(3));
        // What did not run out of time itself is not said to have.
        assert_eq!(history.given_up(Some(4)), Some(Fault::NotRun));
        assert_eq!(history.given_up(Some(0)), Some(fault));
    }

    #[test]
    fn what_is_condemned_is_not_asked() {
        let (mut history, _) = history();
        let fault = Fault::Killed { signal: 9 };
        history.condemn(&fault);
        assert_eq!(history.given_up(None), Some(fault));
    }
}
