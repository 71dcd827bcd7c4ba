//! Coordinates a run: submits chunks, takes results as they arrive, and gives what was lost to new jobs.

use std::collections::{BTreeMap, BTreeSet};

use crate::jobs::chunk::{ChunkFile, Unit};
use crate::jobs::cut::cut_in_order;
use crate::jobs::engine::{Engine, JobState, Request, Resources};
use crate::jobs::error::{EngineError, JobsError};
use crate::jobs::folder::RunFolder;
use crate::jobs::result::{ChunkOutcome, ChunkResult, UnitResult};
use crate::jobs::work::Work;

/// Number of times that lost units are given to a new job. The first time, a chunk is cut into pieces; after that, each unit has a
/// job of its own, so that one that takes its job down takes no other with it.
const RERUNS: u32 = 3;

/// Number of pieces that a lost chunk is cut into the first time.
const PIECES: usize = 4;

/// Number of chunks that may fail on the grader's side before any has a result. Then it is not a node that is at fault.
const FIRST_FAILURES: u32 = 3;

/// Number of questions in a row to which a job must have ended before it counts as lost: a shared folder shows a result later
/// than the engine shows that the job is over.
const SEEN_ENDED: u32 = 3;

/// Most units that a message names.
const MOST_NAMED: usize = 5;

/// Report on a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum JobEvent {
    /// States of the chunks.
    Progress(Progress),
    /// Something goes wrong, and is dealt with.
    Trouble(String),
}

/// Number of chunks in each state, and of units.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Chunks that wait.
    pub waiting: usize,
    /// Chunks that run.
    pub running: usize,
    /// Chunks whose results are taken.
    pub finished: usize,
    /// Units with a result.
    pub done: usize,
    /// All units.
    pub units: usize,
}

/// Coordinator of a run.
pub struct Coordinator<'a> {
    /// Number of units of the run.
    units: usize,
    folder: &'a RunFolder,
    engine: &'a mut dyn Engine,
    resources: Resources,
    /// Number of times that lost units are given to a new job.
    reruns: u32,
    /// Places of the units with a result.
    done: BTreeSet<usize>,
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

/// Receiver of reports.
type Hear<'a> = &'a mut dyn FnMut(JobEvent);

impl<'a> Coordinator<'a> {
    /// Returns the coordinator of a run of `units` units in `folder`, those at the places `done` excepted; `resources` are those of
    /// each job.
    pub fn new(
        (units, done): (usize, BTreeSet<usize>),
        folder: &'a RunFolder,
        engine: &'a mut dyn Engine,
        resources: Resources,
    ) -> Self {
        Self {
            units,
            folder,
            engine,
            resources,
            reruns: RERUNS,
            done,
            open: BTreeMap::new(),
            finished: 0,
            failures: 0,
            last: Progress::default(),
        }
    }

    /// Returns the coordinator of a run of which nothing is done twice.
    #[must_use]
    pub fn without_reruns(self) -> Self {
        Self { reruns: 0, ..self }
    }

    /// Submits chunks.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be written, or the engine refuses.
    pub fn submit(&mut self, chunks: Vec<Vec<Unit>>) -> Result<(), JobsError> {
        self.begin(chunks, 0)
    }

    /// Takes over the chunks of an earlier process, whose jobs may go on.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read.
    pub fn take_over<W: Work>(&mut self) -> Result<(), JobsError> {
        for number in self.folder.numbers("chunks")? {
            let file = ChunkFile::read(self.folder, number)?;
            let open = OpenChunk { file, is_running: false, seen_ended: 0 };
            self.open.insert(number, open);
        }
        self.drop_superseded::<W>();
        Ok(())
    }

