//! Writes the results of a run, task by task.

use std::io;

use softmark_checks::Task;

use crate::error::StudentError;
use crate::paper::Paper;
use crate::results::{CheckResult, TaskResults};
use crate::setting::Setting;
use crate::text;

/// Writer of results, task by task.
pub(crate) struct Printer<'a, 'b> {
    setting: &'a Setting,
    seed: u64,
    paper: &'a mut Paper<'b>,
    /// Tasks in which something is not right yet.
    unfinished: Vec<&'static Task>,
    /// The task whose checks are running.
    open: Option<TaskResults>,
    all: Vec<CheckResult>,
}

impl<'a, 'b> Printer<'a, 'b> {
    /// Returns a writer of the results of a run with this seed.
    pub(crate) fn new(setting: &'a Setting, seed: u64, paper: &'a mut Paper<'b>) -> Self {
        Self { setting, seed, paper, unfinished: Vec::new(), open: None, all: Vec::new() }
    }

    /// Takes the next result; a task is written when its last check has run.
    pub(crate) fn take(&mut self, result: CheckResult) -> Result<(), StudentError> {
        self.all.push(result.clone());
        let is_of = |task: &&Task| task.checks.iter().any(|check| check.id == result.check.id);
        let task = self.setting.tasks.iter().find(is_of);
        if self.open.as_ref().map(|open| open.task.id) != task.map(|task| task.id) {
            self.close()?;
            self.open = task.map(|task| TaskResults { task, checks: Vec::new() });
        }
        if let Some(open) = &mut self.open {
            open.checks.push(result);
        }
        Ok(())
    }

    fn close(&mut self) -> Result<(), StudentError> {
        let Some(results) = self.open.take() else { return Ok(()) };
        let below = results.task.unfinished_below(&self.unfinished);
        let context = text::Context { seed: self.seed, below, hints: &self.setting.hints };
        text::task(&results, &context, self.paper).map_err(printing)?;
        if results.is_unfinished() {
            self.unfinished.push(results.task);
        }
        Ok(())
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
