//! Wall-clock budget of a component, renewed while the worker's CPU time advances.

use std::time::Duration;

use softmark_sandbox::{Progress, current_thread_run_delay};

use crate::session::budget::Budget;

/// Interval of waiting after which the progress of a process is read: short enough that little is
/// unknown about a process that ends, and long enough that reading costs nothing.
const LOOK: Duration = Duration::from_millis(500);

/// Time that a component may let the grader wait without computing, over all questions.
///
/// The limit is not one per question, because code that sleeps a little each time would delay the
/// grader as long as there are questions. It does not apply to a component that computes, or would
/// compute if a processor were free: that may take long on a busy machine, and the processor time
/// limit ends it. So three parts of the waiting time do not count: the time that the process
/// computed, the time that it was ready to run on a busy machine, and the time that this thread was
/// ready to run. The rest is caused by the process on any machine. Code that computes a little
/// every second gets no more time than code that sleeps.
#[derive(Debug, Clone)]
pub(crate) struct WaitingBudget {
    budget: Budget,
    left: Duration,
    /// Waiting time since the progress of the process was last read.
    waited: Duration,
    /// Excused waiting time, up to the last reading.
    excused: Excuse,
}

/// Waiting time that the process is not responsible for.
#[derive(Debug, Clone, Copy, Default)]
struct Excuse {
    process: Progress,
    /// Time for which this thread was runnable and no processor was free.
    run_delay: Duration,
}

impl Excuse {
    fn of(process: Progress) -> Self {
        Self { process, run_delay: current_thread_run_delay() }
    }

    fn since(self, before: Self) -> Duration {
        let each = [
            (self.process.cpu, before.process.cpu),
            (self.process.run_delay, before.process.run_delay),
            (self.run_delay, before.run_delay),
        ];
        each.iter().map(|(now, then)| now.saturating_sub(*then)).sum()
    }
}

impl WaitingBudget {
    /// Creates a budget of `wall`, also limited by what is left of `budget`.
    pub(crate) fn new(wall: Duration, budget: Budget) -> Self {
        let excused = Excuse::of(Progress::default());
        Self { budget, left: wall, waited: Duration::ZERO, excused }
    }

    /// True if the progress of the process is to be read before any more waiting.
    pub(crate) fn is_look_due(&self) -> bool {
        self.waited >= LOOK.min(self.left).min(self.budget.waiting_left())
    }

    /// True if no waiting time is left.
    pub(crate) fn is_out(&self) -> bool {
        self.left.is_zero() || self.budget.waiting_left().is_zero()
    }

    /// Adds time that was waited.
    pub(crate) fn waited(&mut self, time: Duration) {
        self.waited += time;
    }

    /// Resets the progress for a fresh process, which has done nothing yet.
    pub(crate) fn new_process(&mut self) {
        self.excused = Excuse::of(Progress::default());
    }

    /// Resets the run delay of this thread, for a process that was read and not waited for since.
    pub(crate) fn resume(&mut self) {
        self.excused.run_delay = current_thread_run_delay();
    }

    /// Counts the time that was waited, given the progress of the process so far.
    pub(crate) fn read(&mut self, process: Progress) {
        let now = Excuse::of(process);
        self.count(now);
    }

    /// Counts the waiting time for a process that has ended after using `cpu` time.
    pub(crate) fn ended(&mut self, cpu: Duration) {
        let now = Excuse::of(Progress { cpu, ..self.excused.process });
        self.count(now);
    }

    fn count(&mut self, now: Excuse) {
        let idle = self.waited.saturating_sub(now.since(self.excused));
        self.left = self.left.saturating_sub(idle);
        self.budget.waited(idle);
        self.waited = Duration::ZERO;
        self.excused = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    fn waiting() -> WaitingBudget {
        WaitingBudget::new(60 * SECOND, Budget::unlimited())
    }

    fn progress(cpu: Duration, run_delay: Duration) -> Progress {
        Progress { cpu, run_delay, threads: 2 }
    }

    #[test]
    fn what_waits_uses_it_up() {
        let mut waiting = waiting();
        for _ in 0..119 {
            waiting.waited(Duration::from_nanos(499_999_999));
            assert!(!waiting.is_look_due());
            waiting.waited(Duration::from_nanos(1));
            assert!(waiting.is_look_due());
            waiting.read(Progress::default());
        }
        assert!(!waiting.is_out());
        // This thread may have waited for a processor in the meantime.
        waiting.waited(20 * SECOND);
        waiting.read(Progress::default());
        assert!(waiting.is_out());
    }

    /// Five milliseconds of work per second count for hardly more than none.
    #[test]
    fn a_trickle_of_work_is_waited_for_no_longer() {
        let mut waiting = waiting();
        let mut seconds = 0;
        while !waiting.is_out() {
            seconds += 1;
            waiting.waited(SECOND);
            waiting.read(progress(Duration::from_millis(5) * seconds, Duration::ZERO));
        }
        assert!((60..70).contains(&seconds), "{seconds}");
    }

    #[test]
    fn what_computes_or_would_is_waited_for() {
        let mut waiting = waiting();
        for at in 1..=1000 {
            waiting.waited(SECOND);
            // The load of the machine is four times its capacity.
            waiting.read(progress(SECOND / 4 * at, 3 * SECOND / 4 * at));
        }
        assert_eq!(waiting.left, 60 * SECOND);
    }

    #[test]
    fn a_fresh_process_is_not_measured_by_the_one_before() {
        let mut waiting = waiting();
        waiting.waited(10 * SECOND);
        waiting.read(progress(10 * SECOND, Duration::ZERO));
        waiting.new_process();
        waiting.waited(10 * SECOND);
        waiting.ended(10 * SECOND);
        assert_eq!(waiting.left, 60 * SECOND);
    }

    #[test]
    fn all_parts_wait_for_one_submission() {
        use crate::assignment::Deadline;
        let budget = Budget::new(Deadline { cpu: Duration::MAX, wall: 3 * SECOND });
        for _ in 0..2 {
            let mut waiting = WaitingBudget::new(60 * SECOND, budget.clone());
            assert!(!waiting.is_out());
            waiting.waited(2 * SECOND);
            waiting.read(Progress::default());
        }
        assert!(WaitingBudget::new(60 * SECOND, budget).is_out());
    }
}
