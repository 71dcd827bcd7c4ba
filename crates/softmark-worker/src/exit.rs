//! Exit statuses of a worker.

/// The channel was closed by the requester.
pub(crate) const SUCCESS: u8 = 0;

/// The worker panicked outside of the student's code (`EX_SOFTWARE`).
pub(crate) const PANICKED: u8 = 70;

/// The worker could not seal itself or start its thread (`EX_OSERR`).
pub(crate) const NOT_READY: u8 = 71;

/// The channel failed (`EX_PROTOCOL`).
pub(crate) const BROKEN_CHANNEL: u8 = 76;
