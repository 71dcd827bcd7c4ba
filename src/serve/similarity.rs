//! Comparison of submissions, which takes a while: it runs beside the pages, and its result is kept until the next one.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use softmark_untrusted::Untrusted;

use crate::clock;
use crate::course::roster::{Owner, Prefixes, Roster};
use crate::intake::Names;
use crate::similar::{self, Class, ClassSource, Comparison, LeftOut, Threshold};
use crate::store::Input;
use crate::suite::Project;

/// State of the comparison.
#[derive(Debug, Clone, Default)]
pub(super) enum State {
    /// Nothing has been compared.
    #[default]
    None,
    /// Submissions are being compared.
    Running,
    /// The last comparison failed.
    Failed(String),
    /// Result of the last comparison.
    Done(Arc<Compared>),
}

/// Result of a comparison.
#[derive(Debug)]
pub(super) struct Compared {
    /// Comparisons by assignment.
    pub(super) comparisons: Vec<Comparison>,
    /// Submissions that were not compared.
    pub(super) left_out: Vec<LeftOut>,
    /// Time of the comparison.
    pub(super) at: String,
}

/// Comparison that runs, or has run.
#[derive(Debug, Default)]
pub(super) struct Similarity(Mutex<State>);

impl Similarity {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the state.
    pub(super) fn state(&self) -> State {
        self.lock().clone()
    }

    /// Says that a comparison begins; returns false if one is running.
    pub(super) fn begin(&self) -> bool {
        let mut state = self.lock();
        if matches!(*state, State::Running) {
            return false;
        }
        *state = State::Running;
        true
    }

    /// Compares the submissions at the paths of a run, and keeps the result.
    pub(super) fn run(&self, project: Project<'_>, inputs: &[Input], roster: Option<&Roster>) {
        self.finish(|| compare(project, inputs, roster));
    }

    /// Keeps the result of a comparison, which may panic.
    fn finish(&self, compare: impl FnOnce() -> Result<Compared, String>) {
        let ending = Ending(self);
        let done = match compare() {
            Ok(compared) => State::Done(Arc::new(compared)),
            Err(reason) => State::Failed(reason),
        };
        *ending.0.lock() = done;
    }
}

/// Comparison that ends, one way or the other, when this is dropped.
struct Ending<'a>(&'a Similarity);

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        if matches!(*state, State::Running) {
            let why = "the comparison ended before it was done: this is a mistake of the grader";
            *state = State::Failed(why.to_owned());
        }
    }
}

fn compare(
    project: Project<'_>,
    inputs: &[Input],
    roster: Option<&Roster>,
) -> Result<Compared, String> {
    let Some(first) = inputs.first() else {
        return Err("the ledger does not say where the submissions were".to_owned());
    };
    let paths: Vec<PathBuf> = inputs.iter().map(|input| input.path.clone()).collect();
    let names = first.names.as_deref().map_or_else(|| Ok(Names::default()), str::parse);
    let names = names.map_err(|error: crate::intake::NamesError| error.to_string())?;
    let source = ClassSource {
        class: &paths,
        earlier: &[],
        names: &names,
        assignment: first.assignment.as_deref(),
    };
    let mut read = similar::read(project, &source).map_err(|error| error.to_string())?;
    if let Some(roster) = roster {
        read.classes.iter_mut().for_each(|class| find_students(class, roster));
    }
    let compare = |class| similar::compare(class, Threshold::MEASURED);
    let comparisons = read.classes.into_iter().map(compare).collect();
    Ok(Compared { comparisons, left_out: read.left_out, at: clock::now() })
}

/// Finds the students of submissions, so that two of one student or team are not compared.
fn find_students(class: &mut Class, roster: &Roster) {
    let names: Vec<&Untrusted> = class.this_year.iter().map(|it| &it.name).collect();
    let prefixes = Prefixes::of(&class.assignment.as_str().into(), &names);
    for material in &mut class.this_year {
        material.students = match roster.owner(&material.name, &prefixes) {
            Ok(Owner::Student(student)) => BTreeSet::from([student]),
            Ok(Owner::Group(members) | Owner::OneOfGroup(members)) => members,
            Ok(Owner::Unknown) | Err(_) => BTreeSet::new(),
        };
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    #[test]
    fn a_comparison_that_panics_has_failed_and_another_can_begin() {
        let similarity = Similarity::default();
        assert!(similarity.begin() && !similarity.begin());
        let compared = || similarity.finish(|| panic!("no comparison"));
        assert!(catch_unwind(AssertUnwindSafe(compared)).is_err());
        assert!(matches!(similarity.state(), State::Failed(_)));
        assert!(similarity.begin());
    }
}
