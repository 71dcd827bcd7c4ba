//! Builds fixtures and runs every check on them.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::Path;

use softmark_checks::check::without_defects;
use softmark_checks::{CheckError, margin};
use softmark_exam::{Suite, SuiteCheck};
use softmark_sandbox::{Limits, Sandbox};
use tempfile::TempDir;
use thiserror::Error;

use crate::audit::matrix::Verdict;
use crate::audit::results::{Examined, Judged, verdict};
use crate::audit::seen::FixtureResult;
use crate::build::{BuildError, Pack, Source};
use crate::diagnose::{Named, contradictions, name_mistakes, recognised};
use crate::examine::{Counterpart, Examiner, Programs, Reference, Sessions, Trusted, TrustedError};
use crate::fixtures::{Expect, Fixture, Role};
use crate::pipeline::{FromThread, distribute};
use crate::session::Budget;

/// Error that stops an audit.
#[derive(Debug, Error)]
pub enum AuditError {
    /// A fixture could not be compiled because the machine failed.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A fixture does not compile, which is an error of the project.
    #[error("the fixture `{name}` does not compile:\n{message}")]
    Fixture {
        /// Name of the fixture.
        name: String,
        /// Output of the compiler.
        message: String,
    },
    /// A check could not be run.
    #[error("{name}: {source}")]
    Check {
        /// Name of the fixture.
        name: String,
        /// Reason why the check could not be run.
        source: CheckError,
    },
    /// A folder could not be written, or a thread could not be started.
    #[error("cannot write, or start a thread: {0}")]
    Io(#[from] io::Error),
}

/// Progress event of an audit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// A fixture is being compiled.
    Compiling(&'a str),
    /// A check is being run on a fixture.
    Asking(&'a str, &'static str),
    /// All checks have been run on a fixture.
    Done(&'a str),
}

/// Environment in which fixtures are built and checked.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// Starts compilers and workers.
    pub sandbox: &'a Sandbox,
    /// Prebuilt dependencies that fixtures are compiled against.
    pub pack: &'a Pack,
    /// Folder in which fixtures are compiled.
    pub scratch: &'a Path,
    /// Checks to run.
    pub suite: &'a Suite,
    /// Resource limits of a worker.
    pub limits: &'a Limits,
}

/// Fixture whose programs are built.
#[derive(Clone, Copy)]
pub(super) struct Member<'a> {
    pub(super) fixture: &'a Fixture,
    programs: &'a Programs,
    control: Option<&'a Path>,
}

/// Work with one fixture after another, which may emit events.
type Work<'a, R> =
    dyn Fn(Member<'_>, &mut dyn FnMut(Event<'_>)) -> Result<R, AuditError> + Sync + 'a;

