//! Errors of runs that a job engine carries out.

use std::io;
use std::path::{Path, PathBuf};

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::pipeline::PipelineError;

/// Failure of an engine.
#[derive(Debug, Error)]
pub enum EngineError {
    /// The engine cannot be asked now; what it runs goes on.
    #[error("{engine} does not answer: {reason}")]
    Unreachable {
        /// Name of the engine.
        engine: &'static str,
        /// Reason.
        reason: String,
    },
    /// The engine does not take jobs.
    #[error("{engine} does not take the jobs: {reason}")]
    Refused {
        /// Name of the engine.
        engine: &'static str,
        /// Reason.
        reason: String,
    },
}

/// Error that ends a run that a job engine carries out.
#[derive(Debug, Error)]
pub enum JobsError {
    /// A file of the run cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    Io {
        /// Verb: read, write.
        action: &'static str,
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The folder is not that of a run.
    #[error("{} is no folder of a run", path.display())]
    NoRun {
        /// Path of the folder.
        path: PathBuf,
    },
    /// A file of the run has another format.
    #[error("{} is no file of a run of this grader: {reason}", path.display())]
    Format {
        /// Path of the file.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The process that grades a chunk differs from the one that made it.
    #[error("{what} on {node} is not that of the run: {reason}")]
    Differs {
        /// Name of what differs: the program, the libraries, the secret, the submissions.
        what: &'static str,
        /// Name of the machine.
        node: String,
        /// Description of the difference.
        reason: String,
    },
    /// No job can grade.
    #[error("no job can grade: {reason}")]
    NoJobGrades {
        /// Reason of the last job that failed.
        reason: String,
    },
    /// A unit that the run cannot do without has no result.
    #[error("{unit} has no result: {reason}")]
    NoResult {
        /// Name of the unit.
        unit: Untrusted,
        /// Reason of the last job.
        reason: String,
    },
    /// A person has cancelled the jobs.
    #[error("the jobs were cancelled")]
    Cancelled,
    /// The engine fails.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// Grading fails.
    #[error(transparent)]
    Pipeline(#[from] PipelineError),
}

impl JobsError {
    /// Returns a function that makes the error of `action` on the file at `path`.
    pub(super) fn io(action: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_owned();
        move |source| Self::Io { action, path, source }
    }
}
