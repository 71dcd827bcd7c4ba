//! What is written in an `assignment.toml`, with the places where it is written.

use std::ops::Range;
use std::path::Path;

use serde::Deserialize;
use toml::Spanned;

use crate::assignment::error::AssignmentError;

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct File {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) collect: Spanned<Vec<Spanned<String>>>,
    pub(crate) provided: Spanned<Vec<Spanned<String>>>,
    #[serde(default)]
    pub(crate) forbidden: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) answers: Vec<Spanned<String>>,
    #[serde(default)]
    pub(crate) written: Vec<Written>,
    #[serde(default)]
    pub(crate) upload: Vec<Upload>,
    pub(crate) worker: Spanned<Worker>,
    pub(crate) training: Option<Spanned<Training>>,
    pub(crate) submission: Option<Spanned<Submission>>,
    #[serde(default)]
    pub(crate) task: Vec<Spanned<Task>>,
}

/// `[worker]`
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

/// `[training]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Training {
    pub(crate) runs: u32,
    pub(crate) take: Take,
    pub(crate) cpu_seconds: u32,
    pub(crate) wall_seconds: u32,
    pub(crate) memory_mebibytes: u32,
}

/// `[submission]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submission {
    pub(crate) cpu_seconds: u32,
    pub(crate) wall_seconds: u32,
}

/// What counts of several runs.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Take {
    /// The best of them.
    Best,
    /// Their mean.
    Mean,
}

/// What a worker may have where nothing is said: many times what honest code starts.
fn usual_threads() -> u32 {
    256
}

/// `[[task]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Task {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    #[serde(default)]
    pub(crate) check: Vec<Check>,
}

/// `[[task.check]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Check {
    pub(crate) id: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) visibility: Visibility,
    pub(crate) band: Option<Spanned<f64>>,
}

/// `[[written]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Written {
    pub(crate) id: Spanned<String>,
    pub(crate) title: Spanned<String>,
    pub(crate) points: Spanned<f64>,
    pub(crate) file: Spanned<String>,
}

/// `[[upload]]`
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Upload {
    pub(crate) file: Spanned<String>,
    pub(crate) mebibytes: Spanned<u32>,
}

/// Whether students can read a check.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Visibility {
    /// It runs in a student's `cargo test` as well.
    Public,
    /// Only the grader has it.
    Hidden,
}

/// Reads the text of the file at `path`.
pub(crate) fn parse(path: &Path, text: &str) -> Result<File, AssignmentError> {
    toml::from_str(text).map_err(|error| AssignmentError::Form {
        path: path.to_owned(),
        line: error.span().map_or(1, |span| line(text, &span)),
        message: error.message().lines().collect::<Vec<_>>().join(" "),
    })
}

/// The line on which `span` begins, counted from 1.
pub(crate) fn line(text: &str, span: &Range<usize>) -> usize {
    1 + text.bytes().take(span.start).filter(|&byte| byte == b'\n').count()
}
