//! Discovery of submissions and of their assignments.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use globset::GlobMatcher;
use softmark_exam::Suite;
use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::assignment::{self, Assignment, AssignmentError};
use crate::intake::{self, Candidate, IntakeError, Names, Opened};
use crate::score::select;
use crate::store::SavedVersion;
use crate::suite::{self, Disagreement, Project};

/// Submissions to grade, found without writing or running anything.
#[derive(Debug, Clone)]
pub struct Survey {
    /// Candidates, ordered by submission name.
    pub entries: Vec<Entry>,
}

/// Candidate for a submission, and how it is to be treated.
#[derive(Debug, Clone)]
pub struct Entry {
    /// Location and name of the candidate.
    pub candidate: Candidate,
    /// Treatment of the candidate: graded, rejected, or left without a grade.
    pub treatment: Treatment,
    /// Assignment, if the user had to name it.
    pub given: Option<String>,
    /// Earlier versions that are graded too, the oldest first; none has earlier ones of its own.
    pub earlier: Vec<Self>,
}

/// Submission of a survey that is graded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Graded<'a> {
    pub(crate) entry: &'a Entry,
    pub(crate) version: SavedVersion,
}

impl Entry {
    /// Returns its assignment with its checks; `None` if it is not graded.
    pub(crate) fn assigned(&self) -> Option<&Assigned> {
        match &self.treatment {
            Treatment::Assigned(assigned) => Some(assigned),
            Treatment::Rejected(_) | Treatment::NoGrade(_) => None,
        }
    }
}

impl Survey {
    /// Returns all that is graded: the submissions, in their order, and then the earlier versions of each.
    pub(crate) fn graded(&self) -> Vec<Graded<'_>> {
        let latest = |entry| Graded { entry, version: SavedVersion::Latest };
        let mut all: Vec<Graded<'_>> = self.entries.iter().map(latest).collect();
        for entry in &self.entries {
            let earlier = entry.earlier.iter().enumerate();
            all.extend(
                earlier.map(|(number, entry)| Graded {
                    entry,
                    version: SavedVersion::Earlier(number),
                }),
            );
        }
        all
    }

    /// Returns the largest number of earlier versions that are graded of a submission.
    pub fn most_earlier(&self) -> usize {
        self.entries.iter().map(|entry| entry.earlier.len()).max().unwrap_or(0)
    }
}

/// Treatment of a candidate.
#[derive(Debug, Clone)]
pub enum Treatment {
    /// It is graded with the checks of this assignment.
    Assigned(Arc<Assigned>),
    /// It is rejected because its assignment is missing or unknown; holds the reason.
    Rejected(Untrusted),
    /// It has no grade because it cannot be read; holds the reason.
    NoGrade(Untrusted),
}

/// Assignment with its checks.
#[derive(Debug)]
pub struct Assigned {
    /// Assignment, reduced to the selected checks and their points.
    pub assignment: Assignment,
    /// Suite with the checks of the assignment.
    pub suite: &'static Suite,
}