    /// Gives results to `work` until every unit has one.
    ///
    /// # Errors
    ///
    /// Fails if `work` does, the engine refuses jobs, or a person has cancelled them.
    pub fn wait<W: Work>(mut self, work: &mut W, hear: Hear<'_>) -> Result<(), JobsError> {
        let mut trouble = String::new();
        loop {
            let changed = self.take_arrived(work, hear)?;
            let numbers: Vec<u32> = self.open.keys().copied().collect();
            if numbers.is_empty() {
                break;
            }
            match self.engine.states(&numbers) {
                Ok(states) => {
                    trouble.clear();
                    self.take_states(&states, work, hear)?;
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
        Ok(())
    }

    /// Returns the open chunks that have a result. The folder is listed, and no file is looked up by its name: that a file is not
    /// there may be remembered by a network file system for a minute, while a folder that is opened is always asked for.
    fn arrived(&self) -> Result<Vec<u32>, JobsError> {
        let mut numbers = self.folder.numbers("results")?;
        numbers.retain(|number| self.open.contains_key(number));
        Ok(numbers)
    }

    /// Takes the results that have arrived; returns true if there was one.
    fn take_arrived<W: Work>(&mut self, work: &mut W, hear: Hear<'_>) -> Result<bool, JobsError> {
        let mut changed = false;
        for number in self.arrived()? {
            let result = match ChunkResult::<W::Output>::read(self.folder, number) {
                Ok(result) => result,
                Err(error) => {
                    // A damaged file is as good as none: the chunk is given to another job.
                    self.lost(number, &error.to_string(), work, hear)?;
                    continue;
                }
            };
            changed = true;
            match result.outcome {
                ChunkOutcome::Done(results) => {
                    for result in results {
                        self.take(number, result, work)?;
                    }
                    self.finish(number, work, hear)?;
                }
                ChunkOutcome::Failed(reason) => {
                    let reason = format!("on {}: {reason}", result.node);
                    self.failures += u32::from(self.finished == 0);
                    if self.failures >= FIRST_FAILURES {
                        return Err(JobsError::NoJobGrades { reason });
                    }
                    self.lost(number, &reason, work, hear)?;
                }
            }
        }
        Ok(changed)
    }

    /// Takes a result of a chunk, unless its unit is of another chunk or has one.
    fn take<W: Work>(
        &mut self,
        number: u32,
        result: UnitResult<W::Output>,
        work: &mut W,
    ) -> Result<(), JobsError> {
        let UnitResult { place, output } = result;
        let of_chunk = |open: &OpenChunk| open.file.units.iter().any(|unit| unit.place == place);
        if self.open.get(&number).is_some_and(of_chunk) && self.done.insert(place) {
            work.take(place, output)?;
        }
        Ok(())
    }

    /// Closes a chunk whose results are taken; units without one are given to new jobs.
    fn finish<W: Work>(
        &mut self,
        number: u32,
        work: &mut W,
        hear: Hear<'_>,
    ) -> Result<(), JobsError> {
        let is_done = |unit: &Unit| self.done.contains(&unit.place);
        if self.open.get(&number).is_some_and(|open| !open.file.units.iter().all(is_done)) {
            return self.lost(number, "its file lacks some", work, hear);
        }
        self.open.remove(&number);
        self.finished += 1;
        Ok(())
    }

    fn take_states<W: Work>(
        &mut self,
        states: &BTreeMap<u32, JobState>,
        work: &mut W,
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
                        self.lost(*number, reason, work, hear)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Gives the units of a chunk whose job has left no result to new jobs, or does without them if that was done often.
    fn lost<W: Work>(
        &mut self,
        number: u32,
        reason: &str,
        work: &mut W,
        hear: Hear<'_>,
    ) -> Result<(), JobsError> {
        let Some(OpenChunk { file, .. }) = self.open.remove(&number) else { return Ok(()) };
        let left = |unit: &Unit| !self.done.contains(&unit.place);
        let units: Vec<Unit> = file.units.into_iter().filter(left).collect();
        if file.attempt >= self.reruns {
            let jobs = if file.attempt == 0 {
                "its job".to_owned()
            } else {
                format!("{} jobs", file.attempt + 1)
            };
            for Unit { place, .. } in units {
                let reason = format!("{jobs} ended without a result: {reason}");
                work.give_up(place, reason)?;
                self.done.insert(place);
            }
            self.engine.abandon(&[number]);
            return Ok(());
        }
        if units.is_empty() {
            return Ok(());
        }
        let count = if file.attempt == 0 { PIECES } else { units.len() };
        hear(JobEvent::Trouble(format!(
            "chunk {number} has no result ({reason}); it is done again: {}",
            shown(&units)
        )));
        // Only then: a process that goes on with this one must not take the old job for one that a person has cancelled.
        self.begin(cut_in_order(units, count), file.attempt + 1)?;
        self.engine.abandon(&[number]);
        Ok(())
    }

    /// Writes and submits new chunks.
    fn begin(&mut self, chunks: Vec<Vec<Unit>>, attempt: u32) -> Result<(), JobsError> {
        let first = self.folder.numbers("chunks")?.last().copied().unwrap_or(0) + 1;
        let mut numbers = Vec::new();
        for (number, units) in (first..).zip(chunks) {
            let file = ChunkFile { number, attempt, units };
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
            done: self.done.len(),
            units: self.units,
        };
        if progress != self.last {
            self.last = progress;
            hear(JobEvent::Progress(progress));
        }
    }

    /// Drops the chunks whose units are in later chunks, unless they have a result all the same.
    fn drop_superseded<W: Work>(&mut self) {
        let mut later: BTreeSet<usize> = BTreeSet::new();
        let mut superseded = Vec::new();
        for (number, open) in self.open.iter().rev() {
            let places: BTreeSet<usize> = open.file.units.iter().map(|unit| unit.place).collect();
            let result = ChunkResult::<W::Output>::read(self.folder, *number);
            let is_done = result.is_ok_and(|it| matches!(it.outcome, ChunkOutcome::Done(_)));
            if !is_done && places.is_subset(&later) {
                superseded.push(*number);
            }
            later.extend(places);
        }
        self.open.retain(|number, _| !superseded.contains(number));
    }
}

/// Returns the names of the first units, and the number of the others.
fn shown(units: &[Unit]) -> String {
    let mut names: Vec<String> =
        units.iter().take(MOST_NAMED).map(|unit| unit.name.first_line().to_string()).collect();
    match units.len().saturating_sub(MOST_NAMED) {
        0 => {}
        more => names.push(format!("and {more} more")),
    }
    names.join(", ")
}
