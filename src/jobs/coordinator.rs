//! Coordinates a run: submits chunks, merges results as they arrive, and gives what was lost to new jobs.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use softmark_untrusted::Untrusted;

use crate::jobs::chunk::{ChunkEntry, ChunkFile};
use crate::jobs::cut::{Costs, cut};
use crate::jobs::engine::{Engine, JobState, Request, Resources};
use crate::jobs::error::{EngineError, JobsError};
use crate::jobs::folder::RunFolder;
use crate::jobs::result::{ChunkOutcome, ChunkResult, GradedEntry};
use crate::model::Record;
use crate::pipeline::{Done, Entry, Event, GradingRun, PipelineError, Survey, Timings};

/// Number of times that lost submissions are given to a new job. The first time, a chunk is cut into pieces; after that, each
/// submission has a job of its own, so that one that takes its job down takes no other with it.
const RERUNS: u32 = 3;

/// Number of pieces that a lost chunk is cut into the first time.
const PIECES: usize = 4;

/// Number of chunks that may fail on the grader's side before any has a result. Then it is not a node that is at fault.
const FIRST_FAILURES: u32 = 3;

/// Number of questions in a row to which a job must have ended before it counts as lost: a shared folder shows a result later
/// than the engine shows that the job is over.
const SEEN_ENDED: u32 = 3;

/// Report on a run.
#[derive(Debug)]
pub enum JobEvent {
    /// A submission has its record.
    Graded(Event),
    /// States of the chunks.
    Progress(Progress),
    /// Something goes wrong, and is dealt with.
    Trouble(String),
}

/// Number of chunks in each state, and of submissions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Chunks that wait.
    pub waiting: usize,
    /// Chunks that run.
    pub running: usize,
    /// Chunks whose results are merged.
    pub finished: usize,
    /// Submissions with a record.
    pub graded: usize,
    /// All submissions.
    pub submissions: usize,
}

/// Coordinator of a run.
pub struct Coordinator<'a> {
    run: &'a GradingRun<'a>,
    survey: &'a Survey,
    folder: &'a RunFolder,
    engine: &'a mut dyn Engine,
    resources: Resources,
    records: BTreeMap<usize, Record>,
    /// Chunks without a result.
    open: BTreeMap<u32, OpenChunk>,
    finished: usize,
    /// Number of chunks that failed on the grader's side before any had a result.
    failures: u32,
    last: Progress,
}

/// Chunk without a result.
#[derive(Debug)]
struct OpenChunk {
    file: ChunkFile,
    is_running: bool,
    /// Number of questions in a row to which its job had ended.
    seen_ended: u32,
}

impl std::fmt::Debug for Coordinator<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coordinator").field("open", &self.open).finish_non_exhaustive()
    }
}

/// Records of a run for which no code has to run, and what is left.
#[derive(Debug)]
pub struct Settled {
    /// Records by their places in the order of the run.
    pub records: BTreeMap<usize, Record>,
    /// Places of the submissions without a record.
    pub left: Vec<usize>,
}

/// Stores the records of the submissions for which no code has to run: what cannot be graded, and what an earlier run has
/// graded. Those at the places `kept` are left.
///
/// # Errors
///
/// Fails if a record cannot be stored.
pub fn settle(
    run: &GradingRun<'_>,
    survey: &Survey,
    kept: &BTreeSet<usize>,
    hear: Hear<'_>,
) -> Result<Settled, JobsError> {
    let mut settled = Settled { records: BTreeMap::new(), left: Vec::new() };
    for (place, entry) in survey.entries.iter().enumerate() {
        let done = if kept.contains(&place) { None } else { run.settled(entry) };
        match done {
            Some(done) => {
                let record = run.keep(done, &mut |event| hear(JobEvent::Graded(event)))?;
                settled.records.insert(place, record);
            }
            None => settled.left.push(place),
        }
    }
    Ok(settled)
}

/// Receiver of reports.
type Hear<'a> = &'a mut dyn FnMut(JobEvent);

