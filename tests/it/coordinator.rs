//! Coordination of chunks, with an engine that loses, damages and repeats them as it is told.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use softmark::jobs::{
    ChunkFile, ChunkOutcome, ChunkResult, Coordinator, Engine, EngineError, JobEvent, JobState,
    JobsError, Request, Resources, RunFolder, Unit, UnitResult, Work, cut_in_order,
};
use softmark_untrusted::Untrusted;

/// Behaviour of a job.
#[derive(Clone, Copy)]
enum Act {
    /// It leaves a complete result.
    Done,
    /// It leaves a result without the first unit.
    Incomplete,
    /// It leaves results of units that are not in its chunk.
    OfOthers,
    /// It leaves a file that is no result.
    Damaged,
    /// It ends without a file.
    Nothing,
    /// It says that its machine cannot do it.
    Failed,
    /// A person cancels it.
    Cancelled,
}

/// Engine whose jobs end at once; `act` says how those of a chunk do.
struct Scripted<'a> {
    act: &'a dyn Fn(&ChunkFile) -> Act,
    states: BTreeMap<u32, JobState>,
    abandoned: BTreeSet<u32>,
    /// Number of questions that it does not answer.
    silent: u32,
}

impl Scripted<'_> {
    fn perform(&mut self, folder: &RunFolder, number: u32) {
        let chunk = ChunkFile::read(folder, number).unwrap();
        let mut places: Vec<usize> = chunk.units.iter().map(|unit| unit.place).collect();
        let write = |places: Vec<usize>| {
            let each = places.into_iter().map(|place| UnitResult { place, output: place * 10 });
            let outcome = ChunkOutcome::Done(each.collect());
            ChunkResult { node: "n1".to_owned(), outcome }.write(folder, number).unwrap();
        };
        let mut state = JobState::Ended("its job has ended".to_owned());
        match (self.act)(&chunk) {
            Act::Done => write(places),
            Act::Incomplete => {
                places.remove(0);
                write(places);
            }
            Act::OfOthers => write((0..100).collect()),
            Act::Damaged => {
                let path = folder.path().join(format!("results/{number}.json"));
                std::fs::write(path, "{").unwrap();
            }
            Act::Nothing => {}
            Act::Failed => {
                let outcome = ChunkOutcome::<usize>::Failed("no sandbox".to_owned());
                ChunkResult { node: "n1".to_owned(), outcome }.write(folder, number).unwrap();
            }
            Act::Cancelled => state = JobState::Cancelled,
        }
        self.states.insert(number, state);
    }
}

impl Engine for Scripted<'_> {
    fn submit(&mut self, request: &Request<'_>) -> Result<(), EngineError> {
        for &number in request.chunks {
            self.perform(request.folder, number);
        }
        Ok(())
    }

    fn states(&mut self, chunks: &[u32]) -> Result<BTreeMap<u32, JobState>, EngineError> {
        if self.silent > 0 {
            self.silent -= 1;
            let reason = "connection refused".to_owned();
            return Err(EngineError::Unreachable { engine: "the engine", reason });
        }
        Ok(chunks.iter().map(|number| (*number, self.states[number].clone())).collect())
    }

    fn abandon(&mut self, chunks: &[u32]) {
        self.abandoned.extend(chunks);
    }

    fn pause(&self) -> Duration {
        Duration::ZERO
    }
}

/// Results by place; `Err` for those that were done without.
#[derive(Default)]
struct Taken(BTreeMap<usize, Result<usize, String>>);

impl Work for Taken {
    type Output = usize;

    fn take(&mut self, place: usize, output: usize) -> Result<(), JobsError> {
        assert!(self.0.insert(place, Ok(output)).is_none(), "{place} is taken twice");
        Ok(())
    }

    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError> {
        assert!(
            self.0.insert(place, Err(reason)).is_none(),
            "{place} is given up, and has a result"
        );
        Ok(())
    }
}

/// Result of a run.
struct Ended {
    result: Result<(), JobsError>,
    taken: Taken,
    troubles: Vec<String>,
    chunks: usize,
}

impl Ended {
    /// Fails unless every unit has its result.
    #[track_caller]
    fn assert_complete(&self, units: usize) {
        self.result.as_ref().unwrap();
        let all: BTreeMap<usize, Result<usize, String>> =
            (0..units).map(|place| (place, Ok(place * 10))).collect();
        assert_eq!(self.taken.0, all);
    }
}

