//! A monotonic stopwatch.

use std::time::{Duration, Instant};

/// Measures elapsed time with a monotonic clock.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
}

impl Clock {
    /// Starts measuring.
    #[expect(clippy::disallowed_methods, reason = "all other code takes the time from here")]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// Returns the time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Returns the rest of `limit`, or zero if it is used up.
    pub fn left(&self, limit: Duration) -> Duration {
        limit.saturating_sub(self.elapsed())
    }
}
