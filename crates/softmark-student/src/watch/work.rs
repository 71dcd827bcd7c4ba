//! The work on a change: compiles the code and runs the checks.

use std::sync::mpsc::Sender;

use softmark_checks::Check;

use crate::args::Selection;
use crate::change::Change;
use crate::error::StudentError;
use crate::known_mistake::{self, States};
use crate::progress::Progress;
use crate::results::CheckResult;
use crate::run::Runner;
use crate::setting::Setting;
use crate::watch::build::{Built, build};
use crate::watch::state::{Event, Phase};

/// Worker for all changes.
#[derive(Debug)]
pub(crate) struct Work<'a> {
    /// The assignment.
    pub(crate) setting: &'a Setting,
    /// Checks to run, and how.
    pub(crate) selection: &'a Selection,
}

impl Work<'_> {
    /// Compiles the code and runs `checks`, and reports everything to `events`, until `change` is outdated.
    pub(crate) fn work(
        &self,
        change: Change<'_>,
        checks: &[&'static Check],
        events: &Sender<Event>,
    ) {
        let report = |event: Event| {
            if !change.is_outdated() {
                // The receiver is gone when the student has quit.
                drop(events.send(event));
            }
        };
        report(Event::Phase(Phase::Building));
        report(Event::Rejected(self.setting.hand_in().rejected));
        match build(&self.setting.folder) {
            Ok(Built::Failed(messages)) => report(Event::Phase(Phase::DoesNotCompile(messages))),
            Err(error) => report(Event::Phase(Phase::Failed(error.to_string()))),
            Ok(Built::Program(program)) => {
                report(Event::Phase(Phase::Running { done: 0, all: checks.len() }));
                let mut all: Vec<CheckResult> = Vec::new();
                let mut tell = |result: CheckResult| {
                    if change.is_outdated() {
                        return Err(StudentError::Watch("a file has changed".to_owned()));
                    }
                    all.push(result.clone());
                    report(Event::Result(Box::new(result)));
                    Ok(())
                };
                let runner = self.setting.runner(self.selection, &program, change);
                let ran = runner.run(checks, &mut tell);
                let ran = ran.and_then(|()| self.find_mistakes(&runner, &all, &report));
                let ran = ran.and_then(|()| self.setting.keep(&all));
                match ran {
                    Ok(_) => report(Event::Phase(Phase::Waiting)),
                    Err(error) => report(Event::Phase(Phase::Failed(error.to_string()))),
                }
            }
        }
    }

    /// Reports the known mistake of each task that fails a check.
    fn find_mistakes(
        &self,
        runner: &Runner<'_>,
        results: &[CheckResult],
        report: &dyn Fn(Event),
    ) -> Result<(), StudentError> {
        let earlier = Progress::read(&self.setting.folder);
        let states = States { results, earlier: &earlier };
        for task in self.setting.tasks.iter().filter(|task| states.is_wrong(task)) {
            if let Some(mistake) = known_mistake::find(self.setting, runner, task, states)? {
                report(Event::Mistake(task.id, mistake));
            }
        }
        Ok(())
    }
}