impl Bench<'_> {
    /// Runs every check of the suite on every fixture and seed, `jobs` fixtures at a time; `tell` receives
    /// the events. The results are in the order of the fixtures.
    ///
    /// # Errors
    ///
    /// When the grader's side fails, or a fixture does not compile.
    pub fn audit(
        &self,
        fixtures: &[Fixture],
        seeds: &[u64],
        jobs: NonZeroUsize,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<FixtureResult>, AuditError> {
        let work =
            |member: Member<'_>, tell: &mut dyn FnMut(Event<'_>)| self.ask_all(member, seeds, tell);
        let examined = self.for_each(fixtures, jobs, &work, tell)?;
        let each = fixtures.iter().zip(examined);
        Ok(each.map(|(fixture, examined)| FixtureResult::of(fixture, &examined)).collect())
    }

    /// Builds a fixture, runs every check of the suite on it with each of the seeds, and names the mistakes
    /// of a mutant.
    ///
    /// # Errors
    ///
    /// When the grader's side fails, or the fixture does not compile.
    pub fn examine(
        &self,
        fixture: &Fixture,
        seeds: &[u64],
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Examined, AuditError> {
        let work =
            |member: Member<'_>, tell: &mut dyn FnMut(Event<'_>)| self.ask_all(member, seeds, tell);
        let mut examined = self.for_group(&[fixture], &work, tell)?;
        Ok(examined.pop().unwrap_or_default())
    }

    /// Builds fixtures and does `work` with each, `jobs` at a time; returns the results in the order of the fixtures.
    pub(super) fn for_each<R: Send>(
        &self,
        fixtures: &[Fixture],
        jobs: NonZeroUsize,
        work: &Work<'_, R>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<R>, AuditError> {
        let mut all = BTreeMap::new();
        let groups = groups(fixtures, jobs);
        let places = |at: usize| groups.get(at).into_iter().flatten().copied();
        let of_group = |group: &Vec<usize>, tell: &mut dyn FnMut(Told)| {
            let members: Vec<&Fixture> = group.iter().filter_map(|at| fixtures.get(*at)).collect();
            self.for_group(&members, work, &mut |event| tell(Told::of(event)))
        };
        let hear = |said: FromThread<Told, Result<Vec<R>, AuditError>>| -> Result<(), AuditError> {
            match said {
                FromThread::Told(told) => tell(told.event()),
                FromThread::Done(at, results) => all.extend(places(at).zip(results?)),
            }
            Ok(())
        };
        distribute(&groups, jobs, of_group, hear)?;
        Ok(all.into_values().collect())
    }

    /// Builds fixtures as one file, and does `work` with one after another.
    fn for_group<R>(
        &self,
        fixtures: &[&Fixture],
        work: &Work<'_, R>,
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<R>, AuditError> {
        if let Some(first) = fixtures.first() {
            tell(Event::Compiling(&first.name));
        }
        let folder = TempDir::new_in(self.scratch)?;
        let built = self.compile(fixtures, folder.path())?;
        let reference = Reference::new(self.pack, self.suite, folder.path());
        let mut all = Vec::new();
        for (index, fixture) in fixtures.iter().enumerate() {
            if index > 0 {
                tell(Event::Compiling(&fixture.name));
            }
            let programs = &built.programs(index);
            let done = reference
                .as_control(|control| work(Member { fixture, programs, control }, tell))?;
            all.push(done);
            tell(Event::Done(&fixture.name));
        }
        Ok(all)
    }

    /// Runs every check on a fixture.
    fn ask_all(
        &self,
        member: Member<'_>,
        seeds: &[u64],
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Examined, AuditError> {
        let fixture = member.fixture;
        let name = fixture.name.as_str();
        let broken = |source| AuditError::Check { name: name.to_owned(), source };
        let mut examined = Examined::default();
        for &seed in seeds {
            // A worker has so much processor time for all that it is asked, as in grading.
            let mut sessions = self.sessions(member);
            let mut failed = Vec::new();
            for entry in (self.suite.checks)() {
                tell(Event::Asking(name, entry.check.id));
                let judged = judged(&entry, &mut sessions, seed).map_err(broken)?;
                if verdict(&judged.outcome) == Verdict::Fails {
                    failed.push(entry);
                }
                examined.judged.push(judged);
            }
            if let Role::Mutant(expect) = &fixture.role
                && seed == Expect::SEED
            {
                examined.named = self.named(&failed, &mut sessions).map_err(broken)?;
                let id = expect.mistake.as_deref();
                if let Some(id) = id.filter(|id| !examined.named.values().any(|it| it == id)) {
                    let against = self.against(id, &expect.task, &mut sessions);
                    examined.against = against.map_err(broken)?;
                }
                let recognised = self.recognised(&expect.task, &mut sessions);
                examined.recognised = recognised.map_err(broken)?;
                let recording = self.recording_state(member, expect);
                examined.recording = recording.map_err(broken)?;
            }
        }
        Ok(examined)
    }

    /// Builds the programs that the suite's checks run, for all fixtures.
    fn compile(&self, fixtures: &[&Fixture], folder: &Path) -> Result<Trusted, AuditError> {
        let programs = (self.suite.programs)();
        let sources: Vec<&Source> = fixtures.iter().map(|fixture| &fixture.source).collect();
        Trusted::build(self.pack, &sources, programs, folder).map_err(|error| match error {
            TrustedError::Build(error) => error.into(),
            TrustedError::Member { member, message } => {
                let name = fixtures.get(member).map_or("", |fixture| &fixture.name).to_owned();
                AuditError::Fixture { name, message }
            }
        })
    }

    pub(super) fn sessions(&self, member: Member<'_>) -> Sessions<Counterpart> {
        let Member { fixture, programs, control } = member;
        let (sandbox, suite, checks) = (self.sandbox, self.suite, self.limits);
        let examiner = Examiner { sandbox, suite, checks, training: None };
        examiner.sessions(programs, &fixture.answers, &Budget::unlimited(), control)
    }

    /// The questions on which no imitation of a mistake answers as the fixture does.
    fn against(
        &self,
        mistake: &str,
        task: &str,
        sessions: &mut Sessions<Counterpart>,
    ) -> Result<Vec<String>, CheckError> {
        let session = sessions.diagnosed(self.suite, task)?;
        let all = contradictions(self.suite, task, session)?;
        let of_mistake = all.into_iter().find(|(id, _)| *id == mistake);
        Ok(of_mistake.map(|(_, questions)| questions).unwrap_or_default())
    }

    /// The mistake that students' own checks recognise in a task.
    fn recognised(
        &self,
        task: &str,
        sessions: &mut Sessions<Counterpart>,
    ) -> Result<Option<String>, CheckError> {
        let session = sessions.diagnosed(self.suite, task)?;
        without_defects(task, || recognised(self.suite, task, session))
    }

    /// The mistakes behind the checks that fell, task by task.
    fn named(
        &self,
        failed: &[SuiteCheck],
        sessions: &mut Sessions<Counterpart>,
    ) -> Result<Named, CheckError> {
        let mut by_task: BTreeMap<&str, Vec<SuiteCheck>> = BTreeMap::new();
        for entry in failed {
            by_task.entry(entry.check.task()).or_default().push(*entry);
        }
        let mut named = Named::new();
        for (task, of_task) in by_task {
            let session = sessions.diagnosed(self.suite, task)?;
            let name = || name_mistakes(self.suite, task, &of_task, session);
            named.extend(without_defects(task, name)?);
        }
        Ok(named)
    }
}

/// Runs one check on a fixture.
fn judged(
    entry: &SuiteCheck,
    sessions: &mut Sessions<Counterpart>,
    seed: u64,
) -> Result<Judged, CheckError> {
    let (answered, share) = margin::watch(|| sessions.ask(entry, seed));
    Ok(Judged { check: entry.check.id, seed, outcome: answered?.outcome, share })
}

/// Places of fixtures that are built together. What the project did not write for this, such as an attack, is
/// built alone: it may declare what would be in the processes of the others.
fn groups(fixtures: &[Fixture], jobs: NonZeroUsize) -> Vec<Vec<usize>> {
    let (alone, together): (Vec<usize>, Vec<usize>) = (0..fixtures.len())
        .partition(|at| fixtures.get(*at).is_some_and(|it| it.role == Role::Idle));
    // Every thread gets its share.
    let size = together.len().div_ceil(jobs.get()).clamp(1, Trusted::MOST);
    let together = together.chunks(size).map(<[usize]>::to_vec);
    together.chain(alone.into_iter().map(|at| vec![at])).collect()
}

/// Message of a thread: an [`Event`] that owns its data.
enum Told {
    Compiling(String),
    Asking(String, &'static str),
    Done(String),
}

impl Told {
    fn of(event: Event<'_>) -> Self {
        match event {
            Event::Compiling(name) => Self::Compiling(name.to_owned()),
            Event::Asking(name, check) => Self::Asking(name.to_owned(), check),
            Event::Done(name) => Self::Done(name.to_owned()),
        }
    }

    fn event(&self) -> Event<'_> {
        match self {
            Self::Compiling(name) => Event::Compiling(name),
            Self::Asking(name, check) => Event::Asking(name, check),
            Self::Done(name) => Event::Done(name),
        }
    }
}
