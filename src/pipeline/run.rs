//! Grading of many submissions in parallel.

use std::any::Any;
use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use softmark_sandbox::Sandbox;
use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::build::Pack;
use crate::digest;
use crate::examine::Reference;
use crate::model::Record;
use crate::pipeline::archive::{Archive, ArchiveError};
use crate::pipeline::basis::{Basis, RunBasis, needs_program};
use crate::pipeline::done::{Done, broken};
use crate::pipeline::event::Event;
use crate::pipeline::key::RunKey;
use crate::pipeline::pseudonym::pseudonyms;
use crate::pipeline::queue::{FromThread, distribute};
use crate::pipeline::reuse::Forced;
use crate::pipeline::scratch::Scratch;
use crate::pipeline::submission::RunContext;
use crate::pipeline::survey::{Assigned, Entry, Graded, Survey};
use crate::store::SavedVersion;

/// Options of a grading run.
#[derive(Debug)]
pub struct Options {
    /// Path of the grader's own program.
    pub program: PathBuf,
    /// Folder in which submissions are compiled and run.
    pub scratch: Scratch,
    /// Seed of all random inputs.
    pub seed: u64,
    /// Secret of the course; the seeds of trainings and the pseudonyms on the leaderboard depend on
    /// it.
    pub secret: String,
    /// Device that candle computes on.
    pub device: String,
    /// Glob of the checks that the survey selected; `None` for all.
    pub only: Option<String>,
    /// True to reuse no result of an earlier run.
    pub fresh: bool,
    /// Checks that are run again whatever their keys say, by submission.
    pub forced: Forced,
    /// True to return of each record only what is shown of a class; whole records are stored.
    pub brief: bool,
}

/// Error that ends a grading run early.
#[derive(Debug, Error)]
pub enum PipelineError {
    /// The grader's own program cannot be read.
    #[error("cannot read the grader's own program {}: {source}", path.display())]
    Program {
        /// Path of the program.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// A thread could not be started.
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
    /// A record could not be stored.
    #[error(transparent)]
    Archive(#[from] ArchiveError),
    /// Submissions were left without a record.
    #[error("a thread of the grader ended before its time; {left} submissions were left")]
    Left {
        /// Number of submissions without a record.
        left: usize,
    },
}

/// Grading run that is set up: submissions can be graded, all or some of them.
#[derive(Debug)]
pub struct GradingRun<'a> {
    context: RunContext<'a>,
}

impl<'a> GradingRun<'a> {
    /// Sets up a run of the submissions of `survey`; records are stored in `archive`.
    ///
    /// # Errors
    ///
    /// Fails if the grader's own program cannot be read.
    pub fn new(
        survey: &Survey,
        (sandbox, pack): (&'a Sandbox, &'a Pack),
        options: &'a Options,
        archive: Option<Archive>,
    ) -> Result<Self, PipelineError> {
        let run_key = RunKey {
            pack: pack.key(),
            compiler: pack.compiler(),
            seed: options.seed,
            secret: &options.secret,
            device: &options.device,
            sandbox: sandbox.level().as_str(),
        };
        let names: Vec<&str> =
            survey.entries.iter().map(|entry| entry.candidate.name.as_raw()).collect();
        let all = survey.graded();
        let assigned = all.iter().filter_map(|it| it.entry.assigned());
        let suites = assigned.map(|assigned| assigned.suite);
        let reference = |suite| Reference::new(pack, suite, options.scratch.path());
        let context = RunContext {
            sandbox,
            pack,
            archive: archive.map(Mutex::new),
            bases: bases(survey, &run_key.text(), options)?,
            forced: &options.forced,
            scratch: &options.scratch,
            seed: options.seed,
            training_seed: training_seed(options.seed, &options.secret),
            references: suites.map(|suite| (suite.id, reference(suite))).collect(),
            pseudonyms: pseudonyms(&options.secret, options.seed, &names),
            look: !options.fresh,
            brief: options.brief,
        };
        Ok(Self { context })
    }

    /// Grades some entries on `threads` threads, in any order; `hear` gets the messages and the results, on the calling thread.
    ///
    /// # Errors
    ///
    /// Returns the error of `hear`, or an error if a thread cannot be started.
    pub(crate) fn grade<E: From<io::Error>>(
        &self,
        entries: &[&Entry],
        threads: NonZeroUsize,
        hear: impl FnMut(FromThread<Event, Done>) -> Result<(), E>,
    ) -> Result<(), E> {
        let grade = |entry: &&Entry, tell: &mut dyn FnMut(Event)| {
            guarded(|| self.context.grade(entry, tell))
                .unwrap_or_else(|reason| self.ungraded(entry, reason.into()))
        };
        distribute(entries, threads, grade, hear)
    }

