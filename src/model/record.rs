//! Records: the results of grading.
//!
//! Fields are stored in the order in which they are declared. Their text is [`Untrusted`], whoever wrote it: a
//! record may have been read from a file.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use softmark_exam::Visibility;
use softmark_sandbox::ResourceUsage;
use softmark_untrusted::Untrusted;

use super::delta::Delta;
use super::evidence::Evidence;
use super::matrix::KillMatrix;
use super::points::Points;
use super::{named, number};

/// Note of a submission whose platform calls it late.
pub const LATE_NOTE: &str = "handed in late, as its name says";

/// Result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// The answer is right.
    Pass,
    /// The answer is not right.
    Wrong,
    /// The stub's `todo!()` was reached.
    NotImplemented,
    /// There was no answer.
    Fault,
    /// The check needs something that failed.
    Blocked,
}

named!(
    Status,
    "status",
    Pass => "pass",
    Wrong => "wrong",
    NotImplemented => "not_implemented",
    Fault => "fault",
    Blocked => "blocked",
);

/// Check and its result.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CheckRecord {
    /// Check id: `task/check`.
    pub id: Untrusted,
    /// Claim that the check tests, such as `each row of weights sums to one`.
    #[serde(default)]
    pub title: Untrusted,
    /// Visibility to students.
    pub visibility: Visibility,
    /// Result.
    pub status: Status,
    /// Points earned.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Decision of a person about these points; `None` if they are the grader's.
    #[serde(rename = "override", default, skip_serializing_if = "Option::is_none")]
    pub overridden: Option<OverrideRecord>,
    /// Id of the mistake that explains the result; `grade explain` has its page.
    pub mistake: Option<Untrusted>,
    /// Explanation for a person; empty for a pass.
    pub message: Untrusted,
    /// Case that shows the failure.
    pub evidence: Evidence,
    /// Command that runs this check alone again; `None` for a pass.
    #[serde(default)]
    pub replay: Option<Untrusted>,
    /// Verdicts of the student's detectors, for a check of detectors.
    #[serde(rename = "kill_matrix", default, skip_serializing_if = "Option::is_none")]
    pub matrix: Option<KillMatrix>,
}

/// Decision of a person that replaces the points of a check. The check's own points are those that the person gave.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OverrideRecord {
    /// Points that the grader gave.
    pub graded: Points,
    /// Reason, for the student.
    pub reason: Untrusted,
    /// Name of the person; empty in what students see.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub by: Untrusted,
    /// Time of the decision, in RFC 3339.
    pub given_at: Untrusted,
    /// True if the submission's files have changed since the decision.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_of_other_files: bool,
}

/// Written answer, which a person marks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct WrittenRecord {
    /// Question id, such as `explanation`.
    pub id: Untrusted,
    /// Question, for a person.
    pub title: Untrusted,
    /// Points that a person has given; `None` before that. They are never part of the record's own points.
    pub points: Option<Points>,
    /// Points available.
    pub max_points: Points,
    /// Comment of the person who gave the points; may be empty.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub comment: Untrusted,
    /// Items of the rubric that the marker chose, with their points as the rubric is now.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rubric: Vec<RubricRecord>,
    /// Answer as it was handed in; empty if there is none.
    pub text: Untrusted,
}

/// Item of a rubric that was chosen for an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RubricRecord {
    /// Description of the item, for the student.
    pub text: Untrusted,
    /// Points that it adds or takes away.
    pub points: Delta,
}

/// Trained model that was handed in, and its accuracy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModelRecord {
    /// Id of the task that asks for the model.
    pub task: Untrusted,
    /// Name of the model's file.
    pub file: Untrusted,
    /// Share of unseen examples that it answered right; `None` if it could not be measured.
    #[serde(default, with = "number::optional")]
    pub accuracy: Option<f64>,
    /// Number of unseen examples.
    pub asked: usize,
    /// Noun for those examples: `questions`.
    pub examples: Untrusted,
    /// Settings that the checkpoint states about itself; they are shown and affect nothing.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub settings: BTreeMap<Untrusted, Untrusted>,
    /// Name on the leaderboard.
    pub pseudonym: Untrusted,
    /// Message about the submission's own architecture, if the model was not measured in it; empty
    /// otherwise.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub own: Untrusted,
}

