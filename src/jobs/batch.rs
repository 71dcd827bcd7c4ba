//! Batches: chunks that were submitted together, in one job of the engine.

use serde::{Deserialize, Serialize};

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};

/// Chunks that were submitted together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Batch {
    /// The engine's id of the job.
    pub(super) job: String,
    /// Numbers of the chunks, in the order of the job's tasks, which are counted from 1.
    pub(super) chunks: Vec<u32>,
}

/// Returns the engine's ids of all jobs of a run.
///
/// # Errors
///
/// Fails if a file of the run cannot be read.
pub fn job_ids(folder: &RunFolder) -> Result<Vec<String>, JobsError> {
    Ok(Batch::read_all(folder)?.into_iter().map(|batch| batch.job).collect())
}

impl Batch {
    /// Reads all batches of a run.
    pub(super) fn read_all(folder: &RunFolder) -> Result<Vec<Self>, JobsError> {
        let numbers = folder.numbers("batches")?;
        numbers.into_iter().map(|number| read_json(&folder.batch(number))).collect()
    }

    /// Writes the batch under a number that no other batch has.
    pub(super) fn write(&self, folder: &RunFolder, number: u32) -> Result<(), JobsError> {
        write_json(&folder.batch(number), self)
    }
}
