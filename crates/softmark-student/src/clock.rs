//! The clock by which processes are limited.

use std::time::{Duration, Instant};

/// Point in time.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Clock(Instant);

impl Clock {
    /// Returns the present.
    #[expect(
        clippy::disallowed_methods,
        reason = "here a process is limited, and nothing is graded"
    )]
    pub(crate) fn start() -> Self {
        Self(Instant::now())
    }

    /// Returns the time since then.
    pub(crate) fn elapsed(self) -> Duration {
        self.0.elapsed()
    }
}
