//! Errors of rendering a handout.

use std::path::{Path, PathBuf};

use thiserror::Error;

/// Place in a handout that cannot be rendered.
#[derive(Debug, Error, PartialEq, Eq)]
#[error("{}:{line}: {reason}", file.display())]
pub struct HandoutError {
    /// Path of the file in the assignment's folder.
    pub file: PathBuf,
    /// Line, counted from 1.
    pub line: usize,
    /// Reason.
    pub reason: String,
}

impl HandoutError {
    pub(super) fn new(file: &Path, line: usize, reason: impl Into<String>) -> Self {
        Self { file: file.to_owned(), line, reason: reason.into() }
    }
}
