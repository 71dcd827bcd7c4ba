//! Graded submissions, as far as a course needs them.

use std::collections::BTreeMap;

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

/// Submissions, as they are read: gradings in their order, and then the current ones.
#[derive(Debug, Clone, Default)]
pub struct HandIns {
    /// Versions of each submission, by assignment and name.
    versions: BTreeMap<(Untrusted, Untrusted), Vec<HandIn>>,
}

impl HandIns {
    /// Adds a submission. It takes the place of an earlier grading of the same version.
    ///
    /// An earlier version that the grader failed to grade is left out if its time is not known, or another grading of that time is
    /// there.
    pub fn add(&mut self, hand_in: HandIn) {
        let key = (hand_in.assignment.clone(), hand_in.submission.clone());
        let versions = self.versions.entry(key).or_default();
        let is_failure = !hand_in.is_current() && hand_in.mark == Mark::NoGrade;
        let is_graded = || versions.iter().any(|other| other.submitted == hand_in.submitted);
        if is_failure && (hand_in.submitted.is_none() || is_graded()) {
            return;
        }
        versions.retain(|other| !hand_in.replaces(other));
        versions.push(hand_in);
    }

    /// Returns all submissions.
    pub fn into_vec(self) -> Vec<HandIn> {
        self.versions.into_values().flatten().collect()
    }
}

impl HandIn {
    /// Returns true if another grading under its name is of the same version: of the same files, handed in at the same time or one of
    /// the two without a time; or one without a grade, of the same time.
    fn replaces(&self, other: &Self) -> bool {
        let are_times_known = self.submitted.is_some() && other.submitted.is_some();
        let is_time_other = are_times_known && self.submitted != other.submitted;
        let is_failure = are_times_known && other.mark == Mark::NoGrade;
        (self.sha256 == other.sha256 || is_failure) && !is_time_other
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
