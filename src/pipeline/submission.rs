//! Grading of one submission, from its files to its record.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use softmark_checks::CheckError;
use softmark_exam::{Program, Suite};
use softmark_sandbox::{Level, Sandbox};
use softmark_untrusted::Untrusted;
use tempfile::TempDir;
use thiserror::Error;

use crate::assignment::Assignment;
use crate::build::{BuildError, Built, Compiled, Pack, ProgramSpec, Salvaged};
use crate::clock::{self, Clock};
use crate::diagnose::name_within;
use crate::examine::{Ended, Examiner, Programs, Reference};
use crate::intake::{self, Opened, Rejection, Submission};
use crate::model::{Record, RecordOutcome, Usage};
use crate::pipeline::archive::{Archive, ArchiveError};
use crate::pipeline::basis::Basis;
use crate::pipeline::broken::{mark_broken, note_of};
use crate::pipeline::chain::chain;
use crate::pipeline::conduct::{Conducted, Course, conduct};
use crate::pipeline::done::{Done, reassembled, reused, unkept};
use crate::pipeline::draft::{Draft, empty};
use crate::pipeline::event::Event;
use crate::pipeline::replay::Replay;
use crate::pipeline::reuse::{Forced, Reuse, keys_of};
use crate::pipeline::scratch::Scratch;
use crate::pipeline::survey::{Assigned, Entry, Treatment};
use crate::pipeline::timings::{Phase, Timings};
use crate::score::Sheet;
use crate::session::{Budget, WorkerProgram};
use crate::store::{KeyedRecord, RecordKeys};

/// Number of bytes that are kept of a submission's output: its end.
const LOG_BYTES: usize = 4096;

/// Grading context that all submissions of a run share.
#[derive(Debug)]
pub(crate) struct RunContext<'a> {
    pub(crate) sandbox: &'a Sandbox,
    pub(crate) pack: &'a Pack,
    /// Archive of records; `None` if records are not stored.
    pub(crate) archive: Option<Mutex<Archive>>,
    /// Keys of the results, by the id of the assignment.
    pub(crate) bases: BTreeMap<String, Basis>,
    /// Checks that are run again whatever their keys say, by submission.
    pub(crate) forced: &'a Forced,
    pub(crate) scratch: &'a Scratch,
    pub(crate) seed: u64,
    /// Seed of everything about training, see [`Course::training_seed`].
    pub(crate) training_seed: u64,
    /// Programs of the solutions, by the id of the assignment.
    pub(crate) references: BTreeMap<&'static str, Reference<'a>>,
    /// Pseudonyms for the leaderboard, by submission name.
    pub(crate) pseudonyms: BTreeMap<String, String>,
    /// True to reuse earlier records.
    pub(crate) look: bool,
    /// True to keep of each record only what is shown of a class.
    pub(crate) brief: bool,
}

/// Submission that was read.
enum Begun {
    /// It has its record: it was rejected, or an earlier run has graded it.
    Settled(Box<Done>),
    /// It is to be graded, as far as there are no earlier results.
    Open { submission: Box<Submission>, reuse: Reuse },
}

/// Reason for a missing grade, for a person; never the student's fault.
struct NoGrade(Untrusted);

/// Error of the grader's side while a submission's programs are asked.
#[derive(Debug, Error)]
enum ExamineError {
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Check(#[from] CheckError),
}

impl<E: Error> From<E> for NoGrade {
    fn from(error: E) -> Self {
        Self(chain(&error).into())
    }
}

impl RunContext<'_> {
    /// Grades one submission.
    pub(crate) fn grade(&self, entry: &Entry, tell: &mut dyn FnMut(Event)) -> Done {
        let (clock, cpu) = (Clock::start(), clock::thread_cpu());
        tell(Event::Started { submission: entry.candidate.name.clone() });
        let draft = match self.draft(entry) {
            Ok(draft) => draft,
            Err(done) => return *done,
        };
        let mut done = self
            .grade_assigned(&draft, tell)
            .unwrap_or_else(|NoGrade(reason)| unkept(draft.no_grade(reason)));
        if let Some(usage) = &mut done.record.usage {
            usage.cpu += clock::thread_cpu().saturating_sub(cpu);
            usage.wall = clock.elapsed();
        }
        done
    }