/// Carries out a run of `units` units in `count` chunks.
fn run(units: usize, count: usize, silent: u32, act: &dyn Fn(&ChunkFile) -> Act) -> Ended {
    let dir = tempfile::tempdir().unwrap();
    let folder = RunFolder::create(dir.path(), "run").unwrap();
    let names: Vec<Untrusted> = (0..units).map(|at| format!("u{at}").into()).collect();
    let mut engine = Scripted { act, states: BTreeMap::new(), abandoned: BTreeSet::new(), silent };
    let resources = Resources { cpus: 1, memory_mebibytes: 1, minutes: 1 };
    let (mut taken, mut troubles) = (Taken::default(), Vec::new());
    let mut coordinator =
        Coordinator::new((units, BTreeSet::new()), &folder, &mut engine, resources);
    coordinator.submit(cut_in_order(Unit::all(&names), count)).unwrap();
    let result = coordinator.wait(&mut taken, &mut |event| match event {
        JobEvent::Trouble(text) => troubles.push(text),
        JobEvent::Progress(_) => {}
    });
    let chunks = ChunkFile::places(&folder)
        .map(|_| std::fs::read_dir(folder.path().join("chunks")).unwrap().count());
    Ended { result, taken, troubles, chunks: chunks.unwrap() }
}

#[test]
fn what_is_complete_is_taken_once() {
    for (units, count) in [(1, 1), (7, 3), (5, 100)] {
        let ended = run(units, count, 0, &|_| Act::Done);
        ended.assert_complete(units);
        assert!(ended.troubles.is_empty() && ended.chunks == count.min(units));
    }
}

#[test]
fn what_is_lost_damaged_or_incomplete_is_done_again() {
    for act in [Act::Incomplete, Act::Damaged, Act::Nothing, Act::OfOthers] {
        let first = move |chunk: &ChunkFile| if chunk.number == 2 { act } else { Act::Done };
        run(9, 3, 0, &first).assert_complete(9);
    }
    let ended = run(9, 3, 0, &|chunk| if chunk.attempt == 0 { Act::Nothing } else { Act::Done });
    ended.assert_complete(9);
    assert_eq!(ended.troubles.len(), 3);
    assert!(ended.troubles[0].contains("chunk 1 has no result (its job has ended)"));
    assert!(ended.troubles[0].ends_with("it is done again: u0, u1, u2"), "{:?}", ended.troubles);
}

#[test]
fn results_of_other_chunks_are_left_alone() {
    // The first job leaves results of all units, of which it was given one.
    let ended = run(4, 4, 0, &|chunk| if chunk.number == 1 { Act::OfOthers } else { Act::Nothing });
    ended.result.unwrap();
    let results = ended.taken.0.values();
    assert_eq!(results.filter(|it| it.is_ok()).count(), 1);
}

#[test]
fn a_unit_that_takes_its_job_down_is_done_without_after_three_more() {
    let holds = |chunk: &ChunkFile| chunk.units.iter().any(|unit| unit.place == 3);
    let ended = run(8, 1, 0, &|chunk| if holds(chunk) { Act::Nothing } else { Act::Done });
    ended.result.unwrap();
    let reason = "4 jobs ended without a result: its job has ended".to_owned();
    assert_eq!(ended.taken.0[&3], Err(reason));
    assert_eq!(ended.taken.0.values().filter(|it| it.is_ok()).count(), 7);
    // One chunk, four pieces of it, the two units of one piece, and the bad one once more.
    assert_eq!(ended.chunks, 1 + 4 + 2 + 1);
}

#[test]
fn machines_that_cannot_do_anything_end_the_run() {
    let ended = run(8, 4, 0, &|_| Act::Failed);
    let error = ended.result.unwrap_err();
    assert_eq!(error.to_string(), "no job can grade: on n1: no sandbox");
    assert!(ended.taken.0.is_empty());
    // One bad machine among good ones does not.
    run(8, 4, 0, &|chunk| if chunk.number == 2 { Act::Failed } else { Act::Done })
        .assert_complete(8);
}

#[test]
fn a_person_may_cancel() {
    let ended = run(3, 3, 0, &|chunk| if chunk.number == 2 { Act::Cancelled } else { Act::Done });
    assert!(matches!(ended.result, Err(JobsError::Cancelled)));
}

#[test]
fn an_engine_that_does_not_answer_is_asked_again() {
    // A job without a result is why the engine is asked at all.
    let ended = run(2, 1, 3, &|chunk| if chunk.attempt == 0 { Act::Nothing } else { Act::Done });
    ended.assert_complete(2);
    let said = ended.troubles.iter().filter(|it| it.contains("connection refused")).count();
    assert_eq!(said, 1, "{:?}", ended.troubles);
}
