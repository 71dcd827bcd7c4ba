//! Input of all commands: the assignment, its checks and its files.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_checks::{Check, Task};
use softmark_kit::component::Components;

use crate::args::Selection;
use crate::assignment::Assignment;
use crate::change::Change;
use crate::error::StudentError;
use crate::hand_in::HandIn;
use crate::hints::{self, Hints};
use crate::progress::{Changes, Progress};
use crate::results::CheckResult;
use crate::run::Runner;

/// The assignment, its checks and its files.
#[derive(Debug)]
pub(crate) struct Setting {
    /// Tasks with their checks.
    pub(crate) tasks: &'static [Task],
    /// The components of the student's code.
    pub(crate) components: fn() -> Components,
    /// Folder of the student's code.
    pub(crate) folder: PathBuf,
    /// Contents of `assignment.toml`.
    pub(crate) assignment: Assignment,
    /// Hints, by the id of the check.
    pub(crate) hints: BTreeMap<String, Hints>,
}

impl Setting {
    /// Reads the files of the assignment. Cargo sets the folder of the student's package, and runs its tests there.
    ///
    /// # Errors
    ///
    /// Fails if a file that was handed out cannot be understood.
    pub(crate) fn read(
        tasks: &'static [Task],
        components: fn() -> Components,
    ) -> Result<Self, StudentError> {
        let folder = std::env::var_os("CARGO_MANIFEST_DIR").map_or(".".into(), PathBuf::from);
        let assignment = Assignment::read(&folder).map_err(StudentError::Assignment)?;
        let hints = hints::read(&folder)?;
        Ok(Self { tasks, components, folder, assignment, hints })
    }

    /// Returns the files to hand in.
    pub(crate) fn hand_in(&self) -> HandIn {
        HandIn::read(&self.folder, &self.assignment)
    }

    /// Keeps the results in the folder of an assignment, and returns what has changed since the checks last ran.
    ///
    /// # Errors
    ///
    /// Fails if they cannot be written.
    pub(crate) fn keep(&self, results: &[CheckResult]) -> Result<Changes, StudentError> {
        if !self.assignment.is_there() {
            return Ok(Changes::default());
        }
        let mut progress = Progress::read(&self.folder);
        let changes = progress.record(results);
        progress.write(&self.folder)?;
        Ok(changes)
    }

    /// Returns the error for a name that is part of no check's id.
    pub(crate) fn unknown(&self, name: &str) -> StudentError {
        let close = similar_names(name, self.checks().map(|check| check.id));
        let hint = if close.is_empty() {
            "`--list` lists all".to_owned()
        } else {
            format!("did you mean {}?", alternatives(&close))
        };
        StudentError::Usage(format!("no check has `{name}` in its name: {hint}"))
    }

    /// Returns the checks of a selection, in their order.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub(crate) fn selected(
        &self,
        selection: &Selection,
    ) -> Result<Vec<&'static Check>, StudentError> {
        let checks: Vec<&'static Check> =
            self.checks().filter(|check| selection.contains(check.id)).collect();
        if checks.is_empty() {
            return Err(self.unknown(&selection.filters.join(" ")));
        }
        Ok(checks)
    }

    /// Returns all checks, in their order.
    pub(crate) fn checks(&self) -> impl Iterator<Item = &'static Check> + use<> {
        self.tasks.iter().flat_map(|task| task.checks)
    }

    /// Returns how checks are run with the answers of `program`, until `change` is outdated.
    pub(crate) fn runner<'a>(
        &'a self,
        selection: &Selection,
        program: &'a Path,
        change: Change<'a>,
    ) -> Runner<'a> {
        Runner {
            program,
            folder: &self.folder,
            limits: self.assignment.limits,
            points: self.assignment.points(),
            seed: selection.seed,
            jobs: selection.jobs,
            change,
        }
    }
}
