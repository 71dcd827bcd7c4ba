//! What is known of an assignment.

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use softmark_sandbox::Limits;

use crate::model::{Points, Visibility};

/// A check of an assignment and what it is worth.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckEntry {
    /// `task/check`.
    pub id: String,
    /// Points it can earn.
    pub points: Points,
    /// Whether students can read it.
    pub visibility: Visibility,
    /// For a check of how well a trained part does: the least share of right answers.
    pub band: Option<Band>,
}

/// A share of right answers, exact to four decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Band(u32);

impl Band {
    /// A share of 1.
    const WHOLE: u32 = 10_000;

    /// The band at that share; `None` unless it is above 0, at most 1 and has four decimals at most.
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

    /// The share.
    pub fn share(self) -> f64 {
        f64::from(self.0) / f64::from(Self::WHOLE)
    }

    /// Whether an accuracy is as high.
    ///
    /// The accuracy is a ratio of counts or a mean of some: 10⁻⁹ is far above what rounding takes
    /// from it and far below what one more right answer adds.
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
/// Both are many times what the solution costs, for a verdict near a limit would depend on the machine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Deadline {
    /// Processor time of its workers, and of the grader on its behalf.
    pub cpu: Duration,
    /// Time in which the grader waits for a worker that does not compute.
    pub wall: Duration,
}

impl Deadline {
    /// For code that is trusted: it only must come to an end some day.
    pub const fn generous() -> Self {
        Self { cpu: Duration::from_hours(4), wall: Duration::from_hours(4) }
    }
}

/// What counts where a part is trained more than once.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Take {
    /// The best of all runs.
    Best,
    /// The mean of all runs.
    Mean,
}

/// How tasks with bands are trained.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrainingRules {
    /// How often, each time from other random numbers.
    pub runs: u32,
    /// What counts of it.
    pub take: Take,
    /// What a worker may use for one run.
    pub limits: Limits,
}

/// A task of an assignment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskEntry {
    /// `multi-head` and so on.
    pub id: String,
    /// For a person.
    pub title: String,
    /// The sum over its checks.
    pub points: Points,
    /// In the order in which they are reported.
    pub checks: Vec<CheckEntry>,
}

/// A written answer that a person marks: its points are no part of the others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WrittenEntry {
    /// `explanation` and so on.
    pub id: String,
    /// What is asked, for a person.
    pub title: String,
    /// Points it can be given.
    pub points: Points,
    /// The file with answers that holds it.
    pub file: String,
}

/// A checkpoint that may be handed in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UploadEntry {
    /// Its name beside `src/`: `best.safetensors` and so on.
    pub file: String,
    /// The most bytes that it may have. An archive has a limit of its own (32 MiB), whatever is allowed
    /// here.
    pub bytes: u64,
}

/// An assignment.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// `attention` and so on: the name of its folder.
    pub id: String,
    /// For a person.
    pub title: String,
    /// The sum over its tasks.
    pub points: Points,
    /// In the order in which they build on one another.
    pub tasks: Vec<TaskEntry>,
    /// The files that are taken from a submission, as paths below `src/`.
    pub collect: Vec<String>,
    /// The files that the grader puts in whatever a submission holds, with their contents.
    pub provided: BTreeMap<String, Vec<u8>>,
    /// The collected files before a student begins, with their contents. A submitted file that does not
    /// compile is graded as if it were still this.
    pub skeleton: BTreeMap<String, Vec<u8>>,
    /// Paths of library items that no collected file may use, because they are what is to be built:
    /// `candle_nn::ops::sdpa`. What lies below a path is forbidden with it.
    pub forbidden: Vec<String>,
    /// Files with answers that are taken from beside `src/`; one that is missing answers nothing.
    pub answers: Vec<String>,
    /// What a person marks.
    pub written: Vec<WrittenEntry>,
    /// Checkpoints that are taken from beside `src/`; one that is missing costs its own points alone.
    pub uploads: Vec<UploadEntry>,
    /// What a worker may use.
    pub worker: Limits,
    /// How tasks with bands are trained; there where any check has a band.
    pub training: Option<TrainingRules>,
    /// Time limits for grading one submission.
    pub deadline: Deadline,
    /// SHA-256 of `assignment.toml`, the provided files and the skeleton, in hexadecimal.
    pub sha256: String,
}
