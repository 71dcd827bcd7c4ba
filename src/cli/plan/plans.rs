//! Plans of the commands, as data.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap_complete::Shell;
use globset::GlobMatcher;
use softmark_sandbox::Level;

use crate::cli::args::Fill;
use crate::cli::isolation::Wanted;
use crate::cli::plan::course::CoursePlan;
use crate::cli::plan::ledger::{AppealPlan, DiffPlan, LogPlan, OverridePlan, StatsPlan};
use crate::cli::plan::serve::ServePlan;
use crate::cli::readers::Readers;
use crate::cli::site::Site;
use crate::intake::Names;
use crate::jobs::EngineChoice;
use crate::ledger::Selection;
use crate::model::Points;
use crate::package::ToolchainSource;
use crate::report::{DocumentFormat, Format};
use crate::scaffold::NewCourse;
use crate::similar::Threshold;

/// A command to run.
#[derive(Debug)]
pub(crate) enum Plan {
    /// Grades submissions.
    Run(Box<RunPlan>),
    /// Grades a chunk of a run.
    Chunk(PathBuf),
    /// Goes on with a run.
    Attach(PathBuf),
    /// Packages an assignment.
    Package(PackagePlan),
    /// Grades in a platform's container.
    Autograde(AutogradePlan),
    /// Prints a record.
    Show(ShowPlan),
    /// Adds a mark to a written answer, or lists the answers without one.
    Mark(MarkPlan),
    /// Writes a page for each student.
    Feedback(FeedbackPlan),
    /// Reports pairs of submissions that agree.
    Similar(Box<SimilarPlan>),
    /// Decides the points of a check, or lists such decisions.
    Override(OverridePlan),
    /// Adds a step of an appeal, or lists appeals.
    Appeal(AppealPlan),
    /// Grades submissions again that the ledger knows.
    Regrade(Box<RegradePlan>),
    /// Prints the history of a submission, or lists runs.
    Log(LogPlan),
    /// Compares two results.
    Diff(DiffPlan),
    /// Prints statistics of checks.
    Stats(StatsPlan),
    /// Serves pages, or changes the file of users.
    Serve(Box<ServePlan>),
    /// Explains a mistake, or lists all mistakes.
    Explain(Option<String>),
    /// Measures the bands of an assignment.
    Calibrate(Box<CalibratePlan>),
    /// Audits the checks of an assignment.
    Audit(Box<AuditPlan>),
    /// Checks this machine, and those of a job engine.
    Doctor(DoctorPlan),
    /// Works on the marks of a course.
    Course(CoursePlan),
    /// Makes a course or an assignment.
    New(NewPlan),
    /// Releases assignments.
    Release(ReleasePlan),
    /// Prints completions for a shell.
    Completions(Shell),
    /// Writes manual pages into a folder.
    Man(PathBuf),
}

/// Inputs of `grade package`.
#[derive(Debug)]
pub(crate) struct PackagePlan {
    /// Paths of the course and the program.
    pub(crate) site: Site,
    /// Assignment id.
    pub(crate) assignment: String,
    /// Path of the archive or folder.
    pub(crate) out: PathBuf,
    /// Platform that the package is for.
    pub(crate) platform: Platform,
}

/// Platform that a package is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Platform {
    /// Gradescope, and the source of the toolchain in its image.
    Gradescope(ToolchainSource),
    /// GitHub.
    Github,
}

/// Inputs of `grade autograde`.
#[derive(Debug)]
pub(crate) struct AutogradePlan {
    /// Paths of the course and the program.
    pub(crate) site: Site,
    /// Assignment id.
    pub(crate) assignment: String,
    /// Folder with the submission and its metadata.
    pub(crate) folder: PathBuf,
}

