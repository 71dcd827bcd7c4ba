//! What a student handed in, before and after it was looked at.

use std::collections::BTreeMap;
use std::path::PathBuf;

use thiserror::Error;

use crate::intake::place::Place;

/// A place that may hold a submission.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// The submission's name: the student's, made safe as the name of a file.
    pub name: String,
    /// The folder that holds `src/`, or the archive; in a bulk download, its path followed by the
    /// one in it.
    pub path: PathBuf,
    /// When it was handed in, as names or files say, in ISO 8601.
    pub submitted: Option<String>,
    /// What its name tells, for the record.
    pub notes: Vec<String>,
    /// What is there.
    pub(crate) place: Place,
}

impl Candidate {
    /// The submission in a folder that holds `src/`.
    pub fn folder(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        let (name, path) = (name.into(), path.into());
        Self { name, path, submitted: None, notes: Vec::new(), place: Place::Folder }
    }

    /// The submission in an archive.
    pub fn archive(name: impl Into<String>, path: impl Into<PathBuf>) -> Self {
        Self { place: Place::Archive, ..Self::folder(name, path) }
    }
}

/// What a student handed in, reduced to what is graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Its name: the candidate's.
    pub name: String,
    /// Of the collected files' paths and contents, in hexadecimal.
    pub sha256: String,
    /// The collected files and the provided ones, as paths below `src/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// The files with answers that were there.
    pub answers: BTreeMap<String, Vec<u8>>,
    /// What stands where the assignment looks for checkpoints; nothing where nothing was handed in.
    pub uploads: BTreeMap<String, Uploaded>,
    /// What was left out or put back, for the record.
    pub notes: Vec<String>,
}

/// What was handed in where a checkpoint is looked for.
///
/// Whatever it is, the submission is graded: what is wrong with a checkpoint costs its own points alone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uploaded {
    /// A file of an allowed size, which may hold anything.
    Bytes(Vec<u8>),
    /// A larger file, of which nothing was read.
    TooLarge {
        /// How many bytes it may have.
        allowed: u64,
    },
    /// No file, but what this says, such as `a link`.
    Other(&'static str),
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
