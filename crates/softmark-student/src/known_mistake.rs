//! Known mistakes in the code of a task, which are recognised by the code's responses to diagnostic cases.

use std::fs;
use std::io::ErrorKind;

use softmark_checks::recognition::{FILE, Recognition};
use softmark_checks::{Check, Task};

use crate::error::StudentError;
use crate::pages;
use crate::progress::Progress;
use crate::results::{CheckResult, KnownMistake, State};
use crate::run::Runner;
use crate::setting::Setting;

/// States of checks: from this run, or else from an earlier one.
#[derive(Debug, Clone, Copy)]
pub(crate) struct States<'a> {
    /// Results of this run.
    pub(crate) results: &'a [CheckResult],
    /// States of earlier runs.
    pub(crate) earlier: &'a Progress,
}

impl States<'_> {
    fn of(&self, check: &Check) -> Option<State> {
        let now = self.results.iter().find(|result| result.check.id == check.id);
        now.map(CheckResult::state).or_else(|| self.earlier.state(check.id))
    }

    /// True if a check of the task has failed in this run.
    pub(crate) fn is_wrong(&self, task: &Task) -> bool {
        let is_of = |result: &&CheckResult| task.checks.iter().any(|it| it.id == result.check.id);
        self.results.iter().filter(is_of).any(|result| result.state() == State::Wrong)
    }

    fn is_finished(&self, task: &Task) -> bool {
        task.checks.iter().all(|check| self.of(check) == Some(State::Right))
    }
}

/// Returns the known mistake in the code of `task`; none if the assignment came without diagnostic cases, if no mistake or more
/// than one accounts for every response, or if the task is built on one that is not finished: its responses depend on that.
///
/// # Errors
///
/// Fails if the file with the cases cannot be understood, or the code's process cannot be started.
pub(crate) fn find(
    setting: &Setting,
    runner: &Runner<'_>,
    task: &Task,
    states: States<'_>,
) -> Result<Option<KnownMistake>, StudentError> {
    let mut below = setting.tasks.iter().filter(|other| task.built_on.contains(&other.id));
    if !below.all(|other| states.is_finished(other)) {
        return Ok(None);
    }
    let recognition = read(setting)?;
    let Some(cases) = recognition.of_task(task.id) else { return Ok(None) };
    let Some(name) = runner.recognise(task, cases)? else { return Ok(None) };
    let pages = pages::read(&setting.folder);
    let summary = pages.get(&name).map(|page| pages::summary(page).to_owned());
    Ok(Some(KnownMistake { name, summary: summary.unwrap_or_default() }))
}

fn read(setting: &Setting) -> Result<Recognition, StudentError> {
    let path = setting.folder.join(FILE);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(Recognition::default()),
        Err(error) => return Err(StudentError::io("read", &path)(error)),
    };
    serde_json::from_str(&text)
        .map_err(|error| StudentError::Assignment(format!("{FILE}: {error}")))
}
