//! Description of a run, which all of its chunks share.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};

/// Description of a run: the submissions, the program that grades them, and its options.
///
/// The course's secret is not in it; each process reads it where the course has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// SHA-256 of the grader's program, in hexadecimal.
    pub program: String,
    /// Key of the prebuilt libraries.
    pub pack: String,
    /// SHA-256 of the course's secret, in hexadecimal.
    pub secret: String,
    /// Folder of the course.
    pub home: PathBuf,
    /// Folder of the prebuilt libraries.
    pub cache: PathBuf,
    /// Folder in which the run was started; paths of submissions are relative to it.
    pub folder: PathBuf,
    /// Paths of the submissions, as they were given.
    pub submissions: Vec<PathBuf>,
    /// Pattern of submission names.
    pub names: Option<String>,
    /// Assignment, if it was named.
    pub assignment: Option<String>,
    /// Glob of the checks to run; all of them if there is none.
    pub only: Option<String>,
    /// Seed of all random inputs.
    pub seed: u64,
    /// Device that candle computes on.
    pub device: String,
    /// Isolation level at which submissions are compiled.
    pub level: String,
    /// Isolation level at which workers run.
    pub workers_at: String,
    /// Number of submissions that a chunk grades at the same time.
    pub cpus: u32,
    /// Folder of the results.
    pub out: PathBuf,
    /// Engine, and how it is asked.
    pub engine: EngineChoice,
}

/// Engine of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum EngineChoice {
    /// Slurm, with these further arguments of `sbatch`.
    Slurm(Vec<String>),
    /// A command for each chunk.
    Command {
        /// The command.
        command: String,
        /// Number of commands at the same time.
        jobs: u32,
    },
}

impl RunFile {
    /// Reads the file of a run.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or has another format.
    pub fn read(folder: &RunFolder) -> Result<Self, JobsError> {
        read_json(&folder.run())
    }

    /// Writes the file of a run.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write(&self, folder: &RunFolder) -> Result<(), JobsError> {
        write_json(&folder.run(), self)
    }
}
