//! Arguments of commands that work on checks and mistakes.

use std::num::{NonZeroU16, NonZeroUsize};
use std::path::PathBuf;

use clap::Args as ClapArgs;

use crate::cli::args::jobs::JobsArgs;
use crate::cli::args::parsers::document_format_parser;
use crate::report::DocumentFormat;

/// Arguments of `grade explain`.
#[derive(Debug, ClapArgs)]
pub(crate) struct ExplainArgs {
    /// Id of the mistake, as in a record.
    #[arg(value_name = "ID")]
    pub(crate) mistake: Option<String>,
}

/// Arguments of `grade calibrate`.
#[derive(Debug, ClapArgs)]
pub(crate) struct CalibrateArgs {
    /// Assignment id.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: String,

    /// Task whose training is measured [default: the only one with a training].
    #[arg(long, value_name = "TASK")]
    pub(crate) task: Option<String>,

    /// Number of seeds, of the data, the initial parameters and every order.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "20")]
    pub(crate) seeds: NonZeroU16,

    /// First seed.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value_t = 1)]
    pub(crate) seed: u64,

    /// Train only the variants whose names match this pattern, such as `solution`.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// Train all mutants, also those whose patch says nothing about training.
    #[arg(long)]
    pub(crate) all_mutants: bool,

    /// Number of trainings at the same time [default: one for each processor].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Print a JSON document instead of a table.
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) engine: JobsArgs,
}

/// Arguments of `grade audit`.
#[derive(Debug, ClapArgs)]
pub(crate) struct AuditArgs {
    /// Assignment id.
    #[arg(value_name = "ASSIGNMENT")]
    pub(crate) assignment: String,

    /// Number of seeds, from seed 1 on.
    #[arg(long, value_name = "N", allow_negative_numbers = true, default_value = "3")]
    pub(crate) seeds: NonZeroU16,

    /// Number of mutants and variants at the same time [default: one for each processor].
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    pub(crate) jobs: Option<NonZeroUsize>,

    /// Format of the output.
    #[arg(long, default_value = "terminal", value_parser = document_format_parser())]
    pub(crate) format: DocumentFormat,

    /// Output file [default: stdout].
    #[arg(long, value_name = "FILE")]
    pub(crate) out: Option<PathBuf>,

    /// Use only the mutants and accepted variants whose names match this pattern, such as `mask-*` or
    /// `solution`; problems that only the full set can show are not reported.
    #[arg(long, value_name = "GLOB")]
    pub(crate) only: Option<String>,

    /// Use seed 1 and one mutant for each check: a short test to be run often.
    #[arg(long, conflicts_with_all = ["only", "seeds"])]
    pub(crate) short: bool,

    #[command(flatten)]
    pub(crate) instead: InsteadArgs,

    #[command(flatten)]
    pub(crate) engine: JobsArgs,
}

/// Options of `grade audit` that replace the findings.
#[derive(Debug, ClapArgs)]
pub(crate) struct InsteadArgs {
    /// Print every message that a student could get, as Markdown, and nothing else; also those of attacks and
    /// of code that computes nothing.
    #[arg(long, conflicts_with = "format")]
    pub(crate) messages: bool,

    /// Record what mutants answer in the files beside their patches, <MUTANT>.answers.json, and run no check: of the
    /// mutants whose mistake is recognised by such files, or has no imitation yet.
    #[arg(long, conflicts_with_all = ["seeds", "format", "out", "short", "messages"])]
    pub(crate) record: bool,
}