/// Inputs of `grade release`.
#[derive(Debug)]
pub(crate) struct ReleasePlan {
    /// Paths of the course and the program.
    pub(crate) site: Site,
    /// Assignment ids.
    pub(crate) assignments: Vec<String>,
    /// Folder to write into.
    pub(crate) out: PathBuf,
    /// True if archives are written, too.
    pub(crate) zip: bool,
    /// True if the released folders are tested.
    pub(crate) check: bool,
}

/// Inputs of `grade new`.
#[derive(Debug)]
pub(crate) enum NewPlan {
    /// A course.
    Course(NewCourse),
    /// An assignment in a course.
    Assignment {
        /// Paths of the course and the program.
        site: Site,
        /// Assignment id.
        id: String,
    },
}

/// Inputs of `grade audit`.
#[derive(Debug)]
pub(crate) struct AuditPlan {
    /// Paths of the project and the program.
    pub(crate) site: Site,
    /// Assignment id.
    pub(crate) assignment: String,
    /// Seeds of the checks' inputs.
    pub(crate) seeds: Vec<u64>,
    /// Number of fixtures that are processed at the same time.
    pub(crate) jobs: NonZeroUsize,
    /// Output format.
    pub(crate) format: DocumentFormat,
    /// Path of the output file; `None` for stdout.
    pub(crate) out: Option<PathBuf>,
    /// Pattern of the fixtures to audit; `None` for all.
    pub(crate) only: Option<GlobMatcher>,
    /// True if a selection of mutants suffices.
    pub(crate) short: bool,
    /// Result of the command.
    pub(crate) result: AuditResult,
    /// Job engine that examines the fixtures; `None` if this process does.
    pub(crate) engine: Option<EnginePlan>,
}

/// Result of `grade audit`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum AuditResult {
    /// Findings about the checks.
    Findings,
    /// Every message that a student could get.
    Messages,
    /// Files with the answers of mutants; nothing is audited.
    Recordings,
}

/// Inputs of `grade calibrate`.
#[derive(Debug)]
pub(crate) struct CalibratePlan {
    /// Paths of the project and the program.
    pub(crate) site: Site,
    /// Assignment id.
    pub(crate) assignment: String,
    /// Task whose training is measured; `None` for the only one.
    pub(crate) task: Option<String>,
    /// Seeds of the trainings.
    pub(crate) seeds: Vec<u64>,
    /// Pattern of the variants to train; `None` for all.
    pub(crate) only: Option<GlobMatcher>,
    /// True if mutants without an expected result are trained too.
    pub(crate) all_mutants: bool,
    /// Number of trainings that run at the same time.
    pub(crate) jobs: NonZeroUsize,
    /// True if the output is JSON.
    pub(crate) json: bool,
    /// Job engine that trains; `None` if this process does.
    pub(crate) engine: Option<EnginePlan>,
}

/// Inputs of `grade run`.
#[derive(Debug)]
pub(crate) struct RunPlan {
    /// Paths of the project and the program.
    pub(crate) site: Site,
    /// Paths of the submissions, as given on the command line.
    pub(crate) submissions: Vec<PathBuf>,
    /// Rules for reading the submissions' names.
    pub(crate) names: Names,
    /// Pattern that these rules were made from, if one was given.
    pub(crate) names_given: Option<String>,
    /// Assignment id, if given on the command line.
    pub(crate) assignment: Option<String>,
    /// Folder of the results; `None` if no records are kept.
    pub(crate) out: Option<PathBuf>,
    /// Output format for stdout.
    pub(crate) format: Format,
    /// Readers of stdout.
    pub(crate) readers: Readers,
    /// Number of submissions that are graded at the same time.
    pub(crate) jobs: NonZeroUsize,
    /// Seed of all random inputs.
    pub(crate) seed: u64,
    /// Name of the candle device.
    pub(crate) device: String,
    /// Pattern of the checks to run; `None` for all.
    pub(crate) only: Option<GlobMatcher>,
    /// Isolation level that was requested.
    pub(crate) isolation: Wanted,
    /// Isolation level of workers, if it differs.
    pub(crate) workers_at: Option<Level>,
    /// True if submissions that have a record are graded again.
    pub(crate) fresh: bool,
    /// Gradebook of a platform that is filled afterwards.
    pub(crate) fill: Option<Fill>,
    /// True to print how long grading took.
    pub(crate) timings: bool,
    /// Least percentage of points that is required.
    pub(crate) require: Option<u8>,
    /// Job engine that grades; `None` if this process does.
    pub(crate) engine: Option<EnginePlan>,
}

