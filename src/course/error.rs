//! Errors of the course's file.

use std::io;
use std::path::PathBuf;

use thiserror::Error;

use crate::course::day::Day;
use crate::course::deadline::Deadline;

/// A `softmark.toml` that cannot be used.
#[derive(Debug, Error)]
pub enum CourseError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is not valid; the error gives line and column.
    #[error("{} is not valid: {source}", path.display())]
    Invalid {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser.
        source: Box<toml::de::Error>,
    },
    /// Values of the file contradict one another.
    #[error("{}:{line}:{column}: {contradiction}", path.display())]
    Contradiction {
        /// Path of the file.
        path: PathBuf,
        /// Number of the line with the value.
        line: usize,
        /// Number of the character in the line.
        column: usize,
        /// Contradiction.
        contradiction: Box<Contradiction>,
    },
    /// A course lies in another one, and it is unknown which of them is meant.
    #[error(
        "{} lies below {}, so nothing tells which of the two courses is meant",
        inner.display(),
        outer.display()
    )]
    Nested {
        /// Path of the nearest file.
        inner: PathBuf,
        /// Path of the next one above it.
        outer: PathBuf,
    },
}

/// Values of a course's file that contradict one another.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub enum Contradiction {
    /// The answers of an assignment would be shown to students who may still hand in.
    #[error(
        "the answers of `{assignment}` are shown after {answers}, while students hand in through {due} ({zone})"
    )]
    EarlyAnswers {
        /// Assignment id.
        assignment: String,
        /// Day after which answers are shown.
        answers: Day,
        /// Last day on which students hand in.
        due: Day,
        /// Time zone of both days.
        zone: String,
    },
    /// An assignment is released after it is due.
    #[error("`{assignment}` is released on {release}, after it is due on {due}")]
    LateRelease {
        /// Assignment id.
        assignment: String,
        /// Release date.
        release: Deadline,
        /// Due date.
        due: Deadline,
    },
    /// The hard stop of an assignment is before its due date.
    #[error("late submissions of `{assignment}` end on {late_until}, before it is due on {due}")]
    EarlyStop {
        /// Assignment id.
        assignment: String,
        /// Hard stop.
        late_until: Deadline,
        /// Due date.
        due: Deadline,
    },
    /// A time has no offset, and the course no time zone.
    #[error(
        "a time without an offset is of a time zone, and the course has none: add `time_zone`, such as \
         `time_zone = \"Europe/Berlin\"`, or the offset, such as 2026-11-26T23:59:00+01:00"
    )]
    NoTimeZone,
    /// A hard stop or an extension needs a due date.
    #[error("`{0}` has no due date: add `due` to its table")]
    NoDueDate(
        /// Assignment id.
        String,
    ),
    /// Late days pay for nothing, because lateness costs nothing.
    #[error(
        "late days pay for a percentage, and there is none: add `percent_per_day` to [late]; with 100, a submission \
         gets nothing once the late days are used"
    )]
    UselessLateDays,
    /// A submission is marked, and another one counts.
    #[error("`marked` has no effect: add `counts = \"marked\"` to [assignments.{0}]")]
    UselessMarks(
        /// Assignment id.
        String,
    ),
    /// A student is named twice, by names that differ in capitals or spaces alone.
    #[error("`marked` names one student twice, `{one}` and `{other}`")]
    MarkedTwice {
        /// Name of the student.
        one: String,
        /// Other name of the student.
        other: String,
    },
    /// One assignment may take more late days than a student has.
    #[error(
        "an assignment may take {}, and a student has {budget} in the whole course (`late_days` in [late])",
        days(*most)
    )]
    TooManyLateDays {
        /// Most late days that an assignment may take.
        most: u32,
        /// Late days of a student.
        budget: u32,
    },
    /// An extension is of an assignment that the file does not have.
    #[error("there is no table [assignments.{0}]")]
    NoAssignment(
        /// Assignment id.
        String,
    ),
    /// An extension names nobody, or both a student and a group.
    #[error("an extension is of either a `student` or a `group`")]
    ExtensionOfWhom,
    /// An extension has neither a date nor days, or both.
    #[error("an extension has either `due` or `days`")]
    ExtensionWithoutDate,
    /// An extension has no days.
    #[error("an extension of 0 days changes nothing: remove it, or say how many days it has")]
    ExtensionOfNothing,
    /// An extension ends before the due date.
    #[error("the extension to {to} is not after the due date {due}")]
    EarlyExtension {
        /// Date of the extension.
        to: Deadline,
        /// Due date.
        due: Deadline,
    },
}

/// Returns a number of late days in words.
fn days(count: u32) -> String {
    format!("{count} late day{}", if count == 1 { "" } else { "s" })
}
