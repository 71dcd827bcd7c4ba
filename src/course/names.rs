//! Students whom `[submissions]` of the course's file names.

use softmark_untrusted::Untrusted;
use toml::Spanned;
use unicode_normalization::UnicodeNormalization;

use crate::course::file::Course;
use crate::course::hand_in::HandIn;
use crate::course::roster::{Roster, StudentIndex, without_hidden};
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

    /// Returns the name of the student to whom `[submissions]` gives a submission.
    ///
    /// A name that is written there exactly decides; without one, letters are compared composed with their accents, because
    /// archives that were made on macOS have them apart.
    pub(crate) fn named_student(&self, submission: &Untrusted) -> Option<&Spanned<String>> {
        let name = submission.as_raw();
        let composed = || self.submissions.iter().find(|(key, _)| is_same_text(key, name));
        self.submissions.get(name).or_else(|| composed().map(|(_, student)| student))
    }

    /// Returns the names in `[submissions]` that no submission has.
    pub(crate) fn names_of_no_submission(&self, hand_ins: &[HandIn]) -> Vec<Untrusted> {
        let has = |key: &str| hand_ins.iter().any(|it| is_same_text(key, it.submission.as_raw()));
        let names = self.submissions.keys().filter(|key| !has(key));
        names.map(|key| key.as_str().into()).collect()
    }
}

/// Returns true if two texts have the same letters, composed with their accents. Characters that are not seen are not compared.
pub(crate) fn is_same_text(one: &str, other: &str) -> bool {
    without_hidden(one).nfc().eq(without_hidden(other).nfc())
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
