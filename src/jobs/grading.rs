//! Grading in chunks: records of submissions.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};
use softmark_untrusted::Untrusted;

use crate::jobs::chunk::{ChunkFile, Unit};
use crate::jobs::error::JobsError;
use crate::jobs::result::UnitResult;
use crate::jobs::work::Work;
use crate::model::{Record, Usage};
use crate::pipeline::{Done, Entry, Event, FromThread, GradingRun, PipelineError, Survey, Timings};
use crate::store::RecordKeys;

/// Record of a submission, and what is not part of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GradedSubmission {
    /// Keys of the record and of its checks.
    pub keys: RecordKeys,
    /// Cost of grading.
    pub usage: Option<Usage>,
    /// The record.
    pub record: Record,
}

/// Grading of the submissions of a run, some of which jobs grade.
pub struct Grading<'a> {
    run: &'a GradingRun<'a>,
    survey: &'a Survey,
    records: BTreeMap<usize, Record>,
    hear: &'a mut dyn FnMut(Event),
}

impl std::fmt::Debug for Grading<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Grading").field("records", &self.records.len()).finish_non_exhaustive()
    }
}

impl<'a> Grading<'a> {
    /// Returns the grading of the submissions of `survey` in `run`; `hear` gets an event for each that is graded.
    pub fn new(
        run: &'a GradingRun<'a>,
        survey: &'a Survey,
        hear: &'a mut dyn FnMut(Event),
    ) -> Self {
        Self { run, survey, records: BTreeMap::new(), hear }
    }

    /// Stores the records of the submissions for which no code has to run: what cannot be graded, and what an earlier run has
    /// graded. Those at the places `kept` are left.
    ///
    /// # Errors
    ///
    /// Fails if a record cannot be stored.
    pub fn settle(&mut self, kept: &BTreeSet<usize>) -> Result<(), JobsError> {
        for (place, entry) in self.survey.entries.iter().enumerate() {
            if kept.contains(&place) {
                continue;
            }
            if let Some(done) = self.run.settled(entry) {
                self.keep(place, done)?;
            }
        }
        Ok(())
    }

    /// Returns the places of the submissions that have a record.
    pub fn done(&self) -> BTreeSet<usize> {
        self.records.keys().copied().collect()
    }

    /// Returns the records in the order of the run.
    ///
    /// # Errors
    ///
    /// Fails if a submission has none.
    pub fn into_records(self) -> Result<Vec<Record>, JobsError> {
        match self.survey.entries.len() - self.records.len() {
            0 => Ok(self.records.into_values().collect()),
            left => Err(PipelineError::Left { left }.into()),
        }
    }

    fn keep(&mut self, place: usize, done: Done) -> Result<(), JobsError> {
        let record = self.run.keep(done, self.hear)?;
        self.records.insert(place, record);
        Ok(())
    }

    fn entry(&self, place: usize) -> Result<&'a Entry, JobsError> {
        let left = PipelineError::Left { left: 1 };
        Ok(self.survey.entries.get(place).ok_or(left)?)
    }
}

impl Work for Grading<'_> {
    type Output = GradedSubmission;

    fn take(&mut self, place: usize, output: GradedSubmission) -> Result<(), JobsError> {
        let GradedSubmission { keys, usage, mut record } = output;
        let unit = Unit { place, name: record.submission.clone() };
        unit.check(Some(&self.entry(place)?.candidate.name))?;
        record.usage = usage;
        let timings = Timings::default();
        self.keep(place, Done { record, keys, cached: false, reused: 0, timings })
    }

    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError> {
        let done = self.run.ungraded(self.entry(place)?, Untrusted::from(reason));
        self.keep(place, done)
    }
}

/// Grades the submissions of a chunk of `survey` on `threads` threads.
///
/// # Errors
///
/// Fails if the submissions are not those of the run any more, or a thread cannot be started.
pub fn grade_chunk(
    run: &GradingRun<'_>,
    survey: &Survey,
    chunk: &ChunkFile,
    threads: NonZeroUsize,
) -> Result<Vec<UnitResult<GradedSubmission>>, JobsError> {
    let entries = chunk.units.iter().map(|it| entry(survey, it)).collect::<Result<Vec<_>, _>>()?;
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    let hear = |said: FromThread<Event, Done>| -> Result<(), PipelineError> {
        if let FromThread::Done(at, graded) = said {
            done.insert(at, graded);
        }
        Ok(())
    };
    run.grade(&entries, threads, hear)?;
    Ok(chunk.results(done.into_values().map(graded).collect()))
}

fn entry<'a>(survey: &'a Survey, unit: &Unit) -> Result<&'a Entry, JobsError> {
    let found = survey.entries.get(unit.place);
    unit.check(found.map(|entry| &entry.candidate.name))?;
    found.ok_or_else(|| PipelineError::Left { left: 1 }.into())
}

fn graded(done: Done) -> GradedSubmission {
    let Done { record, keys, .. } = done;
    GradedSubmission { keys, usage: record.usage, record }
}
