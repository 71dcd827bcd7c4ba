//! Chunks: units of a run that one job does, such as submissions.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use softmark_untrusted::Untrusted;

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};
use crate::jobs::result::UnitResult;

/// Units that one job does.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkFile {
    /// Number of the chunk in its run, from 1 on.
    pub number: u32,
    /// Number of times that its units were given to a job before.
    pub attempt: u32,
    /// Units of the chunk.
    pub units: Vec<Unit>,
}

/// Unit of a run, such as a submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Unit {
    /// Index in the order of the run.
    pub place: usize,
    /// Name, by which a job notices that a folder has changed meanwhile.
    pub name: Untrusted,
}

impl Unit {
    /// Returns the units with these names, in this order.
    pub fn all(names: &[Untrusted]) -> Vec<Self> {
        names.iter().enumerate().map(|(place, name)| Self { place, name: name.clone() }).collect()
    }

    /// Returns an error unless `here` is the name of the unit at its place on this machine.
    ///
    /// # Errors
    ///
    /// Fails if it is another one, or there is none.
    pub fn check(&self, here: Option<&Untrusted>) -> Result<(), JobsError> {
        if here == Some(&self.name) {
            return Ok(());
        }
        let reason = format!("number {} is no longer {}", self.place + 1, self.name);
        Err(JobsError::Differs { what: "the list of what is to be done", node: node(), reason })
    }
}

impl ChunkFile {
    /// Reads the file of a chunk.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read or has another format.
    pub fn read(folder: &RunFolder, number: u32) -> Result<Self, JobsError> {
        read_json(&folder.chunk(number))
    }

    /// Returns the places of all units that are in chunks of a run.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn places(folder: &RunFolder) -> Result<BTreeSet<usize>, JobsError> {
        let mut places = BTreeSet::new();
        for number in folder.numbers("chunks")? {
            places.extend(Self::read(folder, number)?.units.iter().map(|it| it.place));
        }
        Ok(places)
    }

    /// Returns the results of the units; `outputs` are in their order.
    pub fn results<T>(&self, outputs: Vec<T>) -> Vec<UnitResult<T>> {
        let each = self.units.iter().zip(outputs);
        each.map(|(unit, output)| UnitResult { place: unit.place, output }).collect()
    }

    /// Writes the file of the chunk.
    pub(super) fn write(&self, folder: &RunFolder) -> Result<(), JobsError> {
        write_json(&folder.chunk(self.number), self)
    }
}

/// Returns the name of this machine.
pub fn node() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "this machine".to_owned() } else { name.to_owned() }
}
