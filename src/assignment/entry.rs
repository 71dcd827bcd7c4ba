//! Contents of an assignment.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use softmark_sandbox::Limits;

use crate::model::{Points, Visibility};

/// Check of an assignment and its points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckEntry {
    /// Check id: `task/check`.
    pub id: String,
    /// Points that the check can earn.
    pub points: Points,
    /// Visibility to students.
    pub visibility: Visibility,
    /// Accuracy threshold, for checks of a trained component.
    pub band: Option<Band>,
}

/// Accuracy threshold: a share of right answers, exact to four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Band(u32);

impl Band {
    /// Representation of a share of 1.
    const WHOLE: u32 = 10_000;

    /// Returns the band with this share; `None` unless it is above 0, at most 1 and has four
    /// decimals at most.
    ///
    /// ```
    /// use softmark::assignment::Band;
    ///
    /// let band = Band::parse(0.92).unwrap();
    /// assert!(band.is_reached(0.92) && !band.is_reached(0.9199));
    /// assert_eq!(band.to_string(), "92 %");
    /// assert_eq!(Band::parse(0.975).unwrap().to_string(), "97.5 %");
    /// assert_eq!(Band::parse(1.5), None);
    /// ```
    pub fn parse(share: f64) -> Option<Self> {
        let whole = f64::from(Self::WHOLE);
        let scaled = (share * whole).round();
        let is_exact = (scaled / whole - share).abs() < 1e-12;
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a whole number from 1 to 10,000"
        )]
        let band = || Self(scaled as u32);
        ((1.0..=whole).contains(&scaled) && is_exact).then(band)
    }

    /// Returns the share of right answers.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }

    /// True if an accuracy reaches the threshold.
    ///
    /// The accuracy is a ratio of counts or a mean of ratios: 10⁻⁹ is far above its rounding error
    /// and far below the effect of one more right answer.
    pub fn is_reached(self, accuracy: f64) -> bool {
        accuracy >= self.share() - 1e-9
    }
}

impl fmt::Display for Band {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.share() * 100.0)
    }
}

/// Time limits for grading one compiled submission: all checks, trainings and models together.
///
/// Both are many times what the solution costs, because a verdict near a limit would depend on the
/// machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// Processor time of the submission's workers, and of the grader on its behalf.
    pub cpu: Duration,
    /// Time in which the grader waits for a worker that does not compute.
    pub wall: Duration,
}

impl Deadline {
    /// Returns the limits for trusted code, which only has to end eventually.
    pub const fn generous() -> Self {
        Self { cpu: Duration::from_hours(4), wall: Duration::from_hours(4) }
    }
}

/// Aggregation of the accuracies of repeated training runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// The best of all runs.
    Best,
    /// The mean of all runs.
    Mean,
}

/// Rules for training the tasks that have bands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingRules {
    /// Number of runs, each with other random numbers.
    pub runs: u32,
    /// Aggregation of their accuracies.
    pub take: Take,
    /// Limits of a worker for one run.
    pub limits: Limits,
}

/// Task of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEntry {
    /// Task id, such as `multi-head`.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Sum of the points of its checks.
    pub points: Points,
    /// Checks in the order in which they are reported.
    pub checks: Vec<CheckEntry>,
}

/// Written answer that a person marks; its points are counted separately.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenEntry {
    /// Question id, such as `explanation`.
    pub id: String,
    /// Title of the question, for people.
    pub title: String,
    /// Most points that the answer can get.
    pub points: Points,
    /// File with answers that holds it.
    pub file: String,
}

/// Checkpoint that may be handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadEntry {
    /// Name of the file beside `src/`, such as `best.safetensors`.
    pub file: String,
    /// Most bytes that the file may have. Archives have a limit of their own (32 MiB), which
    /// applies in addition.
    pub bytes: u64,
}

/// Folder of the course with data that students get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DataEntry {
    /// Path of the folder in the course.
    pub from: String,
    /// Path of the folder in a release.
    pub to: String,
}

/// Assignment, as read from its `assignment.toml`.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// Assignment id, such as `attention`: the name of its folder.
    pub id: String,
    /// Title for people.
    pub title: String,
    /// Sum of the points of its tasks.
    pub points: Points,
    /// Tasks; later ones build on earlier ones.
    pub tasks: Vec<TaskEntry>,
    /// Files that are taken from a submission, as paths below `src/`.
    pub collect: Vec<String>,
    /// Files that the grader adds to every submission, with their contents.
    pub provided: BTreeMap<String, Vec<u8>>,
    /// Collected files as handed out to students, with their contents. A submitted file that does
    /// not compile is replaced by this version.
    pub skeleton: BTreeMap<String, Vec<u8>>,
    /// Files with answers that are taken from beside `src/`; a missing file counts as an empty one.
    pub answers: Vec<String>,
    /// Written answers that a person marks.
    pub written: Vec<WrittenEntry>,
    /// Checkpoints that are taken from beside `src/`; a missing one costs only its own points.
    pub uploads: Vec<UploadEntry>,
    /// Folders of the course that are released with the assignment.
    pub data: Vec<DataEntry>,
    /// Limits of a worker.
    pub worker: Limits,
    /// Rules for training; `Some` if any check has a band.
    pub training: Option<TrainingRules>,
    /// Time limits for grading one submission.
    pub deadline: Deadline,
    /// SHA-256 of `assignment.toml`, the provided files and the skeleton, in hexadecimal.
    pub sha256: String,
}

impl Assignment {
    /// Returns the points of the written answers, which people mark.
    pub fn written_points(&self) -> Points {
        self.written.iter().map(|it| it.points).sum()
    }
}
