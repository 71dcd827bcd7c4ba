//! Results in the form that the graders of GitHub Classroom have: JSON, which its reporter reads in base64.

use std::fs;
use std::path::Path;

use serde::Serialize;
use softmark_checks::Outcome;

use crate::error::StudentError;
use crate::results::{CheckResult, Tally};

/// Results of a run.
#[derive(Debug, Serialize)]
struct Document<'a> {
    version: u32,
    status: &'static str,
    max_score: f64,
    tests: Vec<TestResult<'a>>,
}

/// Result of a check.
#[derive(Debug, Serialize)]
struct TestResult<'a> {
    name: &'a str,
    status: &'static str,
    score: f64,
    message: String,
    test_code: &'a str,
    filename: &'a str,
    line_no: u32,
    duration: u32,
}

/// Writes the results to the file at `path`.
///
/// # Errors
///
/// Fails if the file cannot be written.
pub(crate) fn write(path: &Path, results: &[CheckResult]) -> Result<(), StudentError> {
    let text = serde_json::to_string(&document(results)).unwrap_or_default() + "\n";
    fs::write(path, text).map_err(StudentError::io("write", path))
}

fn document(results: &[CheckResult]) -> Document<'_> {
    let tally = Tally::of(results);
    Document {
        version: 1,
        status: if tally.is_all_right() { "pass" } else { "fail" },
        max_score: tally.max_points,
        tests: results.iter().map(test).collect(),
    }
}

fn test(result: &CheckResult) -> TestResult<'_> {
    let is_right = result.outcome.is_pass();
    TestResult {
        name: result.check.id,
        status: if is_right { "pass" } else { "fail" },
        score: if is_right { result.points } else { 0.0 },
        message: message(&result.outcome),
        test_code: result.check.title,
        filename: "",
        line_no: 0,
        // Not measured: the same code gives the same file.
        duration: 0,
    }
}

fn message(outcome: &Outcome) -> String {
    match outcome {
        Outcome::Pass => String::new(),
        Outcome::NotImplemented { message } => format!("not yet written: {message}"),
        Outcome::Wrong { message, .. }
        | Outcome::Fault { message, .. }
        | Outcome::Blocked { message, .. } => message.clone(),
    }
}

#[cfg(test)]
mod tests {
    use softmark_checks::Check;

    use super::*;

    static RIGHT: Check = Check { id: "a/b", title: "it holds", run: |_, _| Ok(Outcome::Pass) };
    static STUB: Check = Check { id: "a/c", ..RIGHT };

    #[test]
    fn a_check_scores_its_points_if_it_passes() {
        let unwritten = Outcome::NotImplemented { message: "task 1".to_owned() };
        let result =
            |check, outcome| CheckResult { check, points: 1.5, outcome, printed: Vec::new() };
        let results = [result(&RIGHT, Outcome::Pass), result(&STUB, unwritten)];
        let value = serde_json::to_value(document(&results)).unwrap();
        assert_eq!((&value["status"], &value["max_score"]), (&"fail".into(), &3.0.into()));
        let tests = value["tests"].as_array().unwrap();
        assert_eq!((&tests[0]["score"], &tests[1]["score"]), (&1.5.into(), &0.0.into()));
        assert_eq!(tests[1]["message"], "not yet written: task 1");
        let value = serde_json::to_value(document(&results[..1])).unwrap();
        assert_eq!(value["status"], "pass");
    }
}
