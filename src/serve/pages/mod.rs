//! Pages; one file each.

pub(super) mod assets;
pub(super) mod change_log;
pub(super) mod changes;
pub(super) mod class;
pub(super) mod decisions;
pub(super) mod grading;
pub(super) mod login;
pub(super) mod similar;
pub(super) mod statistics;
pub(super) mod submission;
