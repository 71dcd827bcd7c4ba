//! Graded submissions, as far as a course needs them.

use softmark_untrusted::Untrusted;

use crate::course::civil_time::CivilTime;
use crate::course::moment::Moment;
use crate::course::wall_clock::{Reading, WallClock};
use crate::model::{LATE_NOTE, Points, Record, RecordOutcome};

/// Graded submission: whose name, when, and how many points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HandIn {
    /// Name of the submission.
    pub submission: Untrusted,
    /// Assignment id; empty if it is not known.
    pub assignment: Untrusted,
    /// SHA-256 of its files, in hexadecimal.
    pub sha256: Untrusted,
    /// Time of submission, as the record has it.
    submitted: Option<CivilTime>,
    /// Place among the submissions that were graded under its name.
    pub version: Version,
    /// True if its platform calls it late.
    pub is_called_late: bool,
    /// Mark.
    pub mark: Mark,
}

/// Place of a submission among those that were graded under its name, in the order of grading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Version {
    /// Another one was graded after it. Of two, the one with the larger number was graded later.
    Earlier(usize),
    /// It was graded last.
    Current,
}

/// Mark of a submission, before any late policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mark {
    /// Points of the grader, and those that people gave for written answers.
    Points {
        /// Points earned.
        points: Points,
        /// Points available.
        max_points: Points,
    },
    /// People have not marked all written answers.
    Unmarked {
        /// Number of answers without a mark.
        answers: usize,
        /// Points available.
        max_points: Points,
    },
    /// The grader failed.
    NoGrade,
}

impl Mark {
    /// Returns the points earned and available; `None` if they are not final.
    pub fn points(self) -> Option<(Points, Points)> {
        match self {
            Self::Points { points, max_points } => Some((points, max_points)),
            Self::Unmarked { .. } | Self::NoGrade => None,
        }
    }
}

impl HandIn {
    /// Returns a submission after which another one was graded under its name. `number` is its place in the order of grading.
    pub fn earlier(record: &Record, number: usize) -> Self {
        Self { version: Version::Earlier(number), ..Self::from(record) }
    }

    /// Returns true if another submission of the same files is the same version: one that was handed in at the same time, or one of the
    /// two has no time.
    pub fn is_same_version(&self, other: &Self) -> bool {
        let is_known = self.submitted.is_some() && other.submitted.is_some();
        !is_known || self.submitted == other.submitted
    }

    /// Returns true if it was graded last under its name.
    pub fn is_current(&self) -> bool {
        self.version == Version::Current
    }

    /// Returns the time of submission; one without an offset is on the clock `wall`. If it comes twice, it is the first one, in favour
    /// of the student.
    pub fn submitted(&self, wall: &WallClock) -> Option<Moment> {
        self.submitted.map(|time| time.moment(wall, Reading::Earlier))
    }
}

impl From<&Record> for HandIn {
    fn from(record: &Record) -> Self {
        let max_points =
            record.max_points + record.written.iter().map(|answer| answer.max_points).sum();
        let answers = record.written.iter().filter(|answer| answer.points.is_none()).count();
        let mark = match record.outcome {
            RecordOutcome::NoGrade => Mark::NoGrade,
            _ if answers > 0 => Mark::Unmarked { answers, max_points },
            RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
                let written = record.written.iter().filter_map(|answer| answer.points).sum();
                Mark::Points { points: record.points + written, max_points }
            }
        };
        let submitted = record.submitted.as_ref();
        Self {
            submission: record.submission.clone(),
            assignment: record.assignment.clone(),
            sha256: record.sha256.clone(),
            submitted: submitted.and_then(|text| CivilTime::parse(text.as_raw())),
            version: Version::Current,
            is_called_late: record.notes.iter().any(|note| *note == LATE_NOTE),
            mark,
        }
    }
}
