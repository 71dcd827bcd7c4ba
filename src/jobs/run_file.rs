//! Description of a run, which all of its chunks share.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::jobs::engine::Resources;
use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};

/// Description of a run: the program that does it, what the program needs, and its task.
///
/// The course's secret is not in it; each process reads it where the course has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunFile {
    /// SHA-256 of the grader's program, in hexadecimal.
    pub program: String,
    /// Key of the prebuilt libraries.
    pub pack: String,
    /// Folder of the course.
    pub home: PathBuf,
    /// Folder of the prebuilt libraries.
    pub cache: PathBuf,
    /// Folder in which the run was started; paths of the task are relative to it.
    pub folder: PathBuf,
    /// Isolation level at which code is compiled.
    pub level: String,
    /// Isolation level at which workers run.
    pub workers_at: String,
    /// Resources of each job; a chunk does as many units at the same time as it has processors.
    pub resources: Resources,
    /// Engine, and how it is asked.
    pub engine: EngineChoice,
    /// Task of the run.
    pub task: Task,
}

/// Task of a run.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Task {
    /// Grading; the units are submissions.
    Grading(GradingTask),
    /// Calibration; the units are trainings.
    Calibration(CalibrationTask),
    /// Audit; the units are fixtures.
    Audit(AuditTask),
    /// Description of the machine; the units are machines.
    Probe,
}

/// Submissions to grade, and the options.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradingTask {
    /// SHA-256 of the course's secret, in hexadecimal.
    pub secret: String,
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
    /// Folder of the results.
    pub out: PathBuf,
}

/// Variants to train, and the seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CalibrationTask {
    /// Assignment id.
    pub assignment: String,
    /// Task whose training is measured; the only one if there is none.
    pub task: Option<String>,
    /// Seeds of the trainings.
    pub seeds: Vec<u64>,
    /// Glob of the variants to train; all of them if there is none.
    pub only: Option<String>,
    /// True if mutants without an expected result are trained too.
    pub all_mutants: bool,
    /// True if the output is JSON.
    pub json: bool,
}

/// Fixtures to audit, and the seeds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AuditTask {
    /// Assignment id.
    pub assignment: String,
    /// Seeds of the checks' inputs.
    pub seeds: Vec<u64>,
    /// Glob of the fixtures to audit; all of them if there is none.
    pub only: Option<String>,
    /// True if a selection of mutants suffices.
    pub short: bool,
    /// True if all messages are the result, and not the findings.
    pub messages: bool,
    /// Output format.
    pub format: String,
    /// Output file; `None` for stdout.
    pub out: Option<PathBuf>,
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