    /// Returns the record of a submission if no code has to run for it.
    pub(crate) fn settled(&self, entry: &Entry) -> Option<Done> {
        let draft = match self.draft(entry) {
            Ok(draft) => draft,
            Err(done) => return Some(*done),
        };
        match self.open(&draft) {
            Ok(Begun::Settled(done)) => Some(*done),
            Ok(Begun::Open { .. }) => None,
            Err(NoGrade(reason)) => Some(unkept(draft.no_grade(reason))),
        }
    }

    /// Returns the draft of the record of an entry that can be graded, or else its record.
    fn draft<'e>(&'e self, entry: &'e Entry) -> Result<Draft<'e>, Box<Done>> {
        let without = |outcome, reason: &Untrusted| {
            Err(Box::new(unkept(empty(entry, outcome, reason.clone()))))
        };
        let assigned = match &entry.treatment {
            Treatment::Assigned(assigned) => assigned,
            Treatment::Rejected(reason) => return without(RecordOutcome::Rejected, reason),
            Treatment::NoGrade(reason) => return without(RecordOutcome::NoGrade, reason),
        };
        let replay = Replay {
            path: &entry.candidate.path,
            assignment: entry.given.as_deref(),
            seed: self.seed,
        };
        let pseudonym = self.pseudonyms.get(entry.candidate.name.as_raw());
        let pseudonym = pseudonym.map(String::as_str).unwrap_or_default();
        Ok(Draft { entry, assigned, replay, pseudonym })
    }

    /// Reads a submission, and looks for its record of an earlier run.
    fn open(&self, draft: &Draft<'_>) -> Result<Begun, NoGrade> {
        let assignment = &draft.assigned.assignment;
        let submission = match intake::read(&draft.entry.candidate, assignment)? {
            Opened::Accepted(submission) => submission,
            Opened::Rejected(Rejection { reason, sha256 }) => {
                let sheet = draft.sheet("the submission was not accepted");
                let record = draft.record(RecordOutcome::Rejected, &sheet);
                let record = Record { reason: Some(reason), sha256: sha256.into(), ..record };
                return Ok(Begun::Settled(Box::new(unkept(record))));
            }
        };
        let basis = self.basis(assignment)?;
        let forced = self.forced.get(&submission.name).filter(|checks| !checks.is_empty());
        let key = basis.record(&submission.sha256);
        if forced.is_none()
            && let Some(earlier) = self.earlier(|archive| archive.cached(&key))?.flatten()
        {
            let KeyedRecord { record, checks } = earlier;
            let record = draft.adopt(record, submission);
            let keys = RecordKeys { record: key, checks };
            return Ok(Begun::Settled(Box::new(reused(record, keys))));
        }
        let earlier = self.earlier(|archive| archive.keyed(&submission.sha256, &assignment.id))?;
        let reuse = Reuse::of(earlier.unwrap_or_default(), assignment, basis, forced);
        if !reuse.is_empty() && reuse.is_complete(draft.assigned, basis) {
            let done = reassembled(draft, (submission, basis), &reuse);
            return Ok(Begun::Settled(Box::new(done)));
        }
        Ok(Begun::Open { submission: Box::new(submission), reuse })
    }

