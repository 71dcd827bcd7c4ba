//! What a part has already cost, and whether it is asked any more.

use softmark_sandbox::Limits;
use softmark_wire::Fault;

use crate::session::budget::Budget;
use crate::session::patience::Patience;

/// After so many faults of time a part is given up.
pub(crate) const MAX_TIMEOUTS: u32 = 2;

/// After so many other faults that cost its process, it is too.
pub(crate) const MAX_CRASHES: u32 = 12;

/// After so many questions that were put to a second process because the first one had used up its time
/// or its threads, no more are: each of them costs the grader that time. A part whose `drop` never
/// ends would otherwise cost it at every question, until the time of the whole submission is used up.
/// What answers slowly is far from it: a process may take many times what the solution takes for all
/// the questions of a part.
pub(crate) const MAX_AGAIN: u32 = 24;

/// By how much the limits of the second try are higher.
pub(crate) const AGAIN: u32 = 2;

/// A part's history in a session.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    /// How long it is still waited for.
    pub(crate) patience: Patience,
    budget: Budget,
    timeouts: u32,
    crashes: u32,
    /// Number of questions that were put to a second process.
    again: u32,
    /// It was waited for longer already, after it had not answered in time.
    is_waited_for_again: bool,
    last: Option<Fault>,
    is_condemned: bool,
}

impl Standing {
    /// Of a part that was never asked.
    pub(crate) fn new(limits: &Limits, budget: &Budget) -> Self {
        Self {
            patience: Patience::new(limits.wall, budget.clone()),
            budget: budget.clone(),
            timeouts: 0,
            crashes: 0,
            again: 0,
            is_waited_for_again: false,
            last: None,
            is_condemned: false,
        }
    }

    /// True if the question that ended in `fault` is to be put to a fresh process with higher limits.
    ///
    /// A limit of processor time or of threads may have been met by what came before, or by the
    /// moment at which somebody looked; one question, alone in a fresh process, is another matter. The
    /// time that a part may let the grader wait is one for all questions, and so it is extended once.
    pub(crate) fn deserves_another_try(&mut self, fault: &Fault, limits: &Limits) -> bool {
        match fault {
            Fault::CpuTime { .. } | Fault::Crowded { .. } => {
                self.again += 1;
                self.again <= MAX_AGAIN
            }
            Fault::WallTime { .. } if !self.is_waited_for_again => {
                self.is_waited_for_again = true;
                let wall = limits.wall.saturating_mul(AGAIN);
                self.patience = Patience::new(wall, self.budget.clone());
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

    /// Its process was lost to this, and the question is not put again.
    pub(crate) fn lost(&mut self, fault: &Fault, limits: &Limits) {
        match fault {
            Fault::CpuTime { .. } => self.timeouts += 1,
            Fault::WallTime { .. } => {
                self.timeouts += 1;
                self.patience = Patience::new(limits.wall, self.budget.clone());
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

    /// It is not asked any more, because of this.
    pub(crate) fn condemn(&mut self, fault: &Fault) {
        self.last = Some(fault.clone());
        self.is_condemned = true;
    }

    /// The last fault that cost a process.
    pub(crate) fn last(&self) -> Option<&Fault> {
        self.last.as_ref()
    }

    /// The answer to everything, if no process is started for this part any more.
    pub(crate) fn given_up(&self) -> Option<&Fault> {
        let enough = self.timeouts >= MAX_TIMEOUTS || self.crashes >= MAX_CRASHES;
        self.last.as_ref().filter(|_| enough || self.is_condemned)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing() -> (Standing, Limits) {
        let limits = Limits::generous();
        (Standing::new(&limits, &Budget::unlimited()), limits)
    }

    fn asked_until_given_up(fault: &Fault) -> u32 {
        let (mut standing, limits) = standing();
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

    #[test]
    fn a_limit_of_time_is_tried_again_and_a_crash_is_not() {
        let (mut standing, limits) = standing();
        let mut again = |fault| standing.deserves_another_try(&fault, &limits);
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
        let (mut standing, limits) = standing();
        let fault = Fault::CpuTime { seconds: 2 };
        for _ in 0..MAX_AGAIN {
            assert!(standing.deserves_another_try(&fault, &limits));
        }
        for _ in 0..MAX_TIMEOUTS {
            assert_eq!(standing.given_up(), None);
            assert!(!standing.deserves_another_try(&fault, &limits));
            standing.lost(&fault, &limits);
        }
        assert_eq!(standing.given_up(), Some(&fault));
    }

    #[test]
    fn what_is_condemned_is_not_asked() {
        let (mut standing, _) = standing();
        let fault = Fault::Killed { signal: 9 };
        standing.condemn(&fault);
        assert_eq!(standing.given_up(), Some(&fault));
    }
}
