//! Job engines: what starts the processes that grade chunks.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::jobs::error::EngineError;
use crate::jobs::folder::RunFolder;

/// Chunks to start, one job for each, and what each job needs.
#[derive(Debug, Clone, Copy)]
pub struct Request<'a> {
    /// Folder of the run.
    pub folder: &'a RunFolder,
    /// Numbers of the chunks.
    pub chunks: &'a [u32],
    /// Resources of each job.
    pub resources: Resources,
}

/// Resources of a job.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Resources {
    /// Number of processors.
    pub cpus: u32,
    /// Memory of the whole job, in MiB.
    pub memory_mebibytes: u64,
    /// Longest time, in minutes.
    pub minutes: u64,
}

/// State of a chunk's job.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobState {
    /// It waits for its turn.
    Waiting,
    /// It is running now.
    Running,
    /// It is over, in this way. Whether there is a result shows in the folder.
    Ended(String),
    /// A person has cancelled it.
    Cancelled,
}

/// Job engine.
pub trait Engine {
    /// Starts jobs.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot be asked, or refuses.
    fn submit(&mut self, request: &Request<'_>) -> Result<(), EngineError>;

    /// Returns the states of these chunks' jobs.
    ///
    /// # Errors
    ///
    /// Fails if the engine cannot be asked.
    fn states(&mut self, chunks: &[u32]) -> Result<BTreeMap<u32, JobState>, EngineError>;

    /// Ends what is left of the jobs of these chunks, which nobody waits for any more; it is no error if that fails.
    fn abandon(&mut self, chunks: &[u32]);

    /// Returns the time between two questions about states.
    fn pause(&self) -> Duration;
}
