//! Checks of a suite, from the tasks of an assignment and a table of hidden checks.

use softmark_checks::check::RunCheck;
use softmark_checks::{Check, Task};

use crate::Visibility;
use crate::{Aspect, Program, SuiteCheck};

/// Hidden check: its id, its title, and the function that runs it.
pub type Row = (&'static str, &'static str, RunCheck);

/// Checks of a suite, with their programs and categories.
#[derive(Debug)]
pub struct Rubric {
    /// Tasks with their public checks, in the order in which they are reported.
    pub tasks: &'static [Task],
    /// Hidden checks of all tasks, in one list or several.
    pub hidden: &'static [&'static [Row]],
    /// Function that returns the program that a check asks.
    pub program_of: fn(id: &str) -> Program,
    /// Function that returns the categories of the diagnostic cases that a check is about.
    pub aspects_of: fn(id: &str) -> &'static [Aspect],
}

impl Rubric {
    /// Returns each task's public checks, followed by its hidden ones.
    pub fn checks(&self) -> Vec<SuiteCheck> {
        let mut checks = Vec::new();
        let entry = |check: Check, visibility| SuiteCheck {
            check,
            visibility,
            program: (self.program_of)(check.id),
            aspects: (self.aspects_of)(check.id),
        };
        let hidden = |&(id, title, run): &Row| entry(Check { id, title, run }, Visibility::Hidden);
        for task in self.tasks {
            checks.extend(task.checks.iter().map(|check| entry(*check, Visibility::Public)));
            checks.extend(
                self.hidden
                    .iter()
                    .copied()
                    .flatten()
                    .map(hidden)
                    .filter(|it| it.check.task() == task.id),
            );
        }
        checks
    }
}
