//! Rows of the marks of a course: what a student has in an assignment, and why.

use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::deadline::Deadline;
use crate::course::hand_in::HandIn;
use crate::course::policy::{LatePolicy, Verdict};
use crate::course::roster::{Ambiguous, StudentIndex};
use crate::course::settings::Counts;
use crate::model::Points;

/// Marks of a course.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Standings {
    /// Assignments in the order of their due dates; those without one last.
    pub assignments: Vec<AssignmentStandings>,
    /// Submissions of nobody in the roster, or of an unknown assignment.
    pub unknown: Vec<HandIn>,
    /// Names in `[submissions]` of the course's file that no submission has.
    pub unused: Vec<Untrusted>,
}

/// Marks of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AssignmentStandings {
    /// Assignment id.
    pub id: String,
    /// Due date.
    pub due: Option<Deadline>,
    /// Hard stop.
    pub stop: Option<Deadline>,
    /// Late policy.
    pub policy: LatePolicy,
    /// Rule by which the submission that counts is chosen.
    pub counts: Counts,
    /// A row for each student, in the order of the roster.
    pub rows: Vec<StudentRow>,
}

/// Mark of a student in an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StudentRow {
    /// Number of the student in the roster.
    pub student: StudentIndex,
    /// Submission that counts, or would.
    pub submission: Option<Untrusted>,
    /// Time of submission, on the clock of the due date.
    pub submitted: Option<Deadline>,
    /// Due date of this student, if it was extended.
    pub extended_to: Option<Deadline>,
    /// Points available, if they are known.
    pub max_points: Option<Points>,
    /// Late days used in assignments that are due earlier.
    pub late_days_before: u32,
    /// Result.
    pub outcome: RowOutcome,
}

/// Result of a student in an assignment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowOutcome {
    /// There is no submission.
    Missing,
    /// The grader failed.
    NoGrade,
    /// People have not marked this number of written answers.
    Unmarked(usize),
    /// This number of submissions was handed in, and not all have a time.
    Undecided(usize),
    /// The submission that is marked as counting is not there.
    NoSuchMarked,
    /// The platform calls it late, and the time of submission is not known.
    LateByUnknown,
    /// The submission counts.
    Counted(Verdict),
}

/// Names in the course's file or of submissions that do not lead to one student.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum StandingsError {
    /// Submissions may belong to several students.
    #[error("{}", .0.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"))]
    Ambiguous(
        /// Submissions.
        Vec<Ambiguous>,
    ),
    /// A table of the file names somebody who is not in the roster.
    #[error("{table} names `{name}`, and the roster has no such {kind}")]
    NotInRoster {
        /// Name of the table.
        table: &'static str,
        /// Name that was not found.
        name: Untrusted,
        /// `student` or `group`.
        kind: &'static str,
        /// Place of the name in the text of the course's file, in bytes.
        at: usize,
    },
    /// Two submissions are marked as counting for one student or group.
    #[error(
        "marked names two submissions for `{name}`, or for `{name}` and another member of the group"
    )]
    MarkedTwice {
        /// Name of the student.
        name: Untrusted,
        /// Place of the submission's name in the text of the course's file, in bytes.
        at: usize,
    },
}

impl StandingsError {
    /// Returns the place of the mistake in the text of the course's file, in bytes; `None` if it is not there.
    pub fn at(&self) -> Option<usize> {
        match self {
            Self::Ambiguous(_) => None,
            Self::NotInRoster { at, .. } | Self::MarkedTwice { at, .. } => Some(*at),
        }
    }
}

impl From<Ambiguous> for StandingsError {
    fn from(ambiguous: Ambiguous) -> Self {
        Self::Ambiguous(vec![ambiguous])
    }
}

impl RowOutcome {
    /// Returns the effect of the policy; `None` if nothing counts yet.
    pub fn verdict(self) -> Option<Verdict> {
        if let Self::Counted(verdict) = self { Some(verdict) } else { None }
    }
}

impl StudentRow {
    /// Returns the late days that it uses.
    pub fn late_days(&self) -> u32 {
        self.outcome.verdict().map_or(0, |verdict| verdict.late_days)
    }

    /// Returns the points that count; `None` if there are none yet.
    pub fn points(&self) -> Option<Points> {
        self.outcome.verdict().map(|verdict| verdict.points)
    }
}
