//! Errors of reading a formula.

use thiserror::Error;

/// Part of a formula that cannot be read.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{reason}")]
pub(in crate::release) struct FormulaError {
    /// Position in the formula, in bytes.
    pub(in crate::release) at: usize,
    /// Reason.
    pub(in crate::release) reason: String,
}

impl FormulaError {
    pub(super) fn new(at: usize, reason: impl Into<String>) -> Self {
        Self { at, reason: reason.into() }
    }
}
