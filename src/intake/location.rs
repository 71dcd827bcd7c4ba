//! Locations of candidates.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::intake::archive::Archive;

/// Location of a candidate.
#[derive(Debug, Clone)]
pub(crate) enum Location {
    /// In a folder, at the candidate's path.
    Folder,
    /// In an archive, at the candidate's path.
    Archive,
    /// In a bulk download.
    Within(Within),
    /// The location is refused, for the given reason, which is the student's fault.
    Refused(String),
    /// The location is ambiguous, for the given reason.
    Undecided(String),
}

/// Location in a bulk download.
#[derive(Debug, Clone)]
pub(crate) struct Within {
    pub(crate) bulk: Arc<Bulk>,
    /// Path of the folder or archive in the download.
    pub(crate) inside: PathBuf,
    pub(crate) is_archive: bool,
    /// Path below which all entries belong to this student, and whose errors are reported.
    pub(crate) whole: PathBuf,
}

/// A bulk download, which is kept open so that it remains the file whose list was read.
#[derive(Debug)]
pub(crate) struct Bulk {
    pub(crate) path: PathBuf,
    pub(crate) file: File,
    pub(crate) archive: Archive,
}

/// True if two paths lead to the same place.
pub(crate) fn is_same_place(a: &Path, b: &Path) -> bool {
    let same = match (fs::canonicalize(a), fs::canonicalize(b)) {
        (Ok(a), Ok(b)) => a == b,
        // What cannot be told stays two.
        (Err(_), _) | (_, Err(_)) => false,
    };
    same || a == b
}
