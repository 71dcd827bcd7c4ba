//! What is known of a submission once it has been graded.

use std::collections::BTreeMap;
use std::time::Duration;

use softmark_checks::KillMatrix;
use softmark_checks::outcome::Evidence;
use softmark_sandbox::ResourceUsage;

use crate::model::points::Points;

/// Whether students can read a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Visibility {
    /// It runs in a student's `cargo test` as well.
    Public,
    /// Only the grader has it.
    Hidden,
}

impl Visibility {
    /// As it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Public => "public",
            Self::Hidden => "hidden",
        }
    }
}

/// What came of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// All is as it should be.
    Pass,
    /// An answer was given and is not right.
    Wrong,
    /// The stub's `todo!()` was reached.
    NotImplemented,
    /// No answer was given.
    Fault,
    /// Needs something that failed.
    Blocked,
}

impl Status {
    /// As it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Wrong => "wrong",
            Self::NotImplemented => "not_implemented",
            Self::Fault => "fault",
            Self::Blocked => "blocked",
        }
    }
}

/// A check and what came of it.
#[derive(Debug, Clone, PartialEq)]
pub struct CheckRecord {
    /// `task/check`.
    pub id: String,
    /// What the check claims, such as `each row of weights sums to one`.
    pub title: String,
    /// Whether students can read it.
    pub visibility: Visibility,
    /// What came of it.
    pub status: Status,
    /// Points it earned.
    pub points: Points,
    /// Points it could earn.
    pub max_points: Points,
    /// The mistake that explains it, as `grade explain` knows it.
    pub mistake: Option<String>,
    /// What a person should read; empty for a pass.
    pub message: String,
    /// The case that shows it.
    pub evidence: Evidence,
    /// The command that runs this check alone again; `None` for a pass.
    pub replay: Option<String>,
    /// For a check of detectors: which of them caught what.
    pub matrix: Option<KillMatrix>,
}

/// A written answer, which a person marks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenRecord {
    /// `explanation` and so on.
    pub id: String,
    /// What is asked, for a person.
    pub title: String,
    /// Points that a person has given; `None` as long as nobody has. Never part of the record's own.
    pub points: Option<Points>,
    /// Points that can be given.
    pub max_points: Points,
    /// What whoever gave them says of it; empty where nothing is said.
    pub comment: String,
    /// What was handed in, as it is; empty where nothing was.
    pub text: String,
}

/// A trained model that was asked for, and how well it did.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelRecord {
    /// The task that asks for it.
    pub task: String,
    /// Its file.
    pub file: String,
    /// The share of unseen examples that it answered right; `None` where it could not be measured.
    pub accuracy: Option<f64>,
    /// How many examples those were.
    pub asked: usize,
    /// What they are: `questions`.
    pub examples: String,
    /// What the checkpoint says of itself: shown, and never believed.
    pub settings: BTreeMap<String, String>,
    /// Under which name it stands on the leaderboard.
    pub pseudonym: String,
    /// Message about the submission's own architecture, if the model was not measured in it; empty
    /// otherwise.
    pub own: String,
}

/// A part that was trained, and how well it did.
#[derive(Debug, Clone, PartialEq)]
pub struct TrainingRecord {
    /// The task that asks for it.
    pub task: String,
    /// The share of unseen examples that it answered right.
    pub accuracy: f64,
    /// Number of those examples.
    pub asked: usize,
    /// Noun for those examples: `questions`.
    pub examples: String,
    /// The tasks whose parts were the grader's own, in place of the submission's.
    pub references: Vec<String>,
}

/// A task and its checks.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskRecord {
    /// `multi-head` and so on.
    pub id: String,
    /// For a person: `Multi-head attention`.
    pub title: String,
    /// Points it earned.
    pub points: Points,
    /// Points it could earn.
    pub max_points: Points,
    /// In the order of the assignment.
    pub checks: Vec<CheckRecord>,
}

/// How grading a submission ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum RecordOutcome {
    /// It has a grade.
    Graded,
    /// It was not accepted as a submission.
    Rejected,
    /// It does not compile.
    BuildFailed,
    /// The grader failed; the student is not to blame.
    NoGrade,
}

impl RecordOutcome {
    /// As it stands in records.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Graded => "graded",
            Self::Rejected => "rejected",
            Self::BuildFailed => "build_failed",
            Self::NoGrade => "no_grade",
        }
    }
}

/// What grading a submission cost. Never part of a verdict, nor of the JSON document.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Usage {
    /// Processor time of the compiler and the worker.
    pub cpu: Duration,
    /// From start to end.
    pub wall: Duration,
    /// The largest resident size of any one process, in bytes.
    pub peak_bytes: u64,
}

impl From<ResourceUsage> for Usage {
    fn from(usage: ResourceUsage) -> Self {
        let ResourceUsage { cpu, wall, peak_bytes } = usage;
        Self { cpu, wall, peak_bytes }
    }
}

/// All that is known of one submission.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Its name: the student's, or the folder's.
    pub submission: String,
    /// When it was handed in, in ISO 8601, where its name or a file beside it says so.
    pub submitted: Option<String>,
    /// Of its files' names and contents, in hexadecimal.
    pub sha256: String,
    /// The assignment's id; empty where it could not be told.
    pub assignment: String,
    /// How grading ended.
    pub outcome: RecordOutcome,
    /// Why, unless it is graded.
    pub reason: Option<String>,
    /// Points it earned: the sum over its tasks.
    pub points: Points,
    /// Points it could earn.
    pub max_points: Points,
    /// In the order of the assignment; every check stands in it, whatever happened.
    pub tasks: Vec<TaskRecord>,
    /// What a person marks.
    pub written: Vec<WrittenRecord>,
    /// The trained models that were asked for.
    pub models: Vec<ModelRecord>,
    /// The trainings that were carried out.
    pub trainings: Vec<TrainingRecord>,
    /// What the grader wants to add, such as files that it left out.
    pub notes: Vec<String>,
    /// The end of what the student's code printed: shown, never read.
    pub log: String,
    /// What it cost; `None` where the record was taken from the cache.
    pub usage: Option<Usage>,
}

/// Which grader made the records, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grader {
    /// The project's version.
    pub version: String,
    /// The seed that every random input comes from.
    pub seed: u64,
    /// `cpu` or `cuda:N`.
    pub device: String,
    /// How submissions were isolated.
    pub sandbox: String,
}

/// A run over any number of submissions.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// Which grader, and how.
    pub grader: Grader,
    /// In the order of the submissions' names.
    pub records: Vec<Record>,
}
