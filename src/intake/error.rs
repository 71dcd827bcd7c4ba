//! Errors of reading submissions.

use std::io;
use std::path::PathBuf;

use softmark_untrusted::UntrustedName;
use thiserror::Error;

use crate::intake::archive::Offence;

/// Error of reading submissions, which is the grader's or the instructor's fault.
#[derive(Debug, Error)]
pub enum IntakeError {
    /// There is nothing at a path.
    #[error("there is nothing at {}", .0.display())]
    Missing(PathBuf),
    /// A path leads to a file.
    #[error(
        "{} is a file; name a submission (a folder that holds src/, a .zip or a .tar.gz) or a folder \
         of them",
        .0.display()
    )]
    File(PathBuf),
    /// A bulk download that cannot be read as a whole.
    #[error("cannot read {}: {offence}; download it again", path.display())]
    Bulk {
        /// The archive.
        path: PathBuf,
        /// Reason.
        offence: Offence,
    },
    /// A folder or an archive without a submission in it.
    #[error(
        "{} holds no submission: neither it nor a folder in it holds src/, and no archive lies in it",
        .0.display()
    )]
    Empty(PathBuf),
    /// Several submissions have one name, and it is unknown which of them counts.
    #[error("{0}")]
    Undecided(String),
    /// No name matches the pattern of `--names`.
    #[error(
        "no name in {} fits `--names {pattern}`: the first is `{name}`",
        path.display()
    )]
    NoFit {
        /// The folder or archive.
        path: PathBuf,
        /// The pattern, or the name of a preset.
        pattern: String,
        /// First name in the folder or archive.
        name: UntrustedName,
    },
    /// A folder has more entries than any class.
    #[error("{} holds more than {limit} entries; name the folder of submissions", path.display())]
    TooMany {
        /// The folder.
        path: PathBuf,
        /// Most entries.
        limit: usize,
    },
    /// A file or a folder cannot be read.
    #[error("cannot read {}: {source}; see to it that the grader may read it", path.display())]
    Read {
        /// The file or folder.
        path: PathBuf,
        /// Reason.
        source: io::Error,
    },
}

impl IntakeError {
    /// Returns a function for `map_err` that names the path which cannot be read.
    pub(crate) fn read(path: &std::path::Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Read { path, source }
    }
}