impl<'a> Coordinator<'a> {
    /// Returns the coordinator of a run in `folder`; `resources` are those of each job, and `records` those that are
    /// complete.
    pub fn new(
        (run, survey): (&'a GradingRun<'a>, &'a Survey),
        folder: &'a RunFolder,
        engine: &'a mut dyn Engine,
        resources: Resources,
        records: BTreeMap<usize, Record>,
    ) -> Self {
        Self {
            run,
            survey,
            folder,
            engine,
            resources,
            records,
            open: BTreeMap::new(),
            finished: 0,
            failures: 0,
            last: Progress::default(),
        }
    }

    /// Cuts these submissions into `count` chunks by their expected costs, and submits them.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written, or the engine refuses.
    pub fn submit(
        &mut self,
        places: &[usize],
        costs: &Costs,
        count: usize,
    ) -> Result<(), JobsError> {
        let mut entries = Vec::new();
        for &place in places {
            let entry = self.chunk_entry(place);
            let cost = costs.of(&entry.name);
            entries.push((entry, cost));
        }
        self.begin(cut(entries, count), 0)
    }

    /// Takes over the chunks of an earlier process, whose jobs may go on.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn take_over(&mut self) -> Result<(), JobsError> {
        for number in self.folder.numbers("chunks")? {
            let file = ChunkFile::read(self.folder, number)?;
            let open = OpenChunk { file, is_running: false, seen_ended: 0 };
            self.open.insert(number, open);
        }
        self.drop_superseded();
        Ok(())
    }

    /// Merges results until every submission has a record, and returns the records in the order of the run.
    ///
    /// # Errors
    ///
    /// Fails if a record cannot be stored, the engine refuses jobs, or a person has cancelled them.
    pub fn wait(mut self, hear: Hear<'_>) -> Result<Vec<Record>, JobsError> {
        let mut trouble = String::new();
        loop {
            let changed = self.merge(hear)?;
            let numbers: Vec<u32> = self.open.keys().copied().collect();
            if numbers.is_empty() {
                break;
            }
            match self.engine.states(&numbers) {
                Ok(states) => {
                    trouble.clear();
                    self.take_states(&states, hear)?;
                }
                Err(error @ EngineError::Unreachable { .. }) => {
                    let reason = error.to_string();
                    if reason != trouble {
                        hear(JobEvent::Trouble(format!("{reason}; asking again")));
                        trouble = reason;
                    }
                }
                Err(error) => return Err(error.into()),
            }
            self.report(hear);
            if !changed {
                std::thread::sleep(self.engine.pause());
            }
        }
        self.engine.abandon(&self.folder.numbers("chunks")?);
        self.report(hear);
        match self.survey.entries.len() - self.records.len() {
            0 => Ok(self.records.into_values().collect()),
            left => Err(PipelineError::Left { left }.into()),
        }
    }

    /// Returns the open chunks that have a result. The folder is listed, and no file is looked up by its name: that a file is not
    /// there may be remembered by a network file system for a minute, while a folder that is opened is always asked for.
    fn arrived(&self) -> Result<Vec<u32>, JobsError> {
        let mut numbers = self.folder.numbers("results")?;
        numbers.retain(|number| self.open.contains_key(number));
        Ok(numbers)
    }

    /// Merges the results that have arrived; returns true if there was one.
    fn merge(&mut self, hear: Hear<'_>) -> Result<bool, JobsError> {
        let mut changed = false;
        for number in self.arrived()? {
            let result = match ChunkResult::read(self.folder, number) {
                Ok(result) => result,
                Err(error) => {
                    // A damaged file is as good as none: the chunk is given to another job.
                    self.lost(number, &error.to_string(), hear)?;
                    continue;
                }
            };
            changed = true;
            match result.outcome {
                ChunkOutcome::Graded(graded) => {
                    self.open.remove(&number);
                    self.finished += 1;
                    for entry in graded {
                        self.take(entry, hear)?;
                    }
                }
                ChunkOutcome::Failed(reason) => {
                    let reason = format!("on {}: {reason}", result.node);
                    self.failures += u32::from(self.finished == 0);
                    if self.failures >= FIRST_FAILURES {
                        return Err(JobsError::NoJobGrades { reason });
                    }
                    self.lost(number, &reason, hear)?;
                }
            }
        }
        Ok(changed)
    }

    /// Takes a record, unless its submission has one.
    fn take(&mut self, graded: GradedEntry, hear: Hear<'_>) -> Result<(), JobsError> {
        let GradedEntry { place, key, usage, mut record } = graded;
        let is_expected =
            self.survey.entries.get(place).is_some_and(|it| it.candidate.name == record.submission);
        if !is_expected || self.records.contains_key(&place) {
            return Ok(());
        }
        record.usage = usage;
        let done = Done { record, key, cached: false, timings: Timings::default() };
        self.keep(place, done, hear)
    }

    fn keep(&mut self, place: usize, done: Done, hear: Hear<'_>) -> Result<(), JobsError> {
        let mut events = |event| hear(JobEvent::Graded(event));
        let record = self.run.keep(done, &mut events)?;
        self.records.insert(place, record);
        Ok(())
    }

