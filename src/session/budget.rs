//! Budget for grading one submission: processor time, and time spent waiting.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::assignment::Deadline;
use crate::clock;

/// The account of one submission, which all of its sessions share.
///
/// Two things are counted. **Processor time** is that of the submission's workers and that of the
/// thread which grades it, so that work which a submission makes for the grader is its own. **Waiting**
/// is the time in which the grader waited for a worker that neither computed nor wanted to: a machine
/// that is slow or busy adds nothing to it. Neither is compared with anything but a limit that is many
/// times what the solution takes.
#[derive(Debug, Clone)]
pub struct Budget(Arc<Account>);

#[derive(Debug)]
struct Account {
    deadline: Deadline,
    /// Processor time of the calling thread when the account was opened.
    begun: Duration,
    /// In nanoseconds.
    computed: AtomicU64,
    /// In nanoseconds.
    waited: AtomicU64,
    /// Processor time of the calling thread that is not the submission's, in nanoseconds.
    uncounted: AtomicU64,
}

/// A limit of a submission that is used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Spent {
    /// Its code, and the checks of it, computed for longer than this.
    Computing {
        /// Seconds allowed.
        seconds: u64,
    },
    /// It let the grader wait for longer than this.
    Waiting {
        /// Seconds allowed.
        seconds: u64,
    },
}

impl Budget {
    /// A new account for what this thread grades from now on; it is to be asked by this thread alone.
    pub fn new(deadline: Deadline) -> Self {
        Self(Arc::new(Account {
            deadline,
            begun: clock::thread_cpu(),
            computed: AtomicU64::new(0),
            waited: AtomicU64::new(0),
            uncounted: AtomicU64::new(0),
        }))
    }

    /// An account without limits, for code that is trusted.
    pub fn unlimited() -> Self {
        Self::new(Deadline { cpu: Duration::MAX, wall: Duration::MAX })
    }

    /// A worker has computed for so long.
    pub(crate) fn computed(&self, time: Duration) {
        add(&self.0.computed, time);
    }

    /// The grader has waited for so long while nothing was computed.
    pub(crate) fn waited(&self, time: Duration) {
        add(&self.0.waited, time);
    }

    /// Does `work` without counting the processor time of this thread: it must be the same for every submission.
    pub(crate) fn uncounted<R>(&self, work: impl FnOnce() -> R) -> R {
        let before = clock::thread_cpu();
        let done = work();
        add(&self.0.uncounted, clock::thread_cpu().saturating_sub(before));
        done
    }

    /// Time that the grader may still wait.
    pub(crate) fn waiting_left(&self) -> Duration {
        self.0.deadline.wall.saturating_sub(read(&self.0.waited))
    }

    /// The limit that is used up, if one is.
    pub fn spent(&self) -> Option<Spent> {
        let Account { deadline, begun, computed, waited, uncounted } = &*self.0;
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
    // One thread counts; centuries of nanoseconds fit.
    counter.fetch_add(nanos, Ordering::Relaxed);
}

fn read(counter: &AtomicU64) -> Duration {
    Duration::from_nanos(counter.load(Ordering::Relaxed))
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
        // This thread has computed for more than no time at all.
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
        // The same account goes on counting.
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
