//! Names of students in the course's file.

use crate::course::file::Course;
use crate::course::roster::Roster;
use crate::course::rows::StandingsError;

impl Course {
    /// Checks that each student to whom `[submissions]` gives a submission is in the roster, so that a typo is reported before
    /// there is such a submission.
    ///
    /// # Errors
    ///
    /// Fails if one is not, or if a name fits several students.
    pub fn check_submissions(&self, roster: &Roster) -> Result<(), StandingsError> {
        for student in self.submissions.values() {
            if roster.student(student.get_ref())?.is_none() {
                return Err(StandingsError::NotInRoster {
                    table: "[submissions]",
                    name: student.get_ref().as_str().into(),
                    kind: "student",
                    at: student.span().start,
                });
            }
        }
        Ok(())
    }
}
