//! Results of chunks.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};

/// Result of a chunk.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkResult<T> {
    /// Name of the machine.
    pub node: String,
    /// Results of the units, or the reason why there are none.
    pub outcome: ChunkOutcome<T>,
}

/// Results of the units of a chunk, or the reason why there are none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ChunkOutcome<T> {
    /// All units have a result.
    Done(Vec<UnitResult<T>>),
    /// Nothing was done, for this reason, which is no student's.
    Failed(String),
}

/// Result of a unit.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct UnitResult<T> {
    /// Index in the order of the run.
    pub place: usize,
    /// Result.
    pub output: T,
}

impl<T: Serialize + DeserializeOwned> ChunkResult<T> {
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
