//! Submissions that were found and whose names have not been read yet.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use softmark_untrusted::UntrustedName;

use crate::intake::location::Location;
use crate::intake::name::written;
use crate::intake::open::Content;
use crate::intake::tree::Tree;

/// Name of the file in which nbgrader stores the submission time.
pub(crate) const STAMP: &str = "timestamp.txt";

/// Most bytes of a time stamp; a longer file is ignored.
pub(crate) const MAX_STAMP: u64 = 100;

/// A submission whose name has not been read yet.
#[derive(Debug, Clone)]
pub(crate) struct Found {
    /// Name without the ending of an archive.
    pub(crate) called: OsString,
    /// See [`Candidate::path`](crate::intake::Candidate::path).
    pub(crate) path: PathBuf,
    pub(crate) place: Location,
    /// True if it looks like a submission.
    pub(crate) holds: bool,
    /// Text of nbgrader's time stamp.
    pub(crate) stamp: Option<String>,
}

impl Found {
    pub(crate) fn new(called: &OsStr, path: PathBuf, place: Location) -> Self {
        Self { called: called.to_owned(), path, place, holds: true, stamp: None }
    }

    /// Returns the name as text in which no two names are alike, for patterns.
    pub(crate) fn written(&self) -> String {
        written(&self.called)
    }

    /// Returns the name, for a person.
    pub(crate) fn name(&self) -> UntrustedName {
        self.called.as_os_str().into()
    }
}

/// Submissions found at a path that the instructor named.
pub(crate) enum At {
    /// A submission.
    One(Found),
    /// A group of submissions.
    Many(Vec<Found>),
    /// A group of submissions, and the path prefix of those that were named.
    Part(Vec<Found>, PathBuf),
}

/// Returns the text of nbgrader's time stamp in `dir`, if there is one.
pub(crate) fn stamp(tree: &dyn Tree, dir: &Path) -> Option<String> {
    match tree.content(&dir.join(STAMP), MAX_STAMP).ok()? {
        Content::Bytes(bytes) => text_of_stamp(&bytes),
        Content::TooLong | Content::Other(_) => None,
    }
}

/// The line in such a file.
pub(crate) fn text_of_stamp(bytes: &[u8]) -> Option<String> {
    Some(std::str::from_utf8(bytes).ok()?.trim().to_owned()).filter(|text| !text.is_empty())
}
