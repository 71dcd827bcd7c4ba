//! Errors of releasing an assignment.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

use crate::assignment::AssignmentError;
use crate::build::BuildError;
use crate::course::{CourseError, Day};
use crate::fixtures::FixtureError;
use crate::release::handout::HandoutError;
use crate::release::leak::Leak;

/// An assignment that cannot be released.
#[derive(Debug, Error)]
pub enum ReleaseError {
    /// The assignment cannot be read.
    #[error(transparent)]
    Assignment(#[from] AssignmentError),
    /// A solution cannot be read.
    #[error(transparent)]
    Fixture(#[from] FixtureError),
    /// A tool cannot be run, or failed.
    #[error(transparent)]
    Tool(#[from] BuildError),
    /// Cargo's description of the packages cannot be read.
    #[error("what cargo says about the packages cannot be read: {0}")]
    Metadata(#[from] serde_json::Error),
    /// The package of the assignment is not part of the workspace.
    #[error("{} is no package of the course's workspace", .0.display())]
    NoPackage(PathBuf),
    /// The student's package needs one that students must not see.
    #[error("`{needed_by}` depends on `{package}`, which students must not see")]
    Secret {
        /// Name of the package that students must not see.
        package: String,
        /// Name of the package that depends on it.
        needed_by: String,
    },
    /// A manifest cannot be read.
    #[error("{} cannot be read: {reason}", path.display())]
    Manifest {
        /// Path of the manifest.
        path: PathBuf,
        /// Reason.
        reason: String,
    },
    /// The handout cannot be rendered.
    #[error("the handout of `{id}` cannot be rendered: {error}")]
    Handout {
        /// Assignment id.
        id: String,
        /// Place and reason.
        error: HandoutError,
    },
    /// The release would contain what students must not see.
    #[error("the release of `{id}` would contain what students must not see:\n{}", listed(leaks))]
    Leaks {
        /// Assignment id.
        id: String,
        /// All places.
        leaks: Vec<Leak>,
    },
    /// The release would solve another assignment, which students may still hand in.
    #[error(
        "the release of `{id}` has {lines} lines of the solution of `{other}`, which students hand in through {due}"
    )]
    SolvesAnother {
        /// Assignment id.
        id: String,
        /// Id of the other assignment.
        other: String,
        /// Number of lines.
        lines: usize,
        /// Last day on which students hand in the other assignment.
        due: Day,
    },
    /// The course's file has dates of an assignment that there is not.
    #[error("softmark.toml has dates of `{}`, and there is no such assignment", .0.escape_debug())]
    UnknownAssignment(String),
    /// The course's file cannot be read.
    #[error(transparent)]
    Course(#[from] CourseError),
    /// A folder is not empty.
    #[error("{} is not empty", .0.display())]
    NotEmpty(PathBuf),
    /// The released folder does not do what it should.
    #[error("the release of `{id}` does not work: {reason}")]
    DoesNotWork {
        /// Assignment id.
        id: String,
        /// Reason, with the output of the checks.
        reason: String,
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
}

impl ReleaseError {
    pub(super) fn io(action: &'static str, path: &Path, source: io::Error) -> Self {
        Self::Io { action, path: path.to_owned(), source }
    }
}

/// Most places that a message lists.
const LISTED: usize = 12;

fn listed(leaks: &[Leak]) -> String {
    let mut lines: Vec<String> =
        leaks.iter().take(LISTED).map(|leak| format!("  {leak}")).collect();
    if leaks.len() > LISTED {
        lines.push(format!("  … and {} more", leaks.len() - LISTED));
    }
    lines.join("\n")
}
