//! Who is there, and what is asked of them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use globset::GlobMatcher;
use thiserror::Error;

use crate::assignment::{self, Assignment, AssignmentError};
use crate::intake::{self, Candidate, IntakeError, Names};
use crate::score::select;
use crate::suite::{self, Disagreement, Suite};
use crate::untrusted::Untrusted;

/// What is to be graded: all that can be told without writing or running anything.
#[derive(Debug, Clone)]
pub struct Survey {
    /// In the order of the submissions' names.
    pub entries: Vec<Entry>,
}

/// A place that may hold a submission, and where it stands.
#[derive(Debug, Clone)]
pub struct Entry {
    /// The place.
    pub candidate: Candidate,
    /// What is asked of it.
    pub standing: Standing,
}

/// What is asked of a submission.
#[derive(Debug, Clone)]
pub enum Standing {
    /// This.
    Assigned(Arc<Assigned>),
    /// It does not say what it answers, for this reason.
    Rejected(Untrusted),
    /// It cannot be read, for this reason.
    NoGrade(Untrusted),
}

/// An assignment and its checks.
#[derive(Debug)]
pub struct Assigned {
    /// What it is worth: the selected checks alone.
    pub assignment: Assignment,
    /// What is asked.
    pub suite: &'static Suite,
}

/// Why nothing can be graded.
#[derive(Debug, Error)]
pub enum SurveyError {
    /// There is nothing at one of the paths.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// There is no such assignment, or it does not hold together.
    #[error(transparent)]
    Assignment(#[from] AssignmentError),
    /// An assignment has no checks in this program.
    #[error("this grader has no checks for the assignment `{id}`")]
    NoSuite {
        /// The assignment.
        id: String,
    },
    /// An assignment and its checks do not fit one another.
    #[error(transparent)]
    Disagreement(Box<Disagreement>),
    /// No check has such a name.
    #[error("no check of {assignments} is called `{glob}`")]
    NoCheck {
        /// What was looked for.
        glob: String,
        /// Where, for a person.
        assignments: String,
        /// The ids of all checks there.
        known: Vec<String>,
    },
}

/// Finds the submissions at `paths`, whose names are read by `names`, and the assignment that each
/// of them answers: `given`, or else the one that it names itself.
///
/// `only` selects checks by their ids.
///
/// # Errors
///
/// When a path holds no submission, an assignment is broken, or nothing is selected.
pub fn survey(
    home: &Path,
    (paths, names): (&[PathBuf], &Names),
    given: Option<&str>,
    only: Option<&GlobMatcher>,
) -> Result<Survey, SurveyError> {
    let known = assignment::list(home)?;
    let mut desk = Desk { home, known, only, assigned: BTreeMap::new(), checks: BTreeMap::new() };
    // Before anybody looks for submissions: a wrong name is the nearer mistake.
    given.map(|id| desk.assigned(id)).transpose()?;
    let mut entries = Vec::new();
    for candidate in intake::find(paths, names)? {
        let standing = match given {
            Some(id) => Standing::Assigned(desk.assigned(id)?),
            None => desk.standing(&candidate)?,
        };
        entries.push(Entry { candidate, standing });
    }
    desk.close()?;
    Ok(Survey { entries })
}

/// An assignment as a whole, and its checks.
///
/// # Errors
///
/// When there is none of that name, or the two do not fit one another.
pub fn assigned(home: &Path, id: &str) -> Result<Assigned, SurveyError> {
    let assignment = assignment::load(home, id)?;
    let suite = suite::find(id).ok_or_else(|| SurveyError::NoSuite { id: id.to_owned() })?;
    suite::agrees(&assignment, suite)
        .map_err(|disagreement| SurveyError::Disagreement(Box::new(disagreement)))?;
    Ok(Assigned { assignment, suite })
}

fn rejected(reason: String) -> Standing {
    Standing::Rejected(reason.into())
}

/// Where assignments are looked up, each once.
struct Desk<'a> {
    home: &'a Path,
    known: Vec<String>,
    only: Option<&'a GlobMatcher>,
    assigned: BTreeMap<String, Arc<Assigned>>,
    /// The ids of all checks of an assignment.
    checks: BTreeMap<String, Vec<String>>,
}

impl Desk<'_> {
    fn standing(&mut self, candidate: &Candidate) -> Result<Standing, SurveyError> {
        let line = |id: &str| format!("assignment = \"{id}\"");
        let names = self.known.iter().map(|id| format!("`{}`", line(id))).collect::<Vec<_>>();
        let names = names.join(" or ");
        match intake::assignment_of(candidate) {
            Ok(Ok(Some(id))) if self.known.contains(&id) => {
                Ok(Standing::Assigned(self.assigned(&id)?))
            }
            Ok(Err(rejection)) => Ok(Standing::Rejected(rejection.reason)),
            Ok(Ok(Some(id))) => Ok(rejected(format!(
                "`Cargo.toml` names the assignment `{id}`, which does not exist; it should say \
                 {names} under `[package.metadata.softmark]`"
            ))),
            Ok(Ok(None)) => Ok(rejected(format!(
                "nothing says which assignment this is: `Cargo.toml` should say {names} under \
                 `[package.metadata.softmark]`, or the grader be told with `--assignment ID`"
            ))),
            Err(error) => Ok(Standing::NoGrade(error.to_string().into())),
        }
    }

    fn assigned(&mut self, id: &str) -> Result<Arc<Assigned>, SurveyError> {
        if let Some(assigned) = self.assigned.get(id) {
            return Ok(Arc::clone(assigned));
        }
        let Assigned { assignment: whole, suite } = assigned(self.home, id)?;
        let checks = whole.tasks.iter().flat_map(|task| &task.checks);
        self.checks.insert(id.to_owned(), checks.map(|check| check.id.clone()).collect());
        let assignment = match self.only {
            Some(only) => select(&whole, |check| only.is_match(check)),
            None => whole,
        };
        let assigned = Arc::new(Assigned { assignment, suite });
        self.assigned.insert(id.to_owned(), Arc::clone(&assigned));
        Ok(assigned)
    }

    /// Sees to it that something is selected.
    fn close(self) -> Result<(), SurveyError> {
        let nothing = self.assigned.values().all(|one| one.assignment.tasks.is_empty());
        match self.only {
            Some(only) if nothing && !self.assigned.is_empty() => Err(SurveyError::NoCheck {
                glob: only.glob().glob().to_owned(),
                assignments: self.checks.keys().cloned().collect::<Vec<_>>().join(" or "),
                known: self.checks.into_values().flatten().collect(),
            }),
            Some(_) | None => Ok(()),
        }
    }
}
