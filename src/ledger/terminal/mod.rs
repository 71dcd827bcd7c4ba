//! Prints the ledger for a terminal.

pub(super) mod diff;
pub(super) mod log;
mod page;
pub(super) mod runs;