/// Part that was trained, and its accuracy.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingRecord {
    /// Id of the task that asks for the training.
    pub task: Untrusted,
    /// Share of unseen examples that it answered right.
    #[serde(with = "number")]
    pub accuracy: f64,
    /// Number of those examples.
    pub asked: usize,
    /// Noun for those examples: `questions`.
    pub examples: Untrusted,
    /// Ids of the tasks whose parts were the grader's own, in place of the submission's.
    pub references: Vec<Untrusted>,
    /// Every time that it was trained, in this order; empty in records of earlier versions.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub runs: Vec<TrainingRun>,
}

/// One training of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrainingRun {
    /// Share of unseen examples that it answered right.
    #[serde(with = "number")]
    pub accuracy: f64,
    /// Mean loss of each epoch, as the process of the submission reported it. It affects nothing.
    #[serde(with = "number::list")]
    pub losses: Vec<f64>,
}

/// Task and its checks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TaskRecord {
    /// Task id, such as `multi-head`.
    pub id: Untrusted,
    /// Title for a person, such as `Multi-head attention`.
    #[serde(default)]
    pub title: Untrusted,
    /// Points earned.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Checks in the order of the assignment.
    pub checks: Vec<CheckRecord>,
}

/// Outcome of grading a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordOutcome {
    /// The submission has a grade.
    Graded,
    /// It was not accepted as a submission.
    Rejected,
    /// It does not compile.
    BuildFailed,
    /// The grader failed; the student is not to blame.
    NoGrade,
}

named!(
    RecordOutcome,
    "outcome",
    Graded => "graded",
    Rejected => "rejected",
    BuildFailed => "build_failed",
    NoGrade => "no_grade",
);

/// Cost of grading a submission. It affects no verdict and is not part of the JSON document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Processor time of the compiler and the worker.
    pub cpu: Duration,
    /// Time from start to end.
    pub wall: Duration,
    /// Largest resident size of any one process, in bytes.
    pub peak_bytes: u64,
}

impl Usage {
    /// Returns the cost of both, one after the other.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        Self {
            cpu: self.cpu + other.cpu,
            wall: self.wall + other.wall,
            peak_bytes: self.peak_bytes.max(other.peak_bytes),
        }
    }
}

impl From<ResourceUsage> for Usage {
    fn from(usage: ResourceUsage) -> Self {
        let ResourceUsage { cpu, wall, peak_bytes } = usage;
        Self { cpu, wall, peak_bytes }
    }
}

/// Result of grading one submission.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Name of the submission: the student's, or the folder's.
    pub submission: Untrusted,
    /// Name of its entry in the folder or download that was graded, without an archive's ending; empty if it is the
    /// submission's name.
    #[serde(default, skip_serializing_if = "Untrusted::is_empty")]
    pub entry: Untrusted,
    /// Time of submission in ISO 8601, if its name or a file beside it states one.
    #[serde(default)]
    pub submitted: Option<Untrusted>,
    /// SHA-256 of the names and contents of its files, in hexadecimal.
    pub sha256: Untrusted,
    /// Assignment id; empty if it is not known.
    pub assignment: Untrusted,
    /// Outcome of grading.
    pub outcome: RecordOutcome,
    /// Reason for the outcome; `None` if it is graded.
    pub reason: Option<Untrusted>,
    /// Points earned: the sum over the tasks, with the [overrides](OverrideRecord) of their checks.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Tasks in the order of the assignment; every check is in it, whatever the outcome.
    pub tasks: Vec<TaskRecord>,
    /// Written answers, which a person marks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub written: Vec<WrittenRecord>,
    /// Trained models that the assignment asks for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<ModelRecord>,
    /// Trainings that were run.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub trainings: Vec<TrainingRecord>,
    /// Remarks of the grader, such as files that it left out.
    #[serde(default)]
    pub notes: Vec<Untrusted>,
    /// End of the output of the student's code; it is shown and never parsed.
    #[serde(default)]
    pub log: Untrusted,
    /// Cost of grading; `None` if the record is from the cache or was read.
    #[serde(skip)]
    pub usage: Option<Usage>,
}

/// Grader that made the records, and its settings.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grader {
    /// Version of the project.
    pub version: Untrusted,
    /// Seed from which every random input is derived; `None` in what students see, because hidden inputs follow from
    /// it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u64>,
    /// Device: `cpu` or `cuda:N`.
    pub device: Untrusted,
    /// Isolation level of submissions.
    pub sandbox: Untrusted,
}

/// Grading run of any number of submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Grader and its settings.
    pub grader: Grader,
    /// Records in the order of the submissions' names.
    pub records: Vec<Record>,
}
