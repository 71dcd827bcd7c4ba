//! Arguments of commands that work on the ledger.

use std::num::NonZeroUsize;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Subcommand};

use crate::cli::args::parsers::{document_format_parser, format_parser};
use crate::cli::args::{AudienceArgs, IsolationArgs};
use crate::report::{DocumentFormat, Format};

/// Arguments of `grade log`.
#[derive(Debug, ClapArgs)]
pub(crate) struct LogArgs {
    /// Name of the submission; without it, the runs are listed.
    #[arg(value_name = "NAME")]
    pub(crate) submission: Option<String>,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = document_format_parser())]
    pub(crate) format: DocumentFormat,
}

/// Arguments of `grade regrade`.
#[derive(Debug, ClapArgs)]
pub(crate) struct RegradeArgs {
    /// Paths of the submissions, as `grade run` takes them [default: those at which they were last
    /// graded].
    #[arg(value_name = "SUBMISSION")]
    pub(crate) submissions: Vec<PathBuf>,

    /// Regrade the submissions to this assignment [default: those to all assignments].
    #[arg(long, value_name = "ID")]
    pub(crate) assignment: Option<String>,

    /// Run the checks whose ids match this pattern again, whatever has changed; regrade the
    /// submissions that have one.
    #[arg(long, value_name = "GLOB")]
    pub(crate) check: Option<String>,

    /// Run the checks again for which this mistake was named, whatever has changed; regrade the
    /// submissions that have one.
    #[arg(long, value_name = "MISTAKE")]
    pub(crate) mistake: Option<String>,

    /// Pattern of submission names, if SUBMISSION is given; see `grade run`.
    #[arg(long, value_name = "PRESET|REGEX", requires = "submissions")]
    pub(crate) names: Option<String>,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = format_parser())]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) audience: AudienceArgs,

    /// Number of submissions to grade at the same time [default: one for each processor].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Seed of all random inputs [default: that of each submission's last grading].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) seed: Option<u64>,

    #[command(flatten)]
    pub(crate) isolation: IsolationArgs,

    /// Print how long compiling, linking, starting workers, checks, diagnosis and training took.
    #[arg(long)]
    pub(crate) timings: bool,
}

/// Arguments of `grade diff`.
#[derive(Debug, ClapArgs)]
pub(crate) struct DiffArgs {
    /// Earlier results.
    #[arg(value_name = "RESULTS", default_value = "previous")]
    pub(crate) before: String,

    /// Later results.
    #[arg(value_name = "RESULTS", default_value = "latest")]
    pub(crate) after: String,

    /// Folder of the results to which numbers of runs belong.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = document_format_parser())]
    pub(crate) format: DocumentFormat,

    /// End with exit code 1 if a submission lost points or its grade, also by not being in the later results.
    #[arg(long)]
    pub(crate) fail_on_loss: bool,
}

/// Arguments of `grade override`.
#[derive(Debug, ClapArgs)]
pub(crate) struct OverrideArgs {
    /// Name of the submission; without it, the overrides that hold are listed.
    #[arg(value_name = "NAME", requires = "check")]
    pub(crate) submission: Option<String>,

    /// Check id, such as `multi-head/mask-hides`.
    #[arg(value_name = "TASK/CHECK", requires = "decision")]
    pub(crate) check: Option<String>,

    /// Points, such as 0.5.
    #[arg(long, value_name = "POINTS", allow_negative_numbers = true, group = "decision", requires_all = ["reason", "by"])]
    pub(crate) points: Option<f64>,

    /// Withdraw the override: the grader's points count again.
    #[arg(long, group = "decision", requires = "by")]
    pub(crate) withdraw: bool,

    /// Reason for the decision; students see it.
    #[arg(long, value_name = "TEXT", requires = "check")]
    pub(crate) reason: Option<String>,

    /// Name of the person who decides.
    #[arg(long, value_name = "NAME", requires = "check")]
    pub(crate) by: Option<String>,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,
}

/// Subject of an appeal, and the author of a step.
#[derive(Debug, ClapArgs)]
pub(crate) struct AppealTarget {
    /// Name of the submission.
    #[arg(value_name = "NAME")]
    pub(crate) submission: String,

    /// Check id [default: the whole grade].
    #[arg(value_name = "TASK/CHECK")]
    pub(crate) check: Option<String>,

    /// Name of the author.
    #[arg(long, value_name = "NAME")]
    pub(crate) by: String,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,
}

/// Command of `grade appeal`.
#[derive(Debug, Subcommand)]
pub(crate) enum AppealCommand {
    /// Open an appeal with a question.
    Open {
        #[command(flatten)]
        target: AppealTarget,
        /// Question.
        #[arg(long, value_name = "TEXT")]
        question: String,
    },
    /// Answer an open appeal.
    Answer {
        #[command(flatten)]
        target: AppealTarget,
        /// Answer.
        #[arg(long, value_name = "TEXT")]
        answer: String,
    },
    /// Close an open appeal, with a last answer or without one.
    Close {
        #[command(flatten)]
        target: AppealTarget,
        /// Last answer.
        #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
        answer: String,
    },
    /// List open appeals with their answers.
    List {
        /// Name of the submission [default: all].
        #[arg(value_name = "NAME")]
        submission: Option<String>,
        /// List closed appeals, too.
        #[arg(long)]
        all: bool,
        /// Folder of the results.
        #[arg(long, value_name = "DIR", default_value = "results")]
        out: PathBuf,
    },
}

/// Arguments of `grade stats`.
#[derive(Debug, ClapArgs)]
pub(crate) struct StatsArgs {
    /// Assignment id [default: all assignments of the ledger].
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: Option<String>,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = document_format_parser())]
    pub(crate) format: DocumentFormat,
}
