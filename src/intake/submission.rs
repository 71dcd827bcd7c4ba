//! What a student handed in, before and after it was looked at.

use std::collections::BTreeMap;
use std::path::PathBuf;

use thiserror::Error;

/// A place that may hold a submission.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Candidate {
    /// The submission's name: the folder's, made safe as the name of a file.
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
