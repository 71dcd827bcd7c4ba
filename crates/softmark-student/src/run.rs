//! Runs checks, each in processes of its own.

use std::collections::BTreeMap;
use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;

use softmark_checks::files::with_answers;
use softmark_checks::recognition::TaskCases;
use softmark_checks::{Check, Outcome, Subject, Task};
use softmark_kit::component::Components;
use softmark_wire::Session;
use softmark_worker::InProcess;

use crate::change::Change;
use crate::child::ChildSession;
use crate::error::StudentError;
use crate::limits::Limits;
use crate::results::CheckResult;

/// Runner of checks, with its settings.
#[derive(Debug, Clone)]
pub(crate) struct Runner<'a> {
    /// Program that answers for the code.
    pub(crate) program: &'a Path,
    /// Folder of the student's code, which may have answers in files.
    pub(crate) folder: &'a Path,
    /// Limits of each process.
    pub(crate) limits: Limits,
    /// Points of the checks.
    pub(crate) points: BTreeMap<String, f64>,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
    /// Number of checks at once.
    pub(crate) jobs: usize,
    /// Change for which checks run; they end when it is outdated.
    pub(crate) change: Change<'a>,
}

/// Result of a check, or the reason why it could not be run.
type Ran = Result<CheckResult, StudentError>;

impl Runner<'_> {
    /// Runs the checks and hands the results to `tell` in their order, as soon as they are there.
    ///
    /// # Errors
    ///
    /// Fails if a check cannot be run, or `tell` fails.
    pub(crate) fn run(
        &self,
        checks: &[&'static Check],
        tell: &mut dyn FnMut(CheckResult) -> Result<(), StudentError>,
    ) -> Result<(), StudentError> {
        let next = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            let (send, receive) = mpsc::channel::<(usize, Ran)>();
            for _ in 0..self.jobs.min(checks.len()) {
                let (send, next) = (send.clone(), &next);
                scope.spawn(move || self.work(checks, next, &send));
            }
            drop(send);
            let mut early: BTreeMap<usize, CheckResult> = BTreeMap::new();
            let mut due = 0;
            for (place, ran) in receive {
                early.insert(place, ran?);
                while let Some(result) = early.remove(&due) {
                    due += 1;
                    tell(result)?;
                }
            }
            Ok(())
        })
    }

    /// Runs the checks that no other thread has taken, until the receiver is gone.
    fn work(
        &self,
        checks: &[&'static Check],
        next: &AtomicUsize,
        send: &mpsc::Sender<(usize, Ran)>,
    ) {
        loop {
            let place = next.fetch_add(1, Ordering::Relaxed);
            let Some(check) = checks.get(place) else { return };
            if send.send((place, self.ask(check))).is_err() {
                return;
            }
        }
    }

    /// Runs one check in a new process.
    fn ask(&self, check: &'static Check) -> Ran {
        let failed = |error: io::Error| StudentError::Check {
            check: check.id.to_owned(),
            reason: error.to_string(),
        };
        let mut session =
            ChildSession::new(self.program, self.limits, self.change).map_err(failed)?;
        let outcome = self.outcome(check, &mut session)?;
        let printed = if outcome.is_pass() { Vec::new() } else { session.printed().lines(0) };
        Ok(self.result(check, outcome, printed))
    }

    /// Returns the known mistake that accounts for all responses of the code to `cases`, which are those of `task`.
    ///
    /// # Errors
    ///
    /// Fails if the code's process cannot be started.
    pub(crate) fn recognise(
        &self,
        task: &Task,
        cases: &TaskCases,
    ) -> Result<Option<String>, StudentError> {
        let failed = |reason: String| StudentError::Check { check: task.id.to_owned(), reason };
        let mut session = ChildSession::new(self.program, self.limits, self.change)
            .map_err(|error| failed(error.to_string()))?;
        let found = cases.recognise(&mut session).map_err(|error| failed(error.to_string()))?;
        Ok(found.map(str::to_owned))
    }

    /// Runs the checks one after the other in this process, which has no limits.
    ///
    /// # Errors
    ///
    /// Fails if a check cannot be run, or `tell` fails.
    pub(crate) fn run_here(
        &self,
        checks: &[&'static Check],
        components: fn() -> Components,
        tell: &mut dyn FnMut(CheckResult) -> Result<(), StudentError>,
    ) -> Result<(), StudentError> {
        let mut session = InProcess::new(components());
        for check in checks {
            let outcome = self.outcome(check, &mut session)?;
            tell(self.result(check, outcome, Vec::new()))?;
        }
        Ok(())
    }

    fn outcome(&self, check: &Check, session: &mut dyn Session) -> Result<Outcome, StudentError> {
        let mut session = with_answers(session, self.folder);
        let outcome = check.ask(&mut Subject::new(&mut session), self.seed);
        outcome.map_err(|error| StudentError::check(check.id, &error))
    }

    fn result(&self, check: &'static Check, outcome: Outcome, printed: Vec<String>) -> CheckResult {
        let points = self.points.get(check.id).copied().unwrap_or_default();
        CheckResult { check, points, outcome, printed }
    }
}