/// Error that prevents all grading.
#[derive(Debug, Error)]
pub enum SurveyError {
    /// One of the paths does not exist.
    #[error(transparent)]
    Intake(#[from] IntakeError),
    /// The assignment does not exist, or is inconsistent.
    #[error(transparent)]
    Assignment(#[from] AssignmentError),
    /// The grader has no suite for the assignment.
    #[error("this grader has no checks for the assignment `{id}`")]
    NoSuite {
        /// Assignment id.
        id: String,
    },
    /// An assignment and its suite are inconsistent.
    #[error(transparent)]
    Disagreement(Box<Disagreement>),
    /// No check has a matching id.
    #[error("no check of {assignments} is called `{glob}`")]
    NoCheck {
        /// Glob that was given.
        glob: String,
        /// Searched assignments, for a person.
        assignments: String,
        /// Ids of all checks of these assignments.
        known: Vec<String>,
    },
}

/// Finds the submissions at `paths`, whose names are read by `names`, and the assignment of each:
/// `given`, or else the one in its `Cargo.toml`.
///
/// `only` selects checks by their ids.
///
/// # Errors
///
/// Fails if a path holds no submission, an assignment is invalid, or no check is selected.
pub fn survey(
    project: Project<'_>,
    (paths, names): (&[PathBuf], &Names),
    given: Option<&str>,
    only: Option<&GlobMatcher>,
) -> Result<Survey, SurveyError> {
    let known = assignment::list(project.home)?;
    let mut desk =
        Desk { project, known, only, assigned: BTreeMap::new(), checks: BTreeMap::new() };
    // A wrong assignment id is reported before a wrong path.
    given.map(|id| desk.assigned(id)).transpose()?;
    let mut entries = Vec::new();
    for mut candidate in intake::find(paths, names)? {
        let earlier = std::mem::take(&mut candidate.earlier).into_iter();
        let earlier = earlier.map(|it| desk.entry(it, given)).collect::<Result<_, _>>()?;
        entries.push(Entry { earlier, ..desk.entry(candidate, given)? });
    }
    desk.close()?;
    Ok(Survey { entries })
}

/// Loads an assignment with all its checks.
///
/// # Errors
///
/// Fails if there is no assignment of that name, or it is inconsistent with its suite.
pub fn assigned(project: Project<'_>, id: &str) -> Result<Assigned, SurveyError> {
    let assignment = assignment::load(project.home, id)?;
    let no_suite = || SurveyError::NoSuite { id: id.to_owned() };
    let suite = project.catalog.find(id).ok_or_else(no_suite)?;
    suite::agrees(&assignment, suite)
        .map_err(|disagreement| SurveyError::Disagreement(Box::new(disagreement)))?;
    Ok(Assigned { assignment, suite })
}

fn rejected(reason: String) -> Treatment {
    Treatment::Rejected(reason.into())
}

/// Cache of assignments: each is loaded once.
struct Desk<'a> {
    project: Project<'a>,
    known: Vec<String>,
    only: Option<&'a GlobMatcher>,
    assigned: BTreeMap<String, Arc<Assigned>>,
    /// Ids of all checks, by assignment.
    checks: BTreeMap<String, Vec<String>>,
}

impl Desk<'_> {
    /// Returns the entry of a candidate without its earlier versions.
    fn entry(&mut self, candidate: Candidate, given: Option<&str>) -> Result<Entry, SurveyError> {
        let treatment = match given {
            Some(id) => Treatment::Assigned(self.assigned(id)?),
            None => self.treatment(&candidate)?,
        };
        Ok(Entry { candidate, treatment, given: given.map(str::to_owned), earlier: Vec::new() })
    }

    fn treatment(&mut self, candidate: &Candidate) -> Result<Treatment, SurveyError> {
        let line = |id: &str| format!("assignment = \"{id}\"");
        let names = self.known.iter().map(|id| format!("`{}`", line(id))).collect::<Vec<_>>();
        let names = names.join(" or ");
        match intake::assignment_of(candidate) {
            Ok(Opened::Accepted(Some(id))) if self.known.contains(&id) => {
                Ok(Treatment::Assigned(self.assigned(&id)?))
            }
            Ok(Opened::Rejected(rejection)) => Ok(Treatment::Rejected(rejection.reason)),
            Ok(Opened::Accepted(Some(id))) => Ok(rejected(format!(
                "`Cargo.toml` names the assignment `{id}`, which does not exist; it should say \
                 {names} under `[package.metadata.softmark]`"
            ))),
            Ok(Opened::Accepted(None)) => Ok(rejected(format!(
                "nothing says which assignment this is: `Cargo.toml` should say {names} under \
                 `[package.metadata.softmark]`, or the grader be told with `--assignment ID`"
            ))),
            Err(error) => Ok(Treatment::NoGrade(error.to_string().into())),
        }
    }

    fn assigned(&mut self, id: &str) -> Result<Arc<Assigned>, SurveyError> {
        if let Some(assigned) = self.assigned.get(id) {
            return Ok(Arc::clone(assigned));
        }
        let Assigned { assignment: whole, suite } = assigned(self.project, id)?;
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

    /// Fails if no check is selected.
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
