//! Builds fixtures and puts every check to them.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use softmark_checks::check::without_defects;
use softmark_checks::debugging::Files;
use softmark_checks::{CheckError, Outcome, Subject, margin};
use softmark_wire::Session;
use tempfile::TempDir;
use thiserror::Error;

use crate::audit::matrix::{Mutant, Right, Share, Verdict};
use crate::audit::message::Message;
use crate::build::{BuildError, Bundle, MemberFault, Pack, ProgramSpec, Source};
use crate::diagnose::{Named, contradictions, name_mistakes};
use crate::fixtures::{Expect, Fixture, Role};
use crate::pipeline::{Said, control, distribute};
use crate::sandbox::{Limits, Sandbox};
use crate::session::{NeedsControl, Remote};
use crate::suite::{Program, Suite, SuiteCheck};

/// An audit came to an end before its time.
#[derive(Debug, Error)]
pub enum AuditError {
    /// A fixture could not be compiled, for a reason of the machine's.
    #[error(transparent)]
    Build(#[from] BuildError),
    /// A fixture does not compile: it is the project's own.
    #[error("the fixture `{name}` does not compile:\n{message}")]
    Fixture {
        /// Its name.
        name: String,
        /// What the compiler says.
        message: String,
    },
    /// A check could not be carried out.
    #[error("{name}: {source}")]
    Check {
        /// On which fixture.
        name: String,
        /// Why not.
        source: CheckError,
    },
    /// A folder could not be written, or a thread not be started.
    #[error("cannot write, or start a thread: {0}")]
    Io(#[from] io::Error),
}

/// Most fixtures that are linked into one file.
const BUNDLED: usize = 12;

/// What goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Event<'a> {
    /// A fixture is being compiled.
    Compiling(&'a str),
    /// A check is being put to it.
    Asking(&'a str, &'static str),
    /// Everything was asked of it.
    Done(&'a str),
}

/// What fixtures are built and asked with.
#[derive(Debug, Clone, Copy)]
pub struct Bench<'a> {
    /// Starts compilers and workers.
    pub sandbox: &'a Sandbox,
    /// What is compiled against.
    pub pack: &'a Pack,
    /// Where it is compiled.
    pub scratch: &'a Path,
    /// What is asked.
    pub suite: &'a Suite,
    /// What a worker may use.
    pub limits: &'a Limits,
}

/// What came of a check.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The check's id.
    pub check: &'static str,
    /// Where its inputs came from.
    pub seed: u64,
    /// What came of it.
    pub outcome: Outcome,
    /// The largest share of a tolerance that an error took up; `None` where there was no tolerance.
    pub share: Option<f64>,
}

/// What came of everything that was asked of a fixture.
#[derive(Debug, Clone, PartialEq)]
pub struct Examined {
    /// By the order of the seeds and of the checks.
    pub judged: Vec<Judged>,
    /// The mistakes that were named, by check: of a mutant, on [its seed](Expect::SEED).
    pub named: Named,
    /// Questions whose answers contradict the mistake that a mutant makes; empty where the mistake is named.
    pub against: Vec<String>,
}

/// Observations of all fixtures, each list in their order.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Seen {
    /// Results of the mutants.
    pub mutants: Vec<Mutant>,
    /// Results of all other fixtures.
    pub right: Vec<Right>,
    /// Messages of all checks that do not pass.
    pub messages: Vec<Message>,
}

/// The programs of fixtures, in one file.
struct Programs {
    /// The file.
    program: PathBuf,
    /// Names of the programs, by kind.
    kinds: BTreeMap<Program, String>,
    /// A program without code of a fixture, if one of them needed it.
    control: Option<PathBuf>,
}

/// Sessions with the programs of one fixture.
struct Sessions {
    workers: BTreeMap<Program, Remote>,
    answers: Files,
}

