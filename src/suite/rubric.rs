//! From the tasks of an assignment and a table of hidden checks to the checks of a suite.

use softmark_checks::check::RunCheck;
use softmark_checks::{Check, Task};

use crate::build::ProgramSpec;
use crate::model::Visibility;
use crate::suite::{Aspect, Program, SuiteCheck};

/// A hidden check: its id, its claim, and what puts it to the test.
pub(crate) type Row = (&'static str, &'static str, RunCheck);

/// What is said of the checks of a suite.
pub(crate) struct Rubric {
    /// In the order in which they are reported.
    pub(crate) tasks: &'static [Task],
    /// The hidden checks of all tasks.
    pub(crate) hidden: &'static [Row],
    /// Which program answers for a check.
    pub(crate) program_of: fn(id: &str) -> Program,
    /// Which questions of the battery show what a check is about.
    pub(crate) aspects_of: fn(id: &str) -> &'static [Aspect],
}

impl Rubric {
    /// Each task's public checks, then its hidden ones.
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

/// A worker program that serves the parts of `table`, an expression over the worker and the crate
/// `solution`, which only a program with a reference has.
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
