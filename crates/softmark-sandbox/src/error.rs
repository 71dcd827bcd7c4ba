//! Failures of the sandbox itself.

use std::io;
use std::path::{Path, PathBuf};

use thiserror::Error;

/// The sandbox failed; the program that it was to run is not to blame.
#[derive(Debug, Error)]
pub enum SandboxError {
    /// The program does not exist or may not be executed.
    #[error("cannot start {}: {source}", program.display())]
    Program {
        /// Path of the program.
        program: PathBuf,
        /// Error from the system.
        source: io::Error,
    },
    /// The working directory does not exist or may not be entered.
    #[error("cannot start in the directory {}: {source}", dir.display())]
    WorkingDirectory {
        /// Path of the directory.
        dir: PathBuf,
        /// Error from the system.
        source: io::Error,
    },
    /// The program could not be isolated or executed.
    #[error("cannot start {}: {reason}", program.display())]
    Launch {
        /// Path of the program.
        program: PathBuf,
        /// Error message of the supervisor.
        reason: String,
    },
    /// The supervisor could not be started.
    #[error("cannot {action} the supervisor process: {source}")]
    Supervisor {
        /// Action that failed.
        action: &'static str,
        /// Error from the system.
        source: io::Error,
    },
    /// The supervisor ended without a report, or gave none in time.
    #[error("the supervisor of {} ended without a report", program.display())]
    SupervisorLost {
        /// Path of the supervised program.
        program: PathBuf,
    },
}

impl SandboxError {
    /// Returns the error for a supervisor that gave no report about `program`.
    pub(crate) fn supervisor_lost(program: &Path) -> Self {
        Self::SupervisorLost { program: program.to_owned() }
    }
}