impl Bench<'_> {
    /// Puts every check of the suite to every fixture on every seed, `jobs` of them at a time; `tell`
    /// hears what goes on.
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
    ) -> Result<Seen, AuditError> {
        let mut examined = BTreeMap::new();
        let groups = groups(fixtures, jobs);
        let work = |group: &Vec<usize>, tell: &mut dyn FnMut(Told)| {
            let members: Vec<&Fixture> = group.iter().filter_map(|at| fixtures.get(*at)).collect();
            self.examine_all(&members, seeds, &mut |event| tell(Told::of(event)))
        };
        let hear = |said: Said<Told, Result<Vec<Examined>, AuditError>>| -> Result<(), AuditError> {
            match said {
                Said::Told(told) => tell(told.event()),
                Said::Done(place, results) => {
                    let group = groups.get(place).into_iter().flatten();
                    examined.extend(group.copied().zip(results?));
                }
            }
            Ok(())
        };
        distribute(&groups, jobs, work, hear)?;
        let mut seen = Seen::default();
        for (fixture, examined) in fixtures.iter().zip(examined.into_values()) {
            seen.messages.extend(messages(&fixture.name, &examined));
            match &fixture.role {
                Role::Mutant(expect) => seen.mutants.push(mutant(&fixture.name, expect, &examined)),
                Role::Solution | Role::Alternative | Role::Idle => {
                    seen.right.push(of_right(&fixture.name, &examined));
                }
            }
        }
        Ok(seen)
    }

    /// Builds a fixture, puts every check of the suite to it on each of the seeds, and names the mistakes
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
        tell(Event::Compiling(&fixture.name));
        let folder = TempDir::new_in(self.scratch)?;
        let mut programs = self.compile(&[fixture], folder.path())?;
        self.ask_member(fixture, (&mut programs, 0), seeds, (folder.path(), tell))
    }

    /// Builds fixtures as one file, and examines one after another.
    fn examine_all(
        &self,
        fixtures: &[&Fixture],
        seeds: &[u64],
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Vec<Examined>, AuditError> {
        if let Some(first) = fixtures.first() {
            tell(Event::Compiling(&first.name));
        }
        let folder = TempDir::new_in(self.scratch)?;
        let mut programs = self.compile(fixtures, folder.path())?;
        let mut all = Vec::new();
        for (member, fixture) in fixtures.iter().enumerate() {
            if member > 0 {
                tell(Event::Compiling(&fixture.name));
            }
            let of_member = (&mut programs, member);
            all.push(self.ask_member(fixture, of_member, seeds, (folder.path(), tell))?);
            tell(Event::Done(&fixture.name));
        }
        Ok(all)
    }

    /// Runs every check on a member of a bundle; again, beside a program that is known to be right, if its
    /// processes do not start or end by themselves, as grading does.
    fn ask_member(
        &self,
        fixture: &Fixture,
        (programs, member): (&mut Programs, usize),
        seeds: &[u64],
        (folder, tell): (&Path, &mut dyn FnMut(Event<'_>)),
    ) -> Result<Examined, AuditError> {
        match self.ask_all(fixture, (programs, member), seeds, tell) {
            Err(AuditError::Check { source, .. }) if NeedsControl::is_below(&source) => {
                programs.control = Some(control(self.pack, folder)?);
                self.ask_all(fixture, (programs, member), seeds, tell)
            }
            examined => examined,
        }
    }

    /// Runs every check on member number `member` of a bundle.
    fn ask_all(
        &self,
        fixture: &Fixture,
        (programs, member): (&Programs, usize),
        seeds: &[u64],
        tell: &mut dyn FnMut(Event<'_>),
    ) -> Result<Examined, AuditError> {
        let name = fixture.name.as_str();
        let broken = |source| AuditError::Check { name: name.to_owned(), source };
        let mut examined =
            Examined { judged: Vec::new(), named: Named::new(), against: Vec::new() };
        for &seed in seeds {
            // A worker has so much processor time for all that it is asked, as in grading.
            let mut sessions = self.sessions((programs, member), fixture);
            let mut fallen = Vec::new();
            for entry in (self.suite.checks)() {
                tell(Event::Asking(name, entry.check.id));
                let judged = put(&entry, &mut sessions, seed).map_err(broken)?;
                if verdict(&judged.outcome) == Verdict::Falls {
                    fallen.push(entry);
                }
                examined.judged.push(judged);
            }
            if let Role::Mutant(expect) = &fixture.role
                && seed == Expect::SEED
            {
                examined.named = self.named(&fallen, &mut sessions).map_err(broken)?;
                let id = expect.mistake.as_deref();
                if let Some(id) = id.filter(|id| !examined.named.values().any(|it| it == id)) {
                    let against = self.against(id, &expect.task, &mut sessions);
                    examined.against = against.map_err(broken)?;
                }
            }
        }
        Ok(examined)
    }

    /// The programs that the suite's checks ask, of all fixtures.
    fn compile(&self, fixtures: &[&Fixture], folder: &Path) -> Result<Programs, AuditError> {
        // What is the grader's own throughout is asked nothing about a fixture.
        let programs = (self.suite.programs)();
        let asked = programs.into_iter().filter(|(kind, _)| *kind != Program::Reference);
        let asked: Vec<(Program, ProgramSpec)> = asked.collect();
        let specs: Vec<ProgramSpec> = asked.iter().map(|(_, spec)| spec.clone()).collect();
        let sources: Vec<&Source> = fixtures.iter().map(|fixture| &fixture.source).collect();
        let Bundle { program } = match self.pack.bundle(&sources, &specs, folder)? {
            Ok(bundle) => bundle,
            Err(MemberFault { member, fault }) => {
                let name = fixtures.get(member).map_or("", |fixture| &fixture.name).to_owned();
                return Err(AuditError::Fixture { name, message: fault.message });
            }
        };
        let kinds = asked.into_iter().map(|(kind, spec)| (kind, spec.name)).collect();
        Ok(Programs { program, kinds, control: None })
    }

    fn sessions(&self, (programs, member): (&Programs, usize), fixture: &Fixture) -> Sessions {
        let begin = |(kind, name): (&Program, &String)| {
            let program = programs.program.clone();
            let worker = Remote::new(self.sandbox.clone(), program, self.limits.clone());
            let worker = worker.with_control(programs.control.clone());
            (*kind, worker.entry(Bundle::entry(member, name)))
        };
        let workers = programs.kinds.iter().map(begin).collect();
        Sessions { workers, answers: Files::new(fixture.answers.clone()) }
    }

    /// The questions on which no imitation of a mistake answers as the fixture does.
    fn against(
        &self,
        mistake: &str,
        task: &str,
        sessions: &mut Sessions,
    ) -> Result<Vec<String>, CheckError> {
        let session = session(sessions, (self.suite.diagnosed_in)(task), task)?;
        let all = contradictions(self.suite, task, session)?;
        let of_mistake = all.into_iter().find(|(id, _)| *id == mistake);
        Ok(of_mistake.map(|(_, questions)| questions).unwrap_or_default())
    }

    /// The mistakes behind the checks that fell, task by task.
    fn named(&self, fallen: &[SuiteCheck], sessions: &mut Sessions) -> Result<Named, CheckError> {
        let mut by_task: BTreeMap<&str, Vec<SuiteCheck>> = BTreeMap::new();
        for entry in fallen {
            by_task.entry(entry.check.task()).or_default().push(*entry);
        }
        let mut named = Named::new();
        for (task, of_task) in by_task {
            let session = session(sessions, (self.suite.diagnosed_in)(task), task)?;
            let name = || name_mistakes(self.suite, task, &of_task, session);
            named.extend(without_defects(task, name)?);
        }
        Ok(named)
    }
}

/// Puts one check to a fixture.
fn put(entry: &SuiteCheck, sessions: &mut Sessions, seed: u64) -> Result<Judged, CheckError> {
    let check = entry.check.id;
    let mut subject = Subject::new(session(sessions, entry.program, check)?);
    let (outcome, share) = margin::watch(|| entry.check.ask(&mut subject, seed));
    Ok(Judged { check, seed, outcome: outcome?, share })
}

fn session<'a>(
    sessions: &'a mut Sessions,
    program: Program,
    asked_by: &str,
) -> Result<&'a mut dyn Session, CheckError> {
    if program == Program::Answers {
        return Ok(&mut sessions.answers);
    }
    match sessions.workers.get_mut(&program) {
        Some(worker) => Ok(worker),
        None => Err(CheckError::Inputs {
            check: asked_by.to_owned(),
            reason: format!("the suite has no program {program:?}"),
        }),
    }
}

/// Places of fixtures that are built together. What the project did not write for this, such as an attack, is
/// built alone: it may declare what would be in the processes of the others.
fn groups(fixtures: &[Fixture], jobs: NonZeroUsize) -> Vec<Vec<usize>> {
    let (alone, together): (Vec<usize>, Vec<usize>) = (0..fixtures.len())
        .partition(|at| fixtures.get(*at).is_some_and(|it| it.role == Role::Idle));
    // Every thread gets its share.
    let size = together.len().div_ceil(jobs.get()).clamp(1, BUNDLED);
    let together = together.chunks(size).map(<[usize]>::to_vec);
    together.chain(alone.into_iter().map(|at| vec![at])).collect()
}

/// What a thread has to say: an [`Event`] that outlives what it speaks of.
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

/// What is blocked does not fall: what it waits for does.
fn verdict(outcome: &Outcome) -> Verdict {
    match outcome {
        Outcome::Pass => Verdict::Passes,
        Outcome::Blocked { .. } => Verdict::Blocked,
        Outcome::Wrong { .. } | Outcome::NotImplemented { .. } | Outcome::Fault { .. } => {
            Verdict::Falls
        }
    }
}

fn messages(name: &str, examined: &Examined) -> Vec<Message> {
    let message = |Judged { check, seed, outcome, .. }: &Judged| {
        let mistake = examined.named.get(check).copied().filter(|_| *seed == Expect::SEED);
        Message::of((name, check, *seed), outcome, mistake)
    };
    examined.judged.iter().filter_map(message).collect()
}

fn mutant(name: &str, expect: &Expect, examined: &Examined) -> Mutant {
    let mut verdicts: BTreeMap<String, Vec<Verdict>> = BTreeMap::new();
    for judged in &examined.judged {
        verdicts.entry(judged.check.to_owned()).or_default().push(verdict(&judged.outcome));
    }
    let named = examined.named.iter();
    Mutant {
        name: name.to_owned(),
        task: expect.task.clone(),
        mistake: expect.mistake.clone(),
        also: expect.also.clone(),
        expected: expect.fails.clone(),
        verdicts,
        named: named.map(|(check, id)| ((*check).to_owned(), (*id).to_owned())).collect(),
        against: examined.against.clone(),
    }
}

fn of_right(name: &str, examined: &Examined) -> Right {
    let mut right = Right { name: name.to_owned(), ..Right::default() };
    for Judged { check, seed, outcome, share } in &examined.judged {
        if let Some(message) = objection(outcome) {
            right.fails.entry((*check).to_owned()).or_default().push((*seed, message));
        }
        let Some(share) = share.map(|share| Share { share, seed: *seed }) else { continue };
        let nearest = right.shares.entry((*check).to_owned()).or_insert(share);
        if share.share > nearest.share {
            *nearest = share;
        }
    }
    right
}

/// What is said of what does not pass.
fn objection(outcome: &Outcome) -> Option<String> {
    match outcome {
        Outcome::Pass => None,
        Outcome::Wrong { message, evidence } | Outcome::Fault { message, evidence, .. } => {
            let case = evidence.case.as_deref().map(|case| format!(" (case {case})"));
            Some(format!("{message}{}", case.unwrap_or_default()))
        }
        Outcome::NotImplemented { message } => Some(format!("not implemented: {message}")),
        Outcome::Blocked { by, message } => Some(format!("blocked by {by}: {message}")),
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::Evidence;

    use super::*;

    fn judged(seed: u64, outcome: Outcome, share: Option<f64>) -> Judged {
        Judged { check: "t/one", seed, outcome, share }
    }

    fn wrong() -> Outcome {
        let evidence = Evidence { case: Some("B=1".to_owned()), ..Evidence::default() };
        Outcome::Wrong { message: "no".to_owned(), evidence }
    }

    #[test]
    fn of_right_work_the_nearest_seed_is_kept() {
        let pass = |seed, share| judged(seed, Outcome::Pass, share);
        let judged =
            vec![pass(1, Some(0.1)), pass(2, Some(0.3)), pass(3, Some(0.2)), pass(4, None)];
        let right = of_right("x", &Examined { judged, named: Named::new(), against: Vec::new() });
        assert_eq!(right.shares["t/one"], Share { share: 0.3, seed: 2 });
        assert!(right.fails.is_empty());
    }

    #[test]
    fn right_work_that_is_blocked_does_not_pass() {
        let blocked = Outcome::Blocked { by: "t/two".to_owned(), message: "why".to_owned() };
        let judged = vec![judged(1, blocked, None), judged(2, wrong(), None)];
        let right = of_right("x", &Examined { judged, named: Named::new(), against: Vec::new() });
        let said = [(1, "blocked by t/two: why".to_owned()), (2, "no (case B=1)".to_owned())];
        assert_eq!(right.fails["t/one"], said);
    }

    #[test]
    fn a_mutant_that_is_blocked_does_not_fall() {
        let blocked = Outcome::Blocked { by: "t/two".to_owned(), message: String::new() };
        let judged = vec![
            judged(1, blocked, None),
            judged(2, wrong(), None),
            judged(3, Outcome::NotImplemented { message: String::new() }, None),
            judged(4, Outcome::Pass, None),
        ];
        let (mistake, task) = ("m".to_owned(), "t".to_owned());
        let expect = Expect {
            mistake: Some(mistake),
            also: None,
            task,
            fails: ["t/one".to_owned()].into(),
            training: None,
        };
        let mutant =
            mutant("x", &expect, &Examined { judged, named: Named::new(), against: Vec::new() });
        let verdicts = [Verdict::Blocked, Verdict::Falls, Verdict::Falls, Verdict::Passes];
        assert_eq!(mutant.verdicts["t/one"], verdicts);
        assert!(!mutant.falls_to("t/one"), "what counts is the first seed");
    }
}