    fn grade_assigned(
        &self,
        draft: &Draft<'_>,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Done, NoGrade> {
        let Assigned { assignment, suite } = draft.assigned;
        let (submission, reuse) = match self.open(draft)? {
            Begun::Settled(done) => return Ok(*done),
            Begun::Open { submission, reuse } => (*submission, reuse),
        };
        let basis = self.basis(assignment)?;
        let mut timings = Timings::default();
        tell(Event::Compiling { submission: submission.name.clone() });
        let scratch = self.scratch()?;
        let programs = (suite.programs)();
        let specs: Vec<ProgramSpec> = programs.iter().map(|(_, spec)| spec.clone()).collect();
        let skeleton = &assignment.skeleton;
        let compiled =
            self.pack.compile_or_replace(&submission.files, skeleton, &specs, scratch.path());
        let Salvaged { built, broken } = match compiled.map_err(not_compiled)? {
            Compiled::Built(salvaged) => salvaged,
            Compiled::Faulty(fault) => {
                timings.add(Phase::Compile, fault.usage.wall);
                let record = draft.unbuilt(fault, submission);
                let keys = RecordKeys::whole(&basis.record(record.sha256.as_raw()));
                return Ok(Done { record, keys, cached: false, reused: 0, timings });
            }
        };
        timings.add_build(&built);
        let mut programs = worker_programs(&programs, &built);
        let own = Reference::new(self.pack, suite, scratch.path());
        // Code that is not isolated can replace a file that others need.
        let is_isolated = self.sandbox.level() > Level::None;
        let reference = if is_isolated { self.reference(suite)? } else { &own };
        if is_trained(assignment) {
            programs.insert(Program::Reference, WorkerProgram::new(reference.program()?));
        }
        let mut examine = |reuse: &Reuse| {
            reference.as_control(|control| -> Result<Found, ExamineError> {
                Ok(self.conduct(draft, &submission, (&programs, control), reuse, tell)?)
            })
        };
        // A file that was replaced has an influence on the messages of all checks.
        let reuse = if broken.is_empty() { reuse } else { Reuse::default() };
        let mut found = examine(&reuse)?;
        let is_entangled = found.conducted.is_entangled && !reuse.is_empty();
        let reuse = if is_entangled { Reuse::default() } else { reuse };
        if is_entangled {
            found = examine(&reuse)?;
        }
        mark_broken(&mut found.conducted.outcomes, &broken, skeleton);
        let Conducted {
            outcomes,
            mistakes,
            matrices,
            models,
            trainings,
            failed,
            is_entangled,
            timings: checked,
        } = found.conducted;
        timings.extend(&checked);
        let mut reused = reuse.records();
        reused.retain(|id, _| !outcomes.contains_key(id));
        let count = reused.len();
        let sheet = Sheet { outcomes, reused, mistakes, matrices, ..draft.sheet("not run") };
        let usage = Some(built.usage.and(found.usage));
        let record = draft.record(RecordOutcome::Graded, &sheet);
        let notes = record.notes.into_iter().chain(broken.iter().map(note_of)).collect();
        let log = if reuse.is_empty() { end_of(&found.log).into() } else { reuse.log() };
        // What was run is a part of what grading this submission costs.
        let usage = usage.filter(|_| reuse.is_empty());
        let record = Record { models, trainings, notes, log, usage, ..record };
        let record = draft.named(record, submission);
        let is_independent = broken.is_empty() && !is_entangled;
        let keys = keys_of(basis, &record, &failed, is_independent);
        Ok(Done { record, keys, cached: false, reused: count, timings })
    }

    /// Creates a folder for compiled files, which is removed on drop.
    fn scratch(&self) -> Result<TempDir, NoGrade> {
        self.scratch.folder().map_err(|error| {
            let (folder, why) = (self.scratch.path().display(), error.kind());
            let text = format!("cannot write in {folder}: {why}; set TMPDIR to a folder with room");
            NoGrade(text.into())
        })
    }

