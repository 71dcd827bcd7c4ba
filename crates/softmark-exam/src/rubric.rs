//! Checks of a suite, from the tasks of an assignment and a table of hidden checks.

use softmark_checks::Task;

pub use softmark_checks::Check;

use crate::Visibility;
use crate::{Aspect, Program, SuiteCheck};

/// Checks of a suite, with their programs and categories.
#[derive(Debug)]
pub struct Rubric {
    /// Tasks with their public checks, in the order in which they are reported.
    pub tasks: &'static [Task],
    /// Hidden checks of all tasks, in one list or several.
    pub hidden: &'static [&'static [Check]],
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
        for task in self.tasks {
            checks.extend(task.checks.iter().map(|check| entry(*check, Visibility::Public)));
            let hidden = self.hidden.iter().copied().flatten();
            let of_task = hidden.filter(|check| check.task() == task.id);
            checks.extend(of_task.map(|check| entry(*check, Visibility::Hidden)));
        }
        checks
    }
}
