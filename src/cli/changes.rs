//! Failures of changes that people make.

use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::folders_below;
use crate::results::ChangeError;
use crate::store::Folder;

impl From<ChangeError> for Failure {
    fn from(error: ChangeError) -> Self {
        if let ChangeError::Store(error) = error {
            return error.into();
        }
        if let ChangeError::Marks(error) = error {
            return error.into();
        }
        let hint = match &error {
            ChangeError::NoRecord { submission, out } => other_records(submission, out),
            ChangeError::Unreadable { .. } => {
                return Self::broken(error.to_string(), "grade the submission again");
            }
            ChangeError::NoCheck { id, known, .. } => other_checks(id, known),
            ChangeError::TooManyPoints { .. } | ChangeError::DecidedMeanwhile { .. } => {
                "nothing was changed".to_owned()
            }
            ChangeError::NoOverride { .. } => "`grade override` lists those that hold".to_owned(),
            ChangeError::AppealOpen { .. } => "answer it, or close it first".to_owned(),
            ChangeError::NoAppeal { .. } => "`grade appeal list` lists the open ones".to_owned(),
            ChangeError::Unwritten { path, source } => return Self::unwritten(path, source),
            ChangeError::Store(_) | ChangeError::Marks(_) => String::new(),
        };
        Self { exit: Exit::Usage, message: error.to_string(), hint: Some(hint) }
    }
}

/// Returns the hint about a submission without a record.
fn other_records(submission: &str, out: &Path) -> String {
    if let Some(advice) = folders_below::with_record(submission, out) {
        return advice;
    }
    let (records, _) = Folder::of(out).read_all().unwrap_or_default();
    let names: Vec<String> = records.iter().map(|record| record.submission.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    match (similar_names(submission, names.iter().copied()).as_slice(), names.len()) {
        ([], 0) => "no submission was graded there yet; `--out` names another folder".to_owned(),
        ([], 1..=8) => format!("there is {}", alternatives(&names)),
        ([], count) => {
            format!("there are {count} records; `ls {}/records` lists them", out.display())
        }
        (close, _) => format!("did you mean {}?", alternatives(close)),
    }
}

/// Returns the hint about a check that a record does not have.
fn other_checks(id: &str, known: &[String]) -> String {
    match (similar_names(id, known.iter().map(String::as_str)).as_slice(), known.first()) {
        ([], Some(one)) => format!("checks are called `TASK/CHECK`, such as `{one}`"),
        ([], None) => "no check of it was run".to_owned(),
        (close, _) => format!("did you mean {}?", alternatives(close)),
    }
}
