//! Arguments of commands that work on results.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};

use crate::cli::args::parsers::format_parser;
use crate::report::Format;

/// Arguments of `grade show`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ShowArgs {
    /// Name of the submission.
    #[arg(value_name = "ID")]
    pub(crate) submission: String,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,

    /// Format of the standard output.
    #[arg(long, default_value = "terminal", value_parser = format_parser())]
    pub(crate) format: Format,

    #[command(flatten)]
    pub(crate) audience: AudienceArgs,
}

/// Options about the readers of a report.
#[derive(Debug, ClapArgs)]
pub(crate) struct AudienceArgs {
    /// Readers of the standard output: `staff` see everything; `student` sees no inputs and expected values of
    /// hidden checks before the answer date of the assignment, and no seeds.
    #[arg(long, value_name = "WHO", default_value = "staff")]
    pub(crate) audience: Who,

    /// With `--audience student`, show inputs and expected values of hidden checks whatever the answer date.
    #[arg(long)]
    pub(crate) reveal: bool,
}

/// Readers of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Who {
    Staff,
    Student,
}

/// Arguments of `grade feedback`.
#[derive(Debug, ClapArgs)]
pub(crate) struct FeedbackArgs {
    /// Folder to write into: each assignment becomes a folder in it.
    #[arg(long, value_name = "DIR")]
    pub(crate) out: PathBuf,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) results: PathBuf,

    /// Write only the pages of this assignment.
    #[arg(long, value_name = "ID")]
    pub(crate) assignment: Option<String>,

    /// Show inputs and expected values of hidden checks whatever the answer date.
    #[arg(long)]
    pub(crate) reveal: bool,
}

/// Arguments of `grade mark`.
#[derive(Debug, ClapArgs)]
pub(crate) struct MarkArgs {
    /// Name of the submission; without it, the answers that need marking are listed.
    #[arg(value_name = "SUBMISSION", requires = "question")]
    pub(crate) submission: Option<String>,

    /// Id of the question, such as `explanation`.
    #[arg(value_name = "QUESTION", requires = "points")]
    pub(crate) question: Option<String>,

    /// Points, such as 3.5.
    #[arg(value_name = "POINTS", allow_negative_numbers = true)]
    pub(crate) points: Option<f64>,

    /// Name of the marker.
    #[arg(long, value_name = "NAME", default_value = "", hide_default_value = true)]
    pub(crate) by: String,

    /// Comment for the student.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    pub(crate) comment: String,

    /// Folder of the results.
    #[arg(long, value_name = "DIR", default_value = "results")]
    pub(crate) out: PathBuf,
}
