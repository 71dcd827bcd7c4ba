//! What a student handed in: found, limited, and taken.
//!
//! Invariant: a [`Submission`] holds only files that its assignment asks for or provides.

use std::collections::BTreeMap;
use std::path::PathBuf;

use thiserror::Error;

use crate::assignment::Assignment;

/// A place that may hold a submission.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The submission's name: the folder's.
    pub name: String,
    /// The folder that holds `src/`.
    pub path: PathBuf,
}

/// What a student handed in, reduced to what is graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Its name: the folder's.
    pub name: String,
    /// Of the collected files' paths and contents, in hexadecimal.
    pub sha256: String,
    /// The collected files and the provided ones, as paths below `src/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// What was left out or put back, for the record.
    pub notes: Vec<String>,
}

/// Why what was handed in is no submission; the student's fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Rejection {
    /// For a person.
    pub reason: String,
    /// Of whatever could be read, in hexadecimal.
    pub sha256: String,
}

/// Why nothing could be read; the grader's or the instructor's fault.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// To be replaced.
    #[error("not written")]
    NotWritten,
}

/// The submissions at `paths`, in the order of their names: each path is one (a folder that holds
/// `src/`) or a folder of them.
///
/// # Errors
///
/// When a path does not exist, holds no submission, or two submissions have one name.
pub fn find(paths: &[PathBuf]) -> Result<Vec<Candidate>, IntakeError> {
    let _ = paths;
    Err(IntakeError::NotWritten)
}

/// The assignment that a candidate's `Cargo.toml` names under `[package.metadata.softmark]`.
///
/// # Errors
///
/// When the file is there and cannot be read.
pub fn assignment_of(candidate: &Candidate) -> Result<Option<String>, IntakeError> {
    let _ = candidate;
    Err(IntakeError::NotWritten)
}

/// Takes what `assignment` asks for.
///
/// # Errors
///
/// When reading fails for a reason that is not the student's.
pub fn read(
    candidate: &Candidate,
    assignment: &Assignment,
) -> Result<Result<Submission, Rejection>, IntakeError> {
    let _ = (candidate, assignment);
    Err(IntakeError::NotWritten)
}
