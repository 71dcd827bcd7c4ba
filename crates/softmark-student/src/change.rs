//! Numbers of changes, by which work that is of no use any more is recognised.

use std::sync::atomic::{AtomicU64, Ordering};

/// Number of a latest change where there are no changes.
pub(crate) static NO_CHANGES: AtomicU64 = AtomicU64::new(0);

/// A change of the student's files, for which checks run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Change<'a> {
    latest: &'a AtomicU64,
    number: u64,
}

impl<'a> Change<'a> {
    /// Returns the latest change.
    pub(crate) fn latest(latest: &'a AtomicU64) -> Self {
        Self { latest, number: latest.load(Ordering::Relaxed) }
    }

    /// Begins a new change, by which all earlier ones are outdated.
    pub(crate) fn begin(latest: &'a AtomicU64) -> Self {
        Self { latest, number: latest.fetch_add(1, Ordering::Relaxed) + 1 }
    }

    /// True if there is a later change.
    pub(crate) fn is_outdated(self) -> bool {
        self.latest.load(Ordering::Relaxed) != self.number
    }
}
