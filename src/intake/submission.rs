//! Submissions, before and after they are read.

use std::collections::BTreeMap;
use std::path::PathBuf;

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::digest::Digest;
use crate::intake::location::Location;

/// Location that may hold a submission.
#[derive(Debug, Clone)]
pub struct Candidate {
    /// Name of the submission: the student's, made safe as the name of a file.
    pub name: Untrusted,
    /// Name of its entry in a folder or a download, without an archive's ending; empty if it is the submission's name.
    pub entry: Untrusted,
    /// Path of the folder that holds `src/`, or of the archive; in a bulk download, the path of the download
    /// followed by the path in it.
    pub path: PathBuf,
    /// Time of submission in ISO 8601, if its name or a file states one.
    pub submitted: Option<String>,
    /// Notes for the record, from its name.
    pub notes: Vec<Untrusted>,
    /// Earlier versions that the same student handed in, the oldest first; none has earlier ones of its own.
    pub earlier: Vec<Self>,
    /// Kind of location.
    pub(crate) place: Location,
}

impl Candidate {
    /// Creates a candidate from a folder that holds `src/`.
    pub fn folder(name: impl Into<Untrusted>, path: impl Into<PathBuf>) -> Self {
        let (name, path) = (name.into(), path.into());
        Self {
            name,
            entry: Untrusted::EMPTY,
            path,
            submitted: None,
            notes: Vec::new(),
            earlier: Vec::new(),
            place: Location::Folder,
        }
    }

    /// Creates a candidate from an archive.
    pub fn archive(name: impl Into<Untrusted>, path: impl Into<PathBuf>) -> Self {
        Self { place: Location::Archive, ..Self::folder(name, path) }
    }
}

/// Submission with the files that are graded.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Submission {
    /// Name of the candidate.
    pub name: Untrusted,
    /// SHA-256 of the collected files' paths and contents, in hexadecimal.
    pub sha256: String,
    /// Collected and provided files by their paths below `src/`.
    pub files: BTreeMap<String, Vec<u8>>,
    /// Answer files that were handed in, by name.
    pub answers: BTreeMap<String, Vec<u8>>,
    /// Checkpoints that were handed in, by file name.
    pub uploads: BTreeMap<String, Uploaded>,
    /// Notes for the record about files that were left out or restored.
    pub notes: Vec<Untrusted>,
}

/// File at the path of a checkpoint.
///
/// A problem of a checkpoint never rejects the submission: it costs only the checkpoint's own points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Uploaded {
    /// Contents of a file of an allowed size, of any format.
    Bytes(Vec<u8>),
    /// The file is too large and was not read.
    TooLarge {
        /// Largest size in bytes.
        allowed: u64,
    },
    /// Something that is not a file, such as `a link`.
    Other(&'static str),
}

/// Rejection of a submission, which is the student's fault.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("{reason}")]
pub struct Rejection {
    /// Reason, for a person.
    pub reason: Untrusted,
    /// SHA-256 of the files that could be read, in hexadecimal.
    pub sha256: String,
}

/// Outcome of opening what a student handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Opened<T> {
    /// The submission is accepted so far; holds the part that was read.
    Accepted(T),
    /// The submission is rejected.
    Rejected(Rejection),
}

impl<T> Opened<T> {
    /// Creates the rejection of a submission of which nothing was read.
    pub(crate) fn rejected(reason: String) -> Self {
        let sha256 = Digest::default().finish();
        Self::Rejected(Rejection { reason: reason.into(), sha256 })
    }

    /// Returns what was looked for, for callers to whom a rejection is an error.
    ///
    /// # Errors
    ///
    /// Returns the rejection.
    pub fn into_result(self) -> Result<T, Rejection> {
        match self {
            Self::Accepted(found) => Ok(found),
            Self::Rejected(rejection) => Err(rejection),
        }
    }
}