    fn take_states(
        &mut self,
        states: &BTreeMap<u32, JobState>,
        hear: Hear<'_>,
    ) -> Result<(), JobsError> {
        let arrived = self.arrived()?;
        for (number, state) in states {
            let Some(open) = self.open.get_mut(number) else { continue };
            open.is_running = *state == JobState::Running;
            match state {
                JobState::Waiting | JobState::Running => open.seen_ended = 0,
                JobState::Cancelled => return Err(JobsError::Cancelled),
                JobState::Ended(reason) => {
                    open.seen_ended += 1;
                    if open.seen_ended >= SEEN_ENDED && !arrived.contains(number) {
                        self.lost(*number, reason, hear)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the submissions of a chunk whose job has left no result to new jobs, or no grade to them if that was done often.
    fn lost(&mut self, number: u32, reason: &str, hear: Hear<'_>) -> Result<(), JobsError> {
        let Some(OpenChunk { file, .. }) = self.open.remove(&number) else { return Ok(()) };
        let without: Vec<ChunkEntry> = file
            .submissions
            .into_iter()
            .filter(|entry| !self.records.contains_key(&entry.place))
            .collect();
        if file.attempt >= RERUNS {
            let times = file.attempt + 1;
            for entry in without {
                let reason =
                    format!("{times} jobs ended without its record, the last one: {reason}");
                let done = self.run.ungraded(self.entry(entry.place)?, Untrusted::from(reason));
                self.keep(entry.place, done, hear)?;
            }
            self.engine.abandon(&[number]);
            return Ok(());
        }
        if without.is_empty() {
            return Ok(());
        }
        let count = if file.attempt == 0 { PIECES } else { without.len() };
        let submissions = without.len();
        hear(JobEvent::Trouble(format!(
            "chunk {number} has no result ({reason}); its {submissions} submissions are graded again"
        )));
        let each = without.into_iter().map(|entry| (entry, Duration::ZERO)).collect();
        // Only then: a process that goes on with this one must not take the old job for one that a person has cancelled.
        self.begin(cut(each, count), file.attempt + 1)?;
        self.engine.abandon(&[number]);
        Ok(())
    }

    /// Writes and submits new chunks.
    fn begin(&mut self, chunks: Vec<Vec<ChunkEntry>>, attempt: u32) -> Result<(), JobsError> {
        let first = self.folder.numbers("chunks")?.last().copied().unwrap_or(0) + 1;
        let mut numbers = Vec::new();
        for (number, submissions) in (first..).zip(chunks) {
            let file = ChunkFile { number, attempt, submissions };
            file.write(self.folder)?;
            self.open.insert(number, OpenChunk { file, is_running: false, seen_ended: 0 });
            numbers.push(number);
        }
        if numbers.is_empty() {
            return Ok(());
        }
        let Self { folder, resources, .. } = *self;
        self.engine.submit(&Request { folder, chunks: &numbers, resources })?;
        Ok(())
    }

    fn report(&mut self, hear: Hear<'_>) {
        let running = self.open.values().filter(|open| open.is_running).count();
        let progress = Progress {
            waiting: self.open.len() - running,
            running,
            finished: self.finished,
            graded: self.records.len(),
            submissions: self.survey.entries.len(),
        };
        if progress != self.last {
            self.last = progress;
            hear(JobEvent::Progress(progress));
        }
    }

    fn chunk_entry(&self, place: usize) -> ChunkEntry {
        let name = self.survey.entries.get(place).map(|entry| entry.candidate.name.clone());
        ChunkEntry { place, name: name.unwrap_or_default() }
    }

    fn entry(&self, place: usize) -> Result<&'a Entry, JobsError> {
        let left = PipelineError::Left { left: 1 };
        Ok(self.survey.entries.get(place).ok_or(left)?)
    }

    /// Drops the chunks whose submissions are in later chunks, unless they have their records all the same.
    fn drop_superseded(&mut self) {
        let mut later: BTreeSet<usize> = BTreeSet::new();
        let mut superseded = Vec::new();
        for (number, open) in self.open.iter().rev() {
            let places: BTreeSet<usize> =
                open.file.submissions.iter().map(|entry| entry.place).collect();
            let result = ChunkResult::read(self.folder, *number);
            let is_graded = result.is_ok_and(|it| matches!(it.outcome, ChunkOutcome::Graded(_)));
            if !is_graded && places.is_subset(&later) {
                superseded.push(*number);
            }
            later.extend(places);
        }
        self.open.retain(|number, _| !superseded.contains(number));
    }
}
