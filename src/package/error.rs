//! Errors of packaging.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// A package that cannot be made.
#[derive(Debug, Error)]
pub enum PackageError {
    /// Reading or writing failed.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// Verb for the failed operation, such as `read`.
        action: &'static str,
        /// File or folder of the operation.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A program or library needs a newer C library than the platform has.
    #[error(
        "{} needs glibc {needed}, and the platform's container has {available}",
        path.display()
    )]
    Glibc {
        /// Path of the program or library.
        path: PathBuf,
        /// Version that it needs.
        needed: String,
        /// Version of the platform.
        available: String,
    },
    /// The toolchain has no version that can be downloaded.
    #[error("{compiler} cannot be downloaded on the platform: it is no stable release")]
    NotReleased {
        /// First line of `rustc -vV`.
        compiler: String,
    },
    /// A folder is not empty.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The machine's kind is not the platform's.
    #[error("the libraries are for {host}, and the platform needs {needed}")]
    Machine {
        /// Machine that the libraries were built on.
        host: String,
        /// Machine of the platform.
        needed: &'static str,
    },
}

impl PackageError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}