    /// Grades all submissions of the survey and their earlier versions on `threads` threads. Returns the records of the submissions
    /// in the survey's order; each is stored as soon as it is complete.
    ///
    /// # Errors
    ///
    /// Fails if the machine or the archive fails; problems of a single submission are part of its record.
    pub fn grade_all(
        &self,
        survey: &Survey,
        threads: NonZeroUsize,
        events: &mut dyn FnMut(Event),
    ) -> Result<Vec<Record>, PipelineError> {
        let all = survey.graded();
        let entries: Vec<&Entry> = all.iter().map(|it| it.entry).collect();
        let mut records: BTreeMap<usize, Record> = BTreeMap::new();
        let hear = |said| self.hear(said, &all, (&mut records, events));
        self.grade(&entries, threads, hear)?;
        match all.len() - records.len() {
            // The submissions come before their earlier versions.
            0 => Ok(records.into_values().take(survey.entries.len()).collect()),
            left => Err(PipelineError::Left { left }),
        }
    }

    /// Passes an event on, or stores a record of one of `all` and adds it to `records`.
    fn hear(
        &self,
        said: FromThread<Event, Done>,
        all: &[Graded<'_>],
        (records, events): (&mut BTreeMap<usize, Record>, &mut dyn FnMut(Event)),
    ) -> Result<(), PipelineError> {
        match said {
            FromThread::Told(event) => events(event),
            FromThread::Done(at, done) => {
                let version = all.get(at).map_or(SavedVersion::Latest, |it| it.version);
                records.insert(at, self.keep((done, version), events)?);
            }
        }
        Ok(())
    }

    /// Returns the record of an entry if no code has to run for it: it is not a submission that can be graded, or an earlier run
    /// has graded it.
    pub(crate) fn settled(&self, entry: &Entry) -> Option<Done> {
        guarded(|| self.context.settled(entry))
            .unwrap_or_else(|reason| Some(self.ungraded(entry, reason.into())))
    }

    /// Returns the record of an entry that cannot be graded for this reason, which is not the student's.
    pub(crate) fn ungraded(&self, entry: &Entry, reason: Untrusted) -> Done {
        broken(entry, self.context.seed, reason)
    }

    /// Stores a record that is complete, reports it, and returns what the run keeps of it.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be stored.
    pub(crate) fn keep(
        &self,
        (done, version): (Done, SavedVersion),
        events: &mut dyn FnMut(Event),
    ) -> Result<Record, PipelineError> {
        let Done { mut record, keys, cached, reused, timings } = done;
        if let Some(archive) = &self.context.archive {
            let mut archive = archive.lock().unwrap_or_else(PoisonError::into_inner);
            archive.keep(version, &keys, &mut record)?;
        }
        events(Event::Finished {
            submission: record.submission.clone(),
            version,
            outcome: record.outcome,
            points: record.points,
            max_points: record.max_points,
            cached,
            checks: record.tasks.iter().map(|task| task.checks.len()).sum(),
            reused,
            timings,
        });
        Ok(if self.context.brief { record.brief() } else { record })
    }
}

/// Returns the keys of the results, by the id of the assignment.
fn bases(
    survey: &Survey,
    run: &str,
    options: &Options,
) -> Result<BTreeMap<String, Basis>, PipelineError> {
    let all = survey.graded();
    let assigned = all.iter().filter_map(|it| it.entry.assigned());
    let assigned = assigned.map(|it| (it.assignment.id.as_str(), it));
    let assigned: BTreeMap<&str, &Assigned> = assigned.collect();
    let is_needed = assigned.values().any(|it| needs_program(it.suite));
    let failed = |source| PipelineError::Program { path: options.program.clone(), source };
    let program =
        is_needed.then(|| digest::of_file(&options.program)).transpose().map_err(failed)?;
    let program = program.unwrap_or_default();
    let run = RunBasis { run, program: &program, only: options.only.as_deref() };
    let each = assigned.into_iter();
    Ok(each.map(|(id, assigned)| (id.to_owned(), Basis::of(run, assigned))).collect())
}

/// Computes the seed of everything about training: data, initial parameters, orders. The grader's
/// source alone does not reveal which examples will be asked about.
fn training_seed(seed: u64, secret: &str) -> u64 {
    let pieces = [b"training".as_slice(), secret.as_bytes(), &seed.to_le_bytes()];
    let text = digest::of(&pieces);
    text.get(..16).and_then(|start| u64::from_str_radix(start, 16).ok()).unwrap_or(seed)
}

/// Runs `action`; returns its result, or the message of its panic.
fn guarded<T>(action: impl FnOnce() -> T) -> Result<T, String> {
    // The state that a panic leaves behind is not used again: a lock is recovered by the next
    // thread, and the data behind it is never left half changed.
    catch_unwind(AssertUnwindSafe(action)).map_err(|panic| {
        let said = message(&*panic);
        format!("the grader panicked ({said}); this is a bug in the grader, please report it")
    })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_secret_changes_the_training_and_nothing_else() {
        assert_eq!(training_seed(7, "a"), training_seed(7, "a"));
        assert_ne!(training_seed(7, "a"), training_seed(7, "b"));
        assert_ne!(training_seed(7, "a"), training_seed(8, "a"));
        assert_ne!(training_seed(7, "a"), 7);
    }

    #[test]
    fn a_panic_is_a_reason() {
        assert_eq!(guarded(|| 3), Ok(3));
        let reason = guarded(|| panic!("index {} is too large", 7)).unwrap_err();
        assert!(reason.contains("index 7 is too large"), "{reason}");
        assert!(guarded(|| panic!("plain")).unwrap_err().contains("(plain)"));
    }
}
