//! Checks of a suite, from the tasks of an assignment and a table of hidden checks.

use softmark_checks::check::RunCheck;
use softmark_checks::{Check, Task};

use crate::build::ProgramSpec;
use crate::model::Visibility;
use crate::suite::{Aspect, Program, SuiteCheck};

/// Hidden check: its id, its title, and the function that runs it.
pub(crate) type Row = (&'static str, &'static str, RunCheck);

/// Checks of a suite, with their programs and categories.
pub(crate) struct Rubric {
    /// Tasks with their public checks, in the order in which they are reported.
    pub(crate) tasks: &'static [Task],
    /// Hidden checks of all tasks.
    pub(crate) hidden: &'static [Row],
    /// Function that returns the program that a check asks.
    pub(crate) program_of: fn(id: &str) -> Program,
    /// Function that returns the categories of the diagnostic cases that a check is about.
    pub(crate) aspects_of: fn(id: &str) -> &'static [Aspect],
}

impl Rubric {
    /// Returns each task's public checks, followed by its hidden ones.
    pub(crate) fn checks(&self) -> Vec<SuiteCheck> {
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
            checks.extend(self.hidden.iter().map(hidden).filter(|it| it.check.task() == task.id));
        }
        checks
    }
}

/// Returns a worker program that serves the components of `table`, an expression over the worker
/// and the crate `solution`; only a program with a reference has that crate.
pub(crate) fn program(name: &str, table: &str, solution: Option<&str>) -> ProgramSpec {
    let libraries = std::iter::once("softmark_worker").chain(solution);
    ProgramSpec {
        name: name.to_owned(),
        main: format!(
            "fn main() -> std::process::ExitCode {{ softmark_worker::serve(softmark_worker::{table}) }}"
        ),
        libraries: libraries.map(str::to_owned).collect(),
    }
}
