//! Students whom `[submissions]` of the course's file names.

use toml::Spanned;

use crate::course::file::Course;
use crate::course::roster::{Roster, StudentIndex};
use crate::course::rows::StandingsError;

impl Course {
    /// Checks that each student to whom `[submissions]` gives a submission is in the roster, so that a typo is reported before
    /// there is such a submission.
    ///
    /// # Errors
    ///
    /// Fails if one is not, or if a name fits several students.
    pub fn check_submissions(&self, roster: &Roster) -> Result<(), StandingsError> {
        self.submissions.values().try_for_each(|student| owner(student, roster).map(drop))
    }
}

/// Returns the student to whom `[submissions]` gives a submission.
///
/// # Errors
///
/// Fails if the student is not in the roster, or if the name fits several students.
pub(crate) fn owner(
    student: &Spanned<String>,
    roster: &Roster,
) -> Result<StudentIndex, StandingsError> {
    let missing = || StandingsError::NotInRoster {
        table: "[submissions]",
        name: student.get_ref().as_str().into(),
        kind: "student",
        at: student.span().start,
    };
    roster.student(student.get_ref())?.ok_or_else(missing)
}
