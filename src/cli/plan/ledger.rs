//! Plans of commands that work on the ledger.

use std::path::PathBuf;

use crate::cli::args::{AppealCommand, AppealTarget, DiffArgs, LogArgs, OverrideArgs, StatsArgs};
use crate::cli::failure::Failure;
use crate::model::Points;
use crate::report::DocumentFormat;
use crate::store::Step;

/// Inputs of `grade log`.
#[derive(Debug)]
pub(crate) struct LogPlan {
    /// Submission id; `None` to list runs.
    pub(crate) submission: Option<String>,
    /// Folder of the results.
    pub(crate) out: PathBuf,
    /// Output format.
    pub(crate) format: DocumentFormat,
}

/// Name of results to compare.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ResultsName {
    /// Run of this number.
    Run(i64),
    /// Last run.
    Latest,
    /// Last run but one.
    Previous,
    /// Folder of results.
    Folder(PathBuf),
}

/// Inputs of `grade diff`.
#[derive(Debug)]
pub(crate) struct DiffPlan {
    /// Earlier results.
    pub(crate) before: ResultsName,
    /// Later results.
    pub(crate) after: ResultsName,
    /// Folder of the results to which numbers of runs belong.
    pub(crate) out: PathBuf,
    /// Output format.
    pub(crate) format: DocumentFormat,
    /// True if a loss of points is a failure.
    pub(crate) fail_on_loss: bool,
}

/// Submission, and perhaps a check.
#[derive(Debug)]
pub(crate) struct Target {
    /// Submission id.
    pub(crate) submission: String,
    /// Check id; empty for the whole grade.
    pub(crate) check: String,
    /// Name of the person who writes.
    pub(crate) by: String,
}

/// Decision about the points of a check.
#[derive(Debug)]
pub(crate) struct Decision {
    /// Check, and the person who decides.
    pub(crate) target: Target,
    /// Points; `None` withdraws an override.
    pub(crate) points: Option<Points>,
    /// Reason.
    pub(crate) reason: String,
}

/// Inputs of `grade override`.
#[derive(Debug)]
pub(crate) struct OverridePlan {
    /// Decision to add; `None` to list those that hold.
    pub(crate) decision: Option<Decision>,
    /// Folder of the results.
    pub(crate) out: PathBuf,
}

/// Inputs of `grade appeal`.
#[derive(Debug)]
pub(crate) enum AppealPlan {
    /// Adds a step.
    Step {
        /// Subject, and the author.
        target: Target,
        /// Step.
        step: Step,
        /// Question or answer.
        text: String,
        /// Folder of the results.
        out: PathBuf,
    },
    /// Lists appeals.
    List {
        /// Submission id; `None` for all.
        submission: Option<String>,
        /// True to list closed appeals as well.
        all: bool,
        /// Folder of the results.
        out: PathBuf,
    },
}

/// Inputs of `grade stats`.
#[derive(Debug)]
pub(crate) struct StatsPlan {
    /// Assignment id; `None` for all.
    pub(crate) assignment: Option<String>,
    /// Folder of the results.
    pub(crate) out: PathBuf,
    /// Output format.
    pub(crate) format: DocumentFormat,
}

impl ResultsName {
    /// Returns what a word names: the number of a run, `latest`, `previous`, or else a folder.
    fn of(word: &str) -> Self {
        match word {
            "latest" => Self::Latest,
            "previous" => Self::Previous,
            _ => match word.parse() {
                Ok(number) => Self::Run(number),
                Err(_) => Self::Folder(PathBuf::from(word)),
            },
        }
    }
}

pub(super) fn log(args: LogArgs) -> LogPlan {
    let LogArgs { submission, out, format } = args;
    LogPlan { submission, out, format }
}

pub(super) fn diff(args: DiffArgs) -> DiffPlan {
    let DiffArgs { before, after, out, format, fail_on_loss } = args;
    let (before, after) = (ResultsName::of(&before), ResultsName::of(&after));
    DiffPlan { before, after, out, format, fail_on_loss }
}

pub(super) fn stats(args: StatsArgs) -> StatsPlan {
    let StatsArgs { assignment, out, format } = args;
    StatsPlan { assignment, out, format }
}

pub(super) fn overriding(args: OverrideArgs) -> Result<OverridePlan, Failure> {
    let OverrideArgs { submission, check, points, withdraw: _, reason, by, out } = args;
    let (Some(submission), Some(check)) = (submission, check) else {
        return Ok(OverridePlan { decision: None, out });
    };
    let value = points;
    let points = value.and_then(Points::parse);
    if let (Some(value), None) = (value, points) {
        return Err(Failure::usage(
            format!("{value} is no number of points"),
            "points are hundredths, such as 0.5 or 0.25",
        ));
    }
    let is_blank = |text: &Option<String>| text.as_ref().is_some_and(|it| it.trim().is_empty());
    if is_blank(&reason) || is_blank(&by) {
        return Err(blank("the reason, or the name of the person who decides"));
    }
    let (reason, by) = (reason.unwrap_or_default(), by.unwrap_or_default());
    let target = Target { submission, check, by };
    Ok(OverridePlan { decision: Some(Decision { target, points, reason }), out })
}

pub(super) fn appeal(command: AppealCommand) -> Result<AppealPlan, Failure> {
    let (target, step, text) = match command {
        AppealCommand::List { submission, all, out } => {
            return Ok(AppealPlan::List { submission, all, out });
        }
        AppealCommand::Open { target, question } => (target, Step::Open, question),
        AppealCommand::Answer { target, answer } => (target, Step::Answer, answer),
        AppealCommand::Close { target, answer } => (target, Step::Close, answer),
    };
    let AppealTarget { submission, check, by, out } = target;
    if by.trim().is_empty() || (step != Step::Close && text.trim().is_empty()) {
        return Err(blank("the text, or the name of its author"));
    }
    let target = Target { submission, check: check.unwrap_or_default(), by };
    Ok(AppealPlan::Step { target, step, text, out })
}

fn blank(what: &str) -> Failure {
    Failure::usage(format!("{what} is blank"), "the ledger keeps both; nothing was changed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_names_a_run_or_a_folder() {
        assert_eq!(ResultsName::of("3"), ResultsName::Run(3));
        assert_eq!(ResultsName::of("latest"), ResultsName::Latest);
        assert_eq!(ResultsName::of("previous"), ResultsName::Previous);
        for folder in ["./3", "results-2025", "latests", "./latest"] {
            assert_eq!(ResultsName::of(folder), ResultsName::Folder(folder.into()));
        }
    }
}
