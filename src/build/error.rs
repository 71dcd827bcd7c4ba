//! Errors of building on the grader's side.

use std::io;
use std::path::{Path, PathBuf};

use softmark_sandbox::{ExitReason, SandboxError};
use thiserror::Error;

/// Build error on the grader's side; no student is to blame.
#[derive(Debug, Error)]
pub enum BuildError {
    /// A tool is not installed.
    #[error("{tool} is not on the PATH; install Rust from https://rustup.rs")]
    Missing {
        /// Name of the tool.
        tool: &'static str,
    },
    /// A tool failed at work that does not depend on any submission.
    #[error("{} failed ({ending:?}):\n{output}", tool.display())]
    Tool {
        /// Path of the tool.
        tool: PathBuf,
        /// End of its process: exit status, signal or limit.
        ending: ExitReason,
        /// Output of the tool.
        output: String,
    },
    /// The third-party crates cannot be fetched.
    #[error("cannot fetch the libraries that submissions use:\n{output}")]
    Fetch {
        /// Output of cargo.
        output: String,
    },
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
    /// The cache belongs to another user.
    #[error("{}, a folder of compiled libraries, belongs to another user", folder.display())]
    ForeignCache {
        /// Folder in the cache.
        folder: PathBuf,
    },
    /// Other users could write into the cache.
    #[error("other users can write into {}, a folder of compiled libraries", folder.display())]
    OpenCache {
        /// Folder in the cache.
        folder: PathBuf,
    },
    /// A solution's manifest cannot be parsed.
    #[error("cannot read {}: {source}", path.display())]
    Manifest {
        /// Path of the manifest.
        path: PathBuf,
        /// Error of the parser.
        source: toml::de::Error,
    },
    /// A library that was asked for is not in the pack.
    #[error("there is no library {name} in the pack")]
    Library {
        /// Name of the crate.
        name: String,
    },
    /// A file of a submission has a path that leads out of `src/`.
    #[error("{path:?} is no path of a source file")]
    SourcePath {
        /// Path of the file.
        path: String,
    },
    /// At isolation level `strict`, the compiler could read the user's files.
    #[error(
        "isolation is at level `strict` here, where the compiler could read every file that you can: \
         no submission is compiled at that level"
    )]
    NeedsIsolation,
    /// The text of a [`ProgramSpec`](softmark_exam::ProgramSpec) does not compile.
    #[error("the text of program {name} does not compile:\n{message}")]
    Program {
        /// Name of the program.
        name: String,
        /// Message of the compiler.
        message: String,
    },
    /// The compiler was killed from outside, repeatedly.
    #[error(
        "the compiler was ended from outside, three times ({ending:?}): by the kernel for want of \
         memory (`dmesg` tells), or by somebody; grade again with fewer `--jobs`"
    )]
    Ended {
        /// End of its last process: exit status or signal.
        ending: ExitReason,
    },
    /// A library of the pack differs from what was stored.
    #[error(
        "{} is damaged: remove {}, and the next run builds the libraries again",
        file.display(),
        pack.display()
    )]
    Damaged {
        /// Path of the library.
        file: PathBuf,
        /// Folder of the pack.
        pack: PathBuf,
    },
    /// The libraries of a run were built from other sources, or by another compiler.
    #[error(
        "the course or the compiler ({compiler}) is not the one that the run's libraries were built with"
    )]
    OtherPack {
        /// First line of `rustc -vV`.
        compiler: String,
    },
    /// The libraries of a run are not there.
    #[error("the run's libraries are not in {}", folder.display())]
    NoPack {
        /// Folder in which they should be.
        folder: PathBuf,
    },
    /// The compiler is not the one that built the pack.
    #[error("the compiler was replaced while submissions were graded: grade again")]
    Replaced,
    /// The compiler rejects code that is known to be correct.
    #[error(
        "the compiler fails at code that is right, so what it says of a submission's counts for \
         nothing; is there room in {}? It says:\n{message}",
        scratch.display()
    )]
    Unfit {
        /// Folder that the code was compiled in.
        scratch: PathBuf,
        /// Message of the compiler.
        message: String,
    },
    /// The sandbox failed.
    #[error(transparent)]
    Sandbox(#[from] SandboxError),
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

impl BuildError {
    pub(crate) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}
