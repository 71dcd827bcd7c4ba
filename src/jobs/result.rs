//! Results of chunks.

use serde::{Deserialize, Serialize};

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};
use crate::model::{Record, Usage};

/// Result of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkResult {
    /// Name of the machine.
    pub node: String,
    /// Records, or the reason why there are none.
    pub outcome: ChunkOutcome,
}

/// Records of a chunk, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChunkOutcome {
    /// All submissions have a record.
    Graded(Vec<GradedEntry>),
    /// Nothing was graded, for this reason, which is no student's.
    Failed(String),
}

/// Record of a submission of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradedEntry {
    /// Index in the order of the run.
    pub place: usize,
    /// Cache key of the record; empty if it is not to be reused.
    pub key: String,
    /// Cost of grading.
    pub usage: Option<Usage>,
    /// The record.
    pub record: Record,
}

impl ChunkResult {
    /// Reads the result of a chunk.
    pub(super) fn read(folder: &RunFolder, number: u32) -> Result<Self, JobsError> {
        read_json(&folder.result(number))
    }

    /// Writes the result of the chunk with this number, as a whole.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn write(&self, folder: &RunFolder, number: u32) -> Result<(), JobsError> {
        write_json(&folder.result(number), self)
    }
}
