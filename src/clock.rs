//! The clock: the one place that asks what time it is.

use std::time::{Duration, Instant};

/// Measures how long something takes, by a clock that never goes back.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    started: Instant,
}

impl Clock {
    /// Starts measuring.
    #[expect(clippy::disallowed_methods, reason = "the clock is where the time comes from")]
    pub fn start() -> Self {
        Self { started: Instant::now() }
    }

    /// The time since the start.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// What is left of `limit`; zero once it is used up.
    pub fn left(&self, limit: Duration) -> Duration {
        limit.saturating_sub(self.elapsed())
    }
}