/// Inputs of `grade regrade`.
#[derive(Debug)]
pub(crate) struct RegradePlan {
    /// Grading of the submissions; its paths are those on the command line.
    pub(crate) run: RunPlan,
    /// Choice of submissions and checks.
    pub(crate) selection: Selection,
    /// Seed of all random inputs; `None` for that of each submission's last grading.
    pub(crate) seed: Option<u64>,
}

/// Job engine, and how it is asked.
#[derive(Debug)]
pub(crate) struct EnginePlan {
    /// Engine.
    pub(crate) engine: EngineChoice,
    /// Number of chunks; `None` for as many as the expected costs ask for.
    pub(crate) chunks: Option<NonZeroUsize>,
    /// Folder of the run to go on with.
    pub(crate) attached: Option<PathBuf>,
}

/// Inputs of `grade doctor`.
#[derive(Debug)]
pub(crate) struct DoctorPlan {
    /// Paths of the course and the program.
    pub(crate) site: Site,
    /// Job engine whose machines are checked, too.
    pub(crate) engine: Option<EnginePlan>,
    /// Folder in which jobs leave their results.
    pub(crate) out: PathBuf,
}

/// Inputs of `grade show`.
#[derive(Debug)]
pub(crate) struct ShowPlan {
    /// Submission id.
    pub(crate) submission: String,
    /// Folder of the results.
    pub(crate) out: PathBuf,
    /// Output format for stdout.
    pub(crate) format: Format,
    /// Readers of stdout.
    pub(crate) readers: Readers,
}

/// Inputs of `grade feedback`.
#[derive(Debug)]
pub(crate) struct FeedbackPlan {
    /// Folder to write into.
    pub(crate) out: PathBuf,
    /// Folder of the results.
    pub(crate) results: PathBuf,
    /// Assignment id; `None` for all.
    pub(crate) assignment: Option<String>,
    /// Students, and whether they see answers.
    pub(crate) readers: Readers,
}

/// Inputs of `grade similar`.
#[derive(Debug)]
pub(crate) struct SimilarPlan {
    /// Paths of the course and the program.
    pub(crate) site: Site,
    /// Paths of this year's submissions.
    pub(crate) submissions: Vec<PathBuf>,
    /// Paths of the submissions of earlier years.
    pub(crate) with: Vec<PathBuf>,
    /// Assignment id, if given on the command line.
    pub(crate) assignment: Option<String>,
    /// Rules for reading the submissions' names.
    pub(crate) names: Names,
    /// Threshold from which on a pair is reported.
    pub(crate) threshold: Threshold,
    /// Output format.
    pub(crate) format: DocumentFormat,
    /// Path of the output file; `None` for stdout.
    pub(crate) out: Option<PathBuf>,
}

/// Inputs of `grade mark`.
#[derive(Debug)]
pub(crate) struct MarkPlan {
    /// New mark; `None` if the existing marks are to be applied to the records.
    pub(crate) given: Option<NewMark>,
    /// Folder of the results.
    pub(crate) out: PathBuf,
}

/// Points that a person gives for a written answer.
#[derive(Debug)]
pub(crate) struct NewMark {
    /// Submission id.
    pub(crate) submission: String,
    /// Question id.
    pub(crate) question: String,
    /// Points given.
    pub(crate) points: Points,
    /// Name of the marker.
    pub(crate) by: String,
    /// Comment for the student.
    pub(crate) comment: String,
}
