//! Writes the results of a run, task by task.

use std::io;

use softmark_checks::Task;

use crate::error::StudentError;
use crate::known_mistake::{self, States};
use crate::paper::Paper;
use crate::progress::Progress;
use crate::results::{CheckResult, KnownMistake, TaskResults};
use crate::run::Runner;
use crate::setting::Setting;
use crate::text;

/// Writer of results, task by task.
pub(crate) struct Printer<'a, 'b> {
    setting: &'a Setting,
    seed: u64,
    paper: &'a mut Paper<'b>,
    /// Runner that asks the code about known mistakes; none if they are not looked for.
    asks: Option<&'a Runner<'a>>,
    /// States of the checks when they last ran.
    earlier: Progress,
    /// Tasks in which something is not right yet.
    unfinished: Vec<&'static Task>,
    /// The task whose checks are running.
    open: Option<TaskResults>,
    all: Vec<CheckResult>,
}

impl<'a, 'b> Printer<'a, 'b> {
    /// Returns a writer of the results of a run with this seed. Known mistakes are looked for if it is given a runner that
    /// `asks` about them.
    pub(crate) fn new(
        setting: &'a Setting,
        seed: u64,
        asks: Option<&'a Runner<'a>>,
        paper: &'a mut Paper<'b>,
    ) -> Self {
        let earlier = Progress::read(&setting.folder);
        let (unfinished, all) = (Vec::new(), Vec::new());
        Self { setting, seed, paper, asks, earlier, unfinished, open: None, all }
    }

    /// Takes the next result; a task is written when its last check has run.
    pub(crate) fn take(&mut self, result: CheckResult) -> Result<(), StudentError> {
        self.all.push(result.clone());
        let is_of = |task: &&Task| task.checks.iter().any(|check| check.id == result.check.id);
        let task = self.setting.tasks.iter().find(is_of);
        if self.open.as_ref().map(|open| open.task.id) != task.map(|task| task.id) {
            self.close()?;
            self.open = task.map(|task| TaskResults { task, checks: Vec::new(), mistake: None });
        }
        if let Some(open) = &mut self.open {
            open.checks.push(result);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), StudentError> {
        let Some(mut results) = self.open.take() else { return Ok(()) };
        results.mistake = self.mistake(&results)?;
        let below = results.task.unfinished_below(&self.unfinished);
        let context = text::Context { seed: self.seed, below, hints: &self.setting.hints };
        text::task(&results, &context, self.paper).map_err(printing)?;
        if results.is_unfinished() {
            self.unfinished.push(results.task);
        }
        Ok(())
    }

    fn mistake(&self, results: &TaskResults) -> Result<Option<KnownMistake>, StudentError> {
        let Some(runner) = self.asks.filter(|_| results.is_wrong()) else { return Ok(None) };
        let states = States { results: &self.all, earlier: &self.earlier };
        known_mistake::find(self.setting, runner, results.task, states)
    }

    /// Writes the last task, and returns all results.
    pub(crate) fn finish(mut self) -> Result<Vec<CheckResult>, StudentError> {
        self.close()?;
        Ok(self.all)
    }
}

/// Returns the error of writing results.
pub(crate) fn printing(source: io::Error) -> StudentError {
    StudentError::Io { action: "write to", path: "the terminal".into(), source }
}