    fn reference(&self, suite: &Suite) -> Result<&Reference<'_>, NoGrade> {
        let missing = || NoGrade(format!("the run has no reference of `{}`", suite.id).into());
        self.references.get(suite.id).ok_or_else(missing)
    }

    fn basis(&self, assignment: &Assignment) -> Result<&Basis, NoGrade> {
        let missing = || NoGrade(format!("the run has no keys of `{}`", assignment.id).into());
        self.bases.get(&assignment.id).ok_or_else(missing)
    }

    /// Looks something up in earlier runs; `None` if they are not to be used.
    fn earlier<T>(
        &self,
        find: impl FnOnce(&Archive) -> Result<T, ArchiveError>,
    ) -> Result<Option<T>, NoGrade> {
        match &self.archive {
            Some(archive) if self.look => {
                Ok(Some(find(&archive.lock().unwrap_or_else(PoisonError::into_inner))?))
            }
            Some(_) | None => Ok(None),
        }
    }

    fn conduct(
        &self,
        draft: &Draft<'_>,
        submission: &Submission,
        (programs, control): (&Programs, Option<&Path>),
        reuse: &Reuse,
        tell: &mut dyn FnMut(Event),
    ) -> Result<Found, CheckError> {
        let Assigned { assignment, suite } = draft.assigned;
        let missing = || CheckError::Inputs {
            check: assignment.id.clone(),
            reason: "the run has no keys of the assignment".to_owned(),
        };
        let basis = self.bases.get(&assignment.id).ok_or_else(missing)?;
        let budget = Budget::new(assignment.deadline);
        let training = assignment.training.as_ref().map(|rules| &rules.limits);
        let checks = &assignment.worker;
        let examiner = Examiner { sandbox: self.sandbox, suite, checks, training };
        let mut sessions = examiner.sessions(programs, &submission.answers, &budget, control);
        let mut told = |check| {
            let submission = draft.entry.candidate.name.clone();
            tell(Event::Checking { submission, check });
        };
        let course = Course {
            assignment,
            suite,
            uploads: &submission.uploads,
            diagnose: name_within,
            seed: self.seed,
            training_seed: self.training_seed,
            budget: &budget,
            reuse,
            basis,
        };
        let conducted = conduct(course, &mut sessions, &mut told)?;
        let Ended { usage, log } = sessions.end()?;
        Ok(Found { conducted, usage, log })
    }
}

/// Results of a submission's checks, resource usage, and output of the code.
struct Found {
    conducted: Conducted,
    usage: Usage,
    log: Vec<u8>,
}

/// Returns the reason for a missing grade if the grader's side failed to compile.
fn not_compiled(error: BuildError) -> NoGrade {
    let is_io = matches!(error, BuildError::Io { .. });
    let NoGrade(reason) = error.into();
    let advice = "is there room, and may you write there? TMPDIR names another folder";
    NoGrade(if is_io { format!("{}; {advice}", reason.as_raw()).into() } else { reason })
}

/// True if a check of the assignment is about what was learned.
fn is_trained(assignment: &Assignment) -> bool {
    assignment.tasks.iter().flat_map(|task| &task.checks).any(|check| check.band.is_some())
}

fn worker_programs(programs: &[(Program, ProgramSpec)], built: &Built) -> Programs {
    let file = |spec: &ProgramSpec| built.programs.get(&spec.name).cloned();
    let each = programs.iter();
    each.filter_map(|(kind, spec)| Some((*kind, WorkerProgram::new(file(spec)?)))).collect()
}

/// Returns the end of the output, as text.
fn end_of(log: &[u8]) -> String {
    let mut end = log.get(log.len().saturating_sub(LOG_BYTES)..).unwrap_or_default();
    // Skip a truncated character: at most three continuation bytes.
    for _ in 0..3 {
        if log.len() > LOG_BYTES
            && let Some((0b1000_0000..=0b1011_1111, rest)) = end.split_first()
        {
            end = rest;
        }
    }
    String::from_utf8_lossy(end).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_of_a_log_begins_with_a_whole_character() {
        assert_eq!(end_of("naïve".as_bytes()), "naïve");
        for shift in 0..4 {
            let text = format!("{}{}", "語".repeat(LOG_BYTES), "a".repeat(shift));
            let end = end_of(text.as_bytes());
            assert!(text.ends_with(&end), "{shift}");
            assert!(end.len() <= LOG_BYTES && end.len() + 3 > LOG_BYTES, "{}", end.len());
        }
    }
}
