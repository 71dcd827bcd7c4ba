//! Chunks: submissions of a run that one job grades.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use softmark_untrusted::Untrusted;

use crate::jobs::error::JobsError;
use crate::jobs::folder::{RunFolder, read_json, write_json};
use crate::jobs::result::GradedEntry;
use crate::pipeline::{Done, Entry, Event, FromThread, GradingRun, PipelineError, Survey};

/// Submissions that one job grades.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkFile {
    /// Number of the chunk in its run, from 1 on.
    pub number: u32,
    /// Number of times that its submissions were given to a job before.
    pub attempt: u32,
    /// Submissions of the chunk.
    pub submissions: Vec<ChunkEntry>,
}

/// Submission of a chunk.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ChunkEntry {
    /// Index in the order of the run.
    pub place: usize,
    /// Name, by which a folder that has changed meanwhile is noticed.
    pub name: Untrusted,
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

    /// Returns the places of all submissions that are in chunks of a run.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn places(folder: &RunFolder) -> Result<BTreeSet<usize>, JobsError> {
        let mut places = BTreeSet::new();
        for number in folder.numbers("chunks")? {
            places.extend(Self::read(folder, number)?.submissions.iter().map(|it| it.place));
        }
        Ok(places)
    }

    /// Writes the file of the chunk.
    pub(super) fn write(&self, folder: &RunFolder) -> Result<(), JobsError> {
        write_json(&folder.chunk(self.number), self)
    }
}

/// Run that is set up for grading chunks.
#[derive(Debug, Clone, Copy)]
pub struct ChunkRun<'a> {
    /// The run.
    pub run: &'a GradingRun<'a>,
    /// Submissions of the run.
    pub survey: &'a Survey,
}

impl ChunkRun<'_> {
    /// Grades the submissions of a chunk on `threads` threads.
    ///
    /// # Errors
    ///
    /// Fails if the submissions are not those of the run any more, or a thread cannot be started.
    pub fn grade(
        &self,
        chunk: &ChunkFile,
        threads: NonZeroUsize,
    ) -> Result<Vec<GradedEntry>, JobsError> {
        let entries =
            chunk.submissions.iter().map(|it| self.entry(it)).collect::<Result<Vec<_>, _>>()?;
        let mut done: BTreeMap<usize, Done> = BTreeMap::new();
        let hear = |said: FromThread<Event, Done>| -> Result<(), PipelineError> {
            if let FromThread::Done(at, graded) = said {
                done.insert(at, graded);
            }
            Ok(())
        };
        self.run.grade(&entries, threads, hear)?;
        let all = chunk.submissions.iter().zip(done.into_values());
        Ok(all.map(|(ChunkEntry { place, .. }, done)| graded(*place, done)).collect())
    }

    fn entry(&self, wanted: &ChunkEntry) -> Result<&Entry, JobsError> {
        let found = self.survey.entries.get(wanted.place);
        found.filter(|entry| entry.candidate.name == wanted.name).ok_or_else(|| {
            let reason = format!("number {} is no longer {}", wanted.place + 1, wanted.name);
            JobsError::Differs { what: "the folder of submissions", node: node(), reason }
        })
    }
}

fn graded(place: usize, done: Done) -> GradedEntry {
    let Done { record, key, .. } = done;
    GradedEntry { place, key, usage: record.usage, record }
}

/// Returns the name of this machine.
pub fn node() -> String {
    let name = std::fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    let name = name.trim();
    if name.is_empty() { "this machine".to_owned() } else { name.to_owned() }
}
