//! Sessions with built programs, each with the limits of its purpose.

use std::collections::BTreeMap;
use std::path::Path;

use softmark_checks::files::Files;
use softmark_exam::{Program, Suite};
use softmark_sandbox::{Limits, Sandbox};
use softmark_wire::{Asked, Construction, Reply, Request, Session, SessionError};

use crate::build::Source;
use crate::examine::sessions::{SessionKind, Sessions};
use crate::model::Usage;
use crate::session::{Budget, Remote, WorkerProgram};

/// Built programs of one submission.
pub(crate) type Programs = BTreeMap<Program, WorkerProgram>;

/// Environment in which the programs of submissions are run.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Examiner<'a> {
    /// Starts workers.
    pub(crate) sandbox: &'a Sandbox,
    /// Exam, which says in which programs models are measured.
    pub(crate) suite: &'a Suite,
    /// Limits of a worker that answers checks.
    pub(crate) checks: &'a Limits,
    /// Limits of a worker that is trained, or answers with a model; `None` if there is none.
    pub(crate) training: Option<&'a Limits>,
}

impl Examiner<'_> {
    /// Creates the sessions with the programs of a submission, all of them charged to `budget`.
    ///
    /// Each records the digest of its program, so that all must be created before any of them is asked.
    pub(crate) fn sessions(
        &self,
        programs: &Programs,
        answers: &Source,
        budget: &Budget,
        control: Option<&Path>,
    ) -> Sessions<Counterpart> {
        let worker = |program: &WorkerProgram, limits: &Limits| {
            let remote = Remote::of(self.sandbox.clone(), program.clone(), limits.clone());
            let remote = remote.within(budget.clone()).with_control(control.map(Path::to_owned));
            Counterpart::Worker(Box::new(remote))
        };
        let mut all = Vec::new();
        for (kind, program) in programs {
            all.push((SessionKind::Checks(*kind), worker(program, self.checks)));
            let Some(limits) = self.training else { continue };
            all.push((SessionKind::Training(*kind), worker(program, limits)));
            if self.measures(*kind) {
                all.push((SessionKind::Model(*kind), worker(program, limits)));
            }
        }
        // Files with answers are not run, and no process of the submission is involved.
        let answers = Counterpart::Answers(Files::new(answers.clone()));
        all.push((SessionKind::Checks(Program::Answers), answers));
        Sessions::new(all)
    }

    /// True if models that are handed in are measured in a program.
    fn measures(&self, kind: Program) -> bool {
        let mut uploads = self.suite.uploads.iter();
        uploads.any(|upload| kind == upload.program || kind == Program::Reference)
    }
}

/// Counterpart of a check: a worker, or files with answers.
#[derive(Debug)]
pub(crate) enum Counterpart {
    Worker(Box<Remote>),
    Answers(Files),
}

impl Session for Counterpart {
    fn ask(&mut self, request: &Request) -> Asked<Reply> {
        match self {
            Self::Worker(worker) => worker.ask(request),
            Self::Answers(files) => files.ask(request),
        }
    }

    fn construct_and_ask(&mut self, component: Construction, request: Request) -> Asked<Reply> {
        match self {
            Self::Worker(worker) => worker.construct_and_ask(component, request),
            Self::Answers(files) => files.construct_and_ask(component, request),
        }
    }

    fn renew(&mut self) -> Result<(), SessionError> {
        match self {
            Self::Worker(worker) => worker.renew(),
            Self::Answers(files) => files.renew(),
        }
    }
}

/// Usage and output of sessions that have ended.
#[derive(Debug, Default)]
pub(crate) struct Ended {
    /// Resource usage of all workers.
    pub(crate) usage: Usage,
    /// Output of all workers.
    pub(crate) log: Vec<u8>,
}

impl Sessions<Counterpart> {
    /// Ends all workers.
    ///
    /// # Errors
    ///
    /// Fails if the grader's side is broken.
    pub(crate) fn end(self) -> Result<Ended, SessionError> {
        let mut all = Ended::default();
        for session in self.into_all() {
            let Counterpart::Worker(worker) = session else { continue };
            let (usage, log) = worker.end()?;
            all.usage = all.usage.and(usage);
            all.log.extend(log);
        }
        Ok(all)
    }
}
