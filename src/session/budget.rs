//! Budget for grading one submission: processor time, and time spent waiting.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use softmark_wire::Fault;

use crate::assignment::Deadline;
use crate::clock;

/// Budget of one submission, shared by all of its sessions.
///
/// Two quantities are counted. **Processor time** is that of the submission's workers and of the
/// thread that grades it, because a submission can cause work for the grader. **Waiting** is the
/// time in which the grader waited for a worker that neither computed nor was ready to: a slow or
/// busy machine adds nothing to it. Each is compared only with a limit that is many times what the
/// solution takes.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    deadline: Deadline,
    /// Processor time of the calling thread when the budget was created.
    begun: Duration,
    /// Processor time of the workers, in nanoseconds.
    computed: AtomicU64,
    /// Waiting time, in nanoseconds.
    waited: AtomicU64,
    /// Processor time of the calling thread that is not the submission's, in nanoseconds.
    uncounted: AtomicU64,
    /// Time in which workers were started, in nanoseconds; it is not limited.
    starting: AtomicU64,
}

/// Limit of a submission that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// The submission's code and its checks used up their processor time.
    Computing {
        /// Seconds allowed.
        seconds: u64,
    },
    /// The submission used up the grader's waiting time.
    Waiting {
        /// Seconds allowed.
        seconds: u64,
    },
}

impl Budget {
    /// Creates a budget for the work of the calling thread from now on; only this thread may use
    /// it.
    pub fn new(deadline: Deadline) -> Self {
        Self(Arc::new(Account {
            deadline,
            begun: clock::thread_cpu(),
            computed: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            uncounted: AtomicU64::new(0),
            starting: AtomicU64::new(0),
        }))
    }

    /// Creates a budget without limits, for trusted code.
    pub fn unlimited() -> Self {
        Self::new(Deadline { cpu: Duration::MAX, wall: Duration::MAX })
    }

    /// Adds processor time of a worker.
    pub(crate) fn computed(&self, time: Duration) {
        add(&self.0.computed, time);
    }

    /// Adds time in which the grader waited while nothing was computed.
    pub(crate) fn waited(&self, time: Duration) {
        add(&self.0.waited, time);
    }

    /// Adds time in which a worker was started.
    pub(crate) fn started(&self, time: Duration) {
        add(&self.0.starting, time);
    }

    /// Returns the time in which workers were started.
    pub(crate) fn starting(&self) -> Duration {
        read(&self.0.starting)
    }

    /// Runs `work` without counting the processor time of this thread. The work must be the same
    /// for every submission.
    pub(crate) fn uncounted<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = clock::thread_cpu();
        let done = work();
        add(&self.0.uncounted, clock::thread_cpu().saturating_sub(before));
        done
    }

    /// Returns the time that the grader may still wait.
    pub(crate) fn waiting_left(&self) -> Duration {
        self.0.deadline.wall.saturating_sub(read(&self.0.waited))
    }

    /// Returns the limit that is used up, if any.
    pub fn spent(&self) -> Option<Spent> {
        let Account { deadline, begun, computed, waited, uncounted, starting: _ } = &*self.0;
        let own = clock::thread_cpu().saturating_sub(*begun).saturating_sub(read(uncounted));
        if read(computed).saturating_add(own) >= deadline.cpu {
            return Some(Spent::Computing { seconds: deadline.cpu.as_secs() });
        }
        if read(waited) >= deadline.wall {
            return Some(Spent::Waiting { seconds: deadline.wall.as_secs() });
        }
        None
    }
}

fn add(counter: &AtomicU64, time: Duration) {
    let nanos = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
    // Only one thread writes, so relaxed ordering is enough; a `u64` of nanoseconds lasts for
    // centuries.
    counter.fetch_add(nanos, Ordering::Relaxed);
}

fn read(counter: &AtomicU64) -> Duration {
    Duration::from_nanos(counter.load(Ordering::Relaxed))
}

impl Spent {
    /// Returns the fault that answers every question from then on.
    pub(crate) fn fault(self) -> Fault {
        match self {
            Self::Computing { seconds } => Fault::CpuTime { seconds },
            Self::Waiting { seconds } => Fault::WallTime { seconds },
        }
    }
}

impl fmt::Display for Spent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Computing { seconds } => write!(
                f,
                "the submission's time was used up: its code and the checks of it computed for \
                 {seconds} s, many times what the solution takes"
            ),
            Self::Waiting { seconds } => write!(
                f,
                "the submission's time was used up: the grader waited {seconds} s for code that was \
                 not computing"
            ),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sessions_share_one_account() {
        let second = Duration::from_secs(1);
        let budget = Budget::new(Deadline { cpu: 100 * second, wall: 3 * second });
        let other = budget.clone();
        budget.waited(second);
        other.waited(second);
        assert_eq!((budget.waiting_left(), budget.spent()), (second, None));
        other.waited(5 * second);
        assert_eq!(budget.waiting_left(), Duration::ZERO);
        assert_eq!(budget.spent(), Some(Spent::Waiting { seconds: 3 }));
        budget.computed(99 * second + Duration::from_millis(999));
        // This thread has used more than zero processor time.
        other.computed(Duration::from_millis(1));
        assert_eq!(budget.spent(), Some(Spent::Computing { seconds: 100 }));
    }

    #[test]
    fn the_graders_own_work_is_counted() {
        let budget = Budget::new(Deadline { cpu: Duration::from_millis(20), wall: Duration::MAX });
        assert_eq!(budget.spent(), None);
        let mut work = 0_u64;
        while budget.spent().is_none() {
            for _ in 0..10_000 {
                work = std::hint::black_box(work + 1);
            }
        }
        assert_eq!(budget.spent(), Some(Spent::Computing { seconds: 0 }));
    }

    #[test]
    fn work_that_is_not_a_submissions_is_not_counted() {
        let limit = Duration::from_millis(20);
        let budget = Budget::new(Deadline { cpu: limit, wall: Duration::MAX });
        let mut work = 0_u64;
        let done = budget.uncounted(|| {
            let begun = clock::thread_cpu();
            while clock::thread_cpu() < begun + 5 * limit {
                work = std::hint::black_box(work + 1);
            }
            "done"
        });
        assert_eq!((done, budget.spent()), ("done", None));
        // All clones share one account.
        budget.computed(limit);
        assert_eq!(budget.spent(), Some(Spent::Computing { seconds: 0 }));
    }

    #[test]
    fn what_is_trusted_has_no_deadline() {
        let budget = Budget::unlimited();
        budget.computed(Duration::from_hours(1000));
        budget.waited(Duration::from_hours(1000));
        assert_eq!(budget.spent(), None);
    }
}
