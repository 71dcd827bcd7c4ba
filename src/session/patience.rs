//! How long a part is waited for.

use std::time::Duration;

use crate::sandbox::Limits;

/// How often a part that computes gets its time again.
const MAX_RENEWALS: u32 = 9;

/// The time that a part may let the grader wait, over all questions.
///
/// Not for each question: code that sleeps a little each time would hold the grader up for as long
/// as there are questions. And not for a part that computes: on a busy machine that may take
/// long, and it is its processor time that ends it. So the time is renewed, nine times at most, if
/// the part used a tenth of its processor time while it was waited for: one that goes on like that
/// has used all of it up before the last time is over.
#[derive(Debug, Clone)]
pub(crate) struct Patience {
    each: Duration,
    left: Duration,
    /// What has to be computed for the time to be renewed.
    enough: Duration,
    /// Computed by the present process when the time was last given.
    computed: Duration,
    renewals: u32,
}

impl Patience {
    /// As much as the limits allow.
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            each: limits.wall,
            left: limits.wall,
            enough: Duration::from_secs(limits.cpu_seconds) / 10,
            computed: Duration::ZERO,
            renewals: 0,
        }
    }

    /// What is left of it.
    pub(crate) fn left(&self) -> Duration {
        self.left
    }

    /// So long was waited.
    pub(crate) fn waited(&mut self, time: Duration) {
        self.left = self.left.saturating_sub(time);
    }

    /// A fresh process has computed nothing.
    pub(crate) fn new_process(&mut self) {
        self.computed = Duration::ZERO;
    }

    /// Gives more time to a process that has computed for `cpu` by now, if that is enough.
    pub(crate) fn renew(&mut self, cpu: Duration) -> bool {
        let enough = cpu.saturating_sub(self.computed) >= self.enough;
        if self.renewals == MAX_RENEWALS || !enough {
            return false;
        }
        self.renewals += 1;
        self.computed = cpu;
        self.left = self.each;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn patience() -> Patience {
        let wall = Duration::from_mins(1);
        Patience::new(&Limits { cpu_seconds: 4, wall, ..Limits::generous() })
    }

    #[test]
    fn what_waits_gets_its_time_once() {
        let mut patience = patience();
        patience.waited(Duration::from_secs(59));
        assert_eq!(patience.left(), Duration::from_secs(1));
        patience.waited(Duration::from_secs(2));
        assert_eq!(patience.left(), Duration::ZERO);
        assert!(!patience.renew(Duration::from_millis(399)));
    }

    #[test]
    fn what_computes_gets_it_until_its_processor_time_is_used_up() {
        let mut patience = patience();
        for i in 1..=9 {
            patience.waited(Duration::from_mins(1));
            assert!(patience.renew(Duration::from_millis(400) * i), "{i}");
            assert!(!patience.renew(Duration::from_millis(400) * i), "{i}");
            assert_eq!(patience.left(), Duration::from_mins(1));
        }
        assert!(!patience.renew(Duration::from_secs(100)));
    }

    #[test]
    fn a_fresh_process_is_not_measured_by_the_one_before() {
        let mut patience = patience();
        assert!(patience.renew(Duration::from_secs(3)));
        assert!(!patience.renew(Duration::from_secs(1)));
        patience.new_process();
        assert!(patience.renew(Duration::from_secs(1)));
    }
}
