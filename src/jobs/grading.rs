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
use crate::pipeline::{
    Done, Entry, Event, FromThread, Graded, GradingRun, PipelineError, Survey, Timings,
};
use crate::store::{RecordKeys, SavedVersion};

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
    /// Submissions and earlier versions.
    all: Vec<Graded<'a>>,
    /// Number of submissions, which come before the earlier versions.
    submissions: usize,
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
        let (all, submissions) = (survey.graded(), survey.entries.len());
        Self { run, all, submissions, records: BTreeMap::new(), hear }
    }

    /// Stores the records of the submissions for which no code has to run: what cannot be graded, and what an earlier run has
    /// graded. Those at the places `kept` are left.
    ///
    /// # Errors
    ///
    /// Fails if a record cannot be stored.
    pub fn settle(&mut self, kept: &BTreeSet<usize>) -> Result<(), JobsError> {
        for place in (0..self.all.len()).filter(|place| !kept.contains(place)) {
            let Graded { entry, version } = self.graded(place)?;
            if let Some(done) = self.run.settled(entry) {
                self.keep(place, (done, version))?;
            }
        }
        Ok(())
    }

    /// Returns the places of the submissions that have a record.
    pub fn done(&self) -> BTreeSet<usize> {
        self.records.keys().copied().collect()
    }

    /// Returns the records of the submissions in the order of the run.
    ///
    /// # Errors
    ///
    /// Fails if a submission has none.
    pub fn into_records(self) -> Result<Vec<Record>, JobsError> {
        match self.all.len() - self.records.len() {
            0 => Ok(self.records.into_values().take(self.submissions).collect()),
            left => Err(PipelineError::Left { left }.into()),
        }
    }

    fn keep(&mut self, place: usize, done: (Done, SavedVersion)) -> Result<(), JobsError> {
        let record = self.run.keep(done, self.hear)?;
        self.records.insert(place, record);
        Ok(())
    }

    fn graded(&self, place: usize) -> Result<Graded<'a>, JobsError> {
        Ok(self.all.get(place).copied().ok_or(PipelineError::Left { left: 1 })?)
    }
}

impl Work for Grading<'_> {
    type Output = GradedSubmission;

    fn take(&mut self, place: usize, output: GradedSubmission) -> Result<(), JobsError> {
        let GradedSubmission { keys, usage, mut record } = output;
        let unit = Unit { place, name: record.submission.clone() };
        let Graded { entry, version } = self.graded(place)?;
        unit.check(Some(&entry.candidate.name))?;
        record.usage = usage;
        let timings = Timings::default();
        self.keep(place, (Done { record, keys, cached: false, reused: 0, timings }, version))
    }

    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError> {
        let Graded { entry, version } = self.graded(place)?;
        let done = self.run.ungraded(entry, Untrusted::from(reason));
        self.keep(place, (done, version))
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
    let all = survey.graded();
    let entries = chunk.units.iter().map(|it| entry(&all, it)).collect::<Result<Vec<_>, _>>()?;
    let mut done: BTreeMap<usize, Done> = BTreeMap::new();
    let hear = |said: FromThread<Event, Done>| -> Result<(), PipelineError> {
        if let FromThread::Done(at, graded) = said {
            done.insert(at, graded);
        }
        Ok(())
    };
    run.grade(&entries, threads, hear)?;
    Ok(chunk.results(done.into_values().map(output_of).collect()))
}

fn entry<'a>(all: &[Graded<'a>], unit: &Unit) -> Result<&'a Entry, JobsError> {
    let found = all.get(unit.place).map(|it| it.entry);
    unit.check(found.map(|entry| &entry.candidate.name))?;
    found.ok_or_else(|| PipelineError::Left { left: 1 }.into())
}

fn output_of(done: Done) -> GradedSubmission {
    let Done { record, keys, .. } = done;
    GradedSubmission { keys, usage: record.usage, record }
}
