//! Contents of an `assignment.toml`, with their locations in the file.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::assignment::error::AssignmentError;

/// Contents of the whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) collect: Spanned<Vec<Spanned<String>>>,
    pub(crate) provided: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(crate) answers: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) written: Vec<Written>,
    #[serde(default)]
    pub(crate) upload: Vec<Upload>,
    #[serde(default)]
    pub(crate) data: Vec<Data>,
    pub(crate) worker: Spanned<Worker>,
    pub(crate) training: Option<Spanned<Training>>,
    pub(crate) submission: Option<Spanned<Submission>>,
    #[serde(default)]
    pub(crate) task: Vec<Spanned<Task>>,
}

/// Table `[worker]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Worker {
    pub(crate) cpu_seconds: u32,
    pub(crate) wall_seconds: u32,
    pub(crate) memory_mebibytes: u32,
    pub(crate) file_mebibytes: u32,
    pub(crate) output_kibibytes: u32,
    pub(crate) flood_mebibytes: u32,
    pub(crate) open_files: u32,
    #[serde(default = "usual_threads")]
    pub(crate) threads: u32,
}

/// Table `[training]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Training {
    pub(crate) runs: u32,
    pub(crate) take: Take,
    pub(crate) cpu_seconds: u32,
    pub(crate) wall_seconds: u32,
    pub(crate) memory_mebibytes: u32,
}

/// Table `[submission]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submission {
    pub(crate) cpu_seconds: u32,
    pub(crate) wall_seconds: u32,
}

/// Aggregation of the accuracies of repeated training runs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Take {
    /// The best of them.
    Best,
    /// Their mean.
    Mean,
}

/// Returns the default limit of a worker's threads: many times what honest code starts.
fn usual_threads() -> u32 {
    256
}

/// Table `[[task]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    #[serde(default)]
    pub(crate) check: Vec<Check>,
}

/// Table `[[task.check]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    pub(crate) id: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) visibility: Visibility,
    pub(crate) band: Option<Spanned<f64>>,
}

/// Table `[[written]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) file: Spanned<String>,
}

/// Table `[[upload]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upload {
    pub(crate) file: Spanned<String>,
    pub(crate) mebibytes: Spanned<u32>,
}

/// Table `[[data]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Data {
    pub(crate) from: Spanned<String>,
    pub(crate) to: Spanned<String>,
}

/// Visibility of a check to students.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Visibility {
    /// The check also runs in a student's `cargo test`.
    Public,
    /// Only the grader has the check.
    Hidden,
}

/// Parses the text of the file at `path`.
pub(crate) fn parse(path: &Path, text: &str) -> Result<File, AssignmentError> {
    toml::from_str(text).map_err(|error| AssignmentError::Form {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| line(text, &span)),
        message: error.message().lines().collect::<Vec<_>>().join(" "),
    })
}

/// Returns the line on which `span` begins, counted from 1.
pub(crate) fn line(text: &str, span: &Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
}
