//! How long a part is waited for.

use std::time::Duration;

use softmark_sandbox::{Progress, current_thread_run_delay};

use crate::session::budget::Budget;

/// After so much waiting, what a process did meanwhile is looked at: often enough that little is
/// unknown of one that ends, and seldom enough that looking costs nothing.
const LOOK: Duration = Duration::from_millis(500);

/// The time that a part may let the grader wait without computing, over all questions.
///
/// Not for each question: code that sleeps a little each time would hold the grader up for as long as
/// there are questions. And not for a part that computes, or would compute if a processor were free: on
/// a busy machine that may take long, and it is its processor time that ends it. So of the time that
/// was waited, three things do not count: what the process computed, how long it was ready to run and
/// the machine was busy, and how long this thread itself was. What is left is the process's own doing,
/// on any machine, and code that computes a little every second is waited for no longer than code that
/// sleeps.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    budget: Budget,
    left: Duration,
    /// Since the process was last looked at.
    waited: Duration,
    /// Excused waiting time, up to the last look.
    excused: Excuse,
}

/// Time that is not the process's to answer for.
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

impl Patience {
    /// So much of it, and no more than the submission has left.
    pub(crate) fn new(wall: Duration, budget: Budget) -> Self {
        let excused = Excuse::of(Progress::default());
        Self { budget, left: wall, waited: Duration::ZERO, excused }
    }

    /// Time to wait before the next look at the process; zero if that is due.
    pub(crate) fn until_look(&self) -> Duration {
        LOOK.min(self.left).min(self.budget.waiting_left()).saturating_sub(self.waited)
    }

    /// True if no waiting time is left.
    pub(crate) fn is_out(&self) -> bool {
        self.left.is_zero() || self.budget.waiting_left().is_zero()
    }

    /// So long was waited.
    pub(crate) fn waited(&mut self, time: Duration) {
        self.waited += time;
    }

    /// A fresh process has done nothing yet.
    pub(crate) fn new_process(&mut self) {
        self.excused = Excuse::of(Progress::default());
    }

    /// Counts what was waited for a process that has come so far by now.
    pub(crate) fn look(&mut self, process: Progress) {
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

    fn patience() -> Patience {
        Patience::new(60 * SECOND, Budget::unlimited())
    }

    fn progress(cpu: Duration, run_delay: Duration) -> Progress {
        Progress { cpu, run_delay, threads: 2 }
    }

    #[test]
    fn what_waits_uses_it_up() {
        let mut patience = patience();
        for _ in 0..119 {
            assert_eq!(patience.until_look(), SECOND / 2);
            patience.waited(SECOND / 2);
            assert_eq!(patience.until_look(), Duration::ZERO);
            patience.look(Progress::default());
        }
        assert!(!patience.is_out());
        // This thread may have waited for a processor meanwhile.
        patience.waited(20 * SECOND);
        patience.look(Progress::default());
        assert!(patience.is_out());
    }

    /// Five milliseconds of work a second are hardly better than none.
    #[test]
    fn a_trickle_of_work_is_waited_for_no_longer() {
        let mut patience = patience();
        let mut seconds = 0;
        while !patience.is_out() {
            seconds += 1;
            patience.waited(SECOND);
            patience.look(progress(Duration::from_millis(5) * seconds, Duration::ZERO));
        }
        assert!((60..70).contains(&seconds), "{seconds}");
    }

    #[test]
    fn what_computes_or_would_is_waited_for() {
        let mut patience = patience();
        for at in 1..=1000 {
            patience.waited(SECOND);
            // On a machine with four times as much to do as it can.
            patience.look(progress(SECOND / 4 * at, 3 * SECOND / 4 * at));
        }
        assert_eq!(patience.left, 60 * SECOND);
    }

    #[test]
    fn a_fresh_process_is_not_measured_by_the_one_before() {
        let mut patience = patience();
        patience.waited(10 * SECOND);
        patience.look(progress(10 * SECOND, Duration::ZERO));
        patience.new_process();
        patience.waited(10 * SECOND);
        patience.ended(10 * SECOND);
        assert_eq!(patience.left, 60 * SECOND);
    }

    #[test]
    fn all_parts_wait_for_one_submission() {
        use crate::assignment::Deadline;
        let budget = Budget::new(Deadline { cpu: Duration::MAX, wall: 3 * SECOND });
        for _ in 0..2 {
            let mut patience = Patience::new(60 * SECOND, budget.clone());
            assert!(!patience.is_out());
            patience.waited(2 * SECOND);
            patience.look(Progress::default());
        }
        assert!(Patience::new(60 * SECOND, budget).is_out());
    }
}
