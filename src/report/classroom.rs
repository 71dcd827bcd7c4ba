//! Result in the form that the graders of GitHub Classroom have, for one submission.
//!
//! The reporter of GitHub Classroom reads it in base64 from the output of a step, adds the scores up, and shows the messages
//! to the student. Hence everything in it is made from a view for students.
//!
//! A missing grade has no form there: without scores the reporter would publish 0 points. It is an error here.

use std::io;

use serde::Serialize;

use crate::model::{CheckRecord, Record, RecordOutcome, Status};
use crate::report::audience::View;
use crate::report::evidence;
use crate::report::overridden;
use crate::report::summary::{outcome_words, status_words};

#[derive(Debug, Serialize)]
struct Document {
    version: u32,
    status: &'static str,
    max_score: f64,
    tests: Vec<TestResult>,
}

#[derive(Debug, Serialize)]
struct TestResult {
    name: String,
    status: &'static str,
    score: f64,
    message: String,
    test_code: String,
    filename: &'static str,
    line_no: u32,
    /// Milliseconds; none are measured, so that the same submission gives the same document.
    duration: u32,
}

/// Writes the result of one submission.
///
/// # Errors
///
/// Fails if `out` cannot be written to, or the run does not have exactly one record, or that has no grade
/// ([`io::ErrorKind::InvalidInput`]).
pub fn write(view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let view = view.for_students();
    let [record] = view.run().records.as_slice() else {
        let count = view.run().records.len();
        return Err(invalid(format!(
            "the classroom format takes one submission, and there are {count}"
        )));
    };
    if record.outcome == RecordOutcome::NoGrade {
        let name = &record.submission;
        return Err(invalid(format!(
            "{name} has no grade, and GitHub Classroom would show 0 points"
        )));
    }
    serde_json::to_writer(&mut *out, &document(record))?;
    out.write_all(b"\n")
}

fn invalid(reason: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, reason)
}

fn document(record: &Record) -> Document {
    let mut tests: Vec<TestResult> =
        record.tasks.iter().flat_map(|task| &task.checks).map(test).collect();
    if record.outcome != RecordOutcome::Graded {
        tests.insert(0, ungraded(record));
    }
    let is_right = tests.iter().all(|test| test.status == "pass");
    Document {
        version: 1,
        status: if is_right { "pass" } else { "fail" },
        max_score: record.max_points.to_f64(),
        tests,
    }
}

/// Test that says why the checks did not run.
fn ungraded(record: &Record) -> TestResult {
    let reason = record.reason.clone().unwrap_or_default().to_multiline();
    TestResult {
        name: outcome_words(record.outcome).to_owned(),
        status: "fail",
        score: 0.0,
        message: reason,
        test_code: String::new(),
        filename: "",
        line_no: 0,
        duration: 0,
    }
}

fn test(check: &CheckRecord) -> TestResult {
    TestResult {
        name: check.id.to_string(),
        status: if check.status == Status::Pass { "pass" } else { "fail" },
        score: check.points.to_f64(),
        message: message(check),
        test_code: check.title.to_string(),
        filename: "",
        line_no: 0,
        duration: 0,
    }
}

fn message(check: &CheckRecord) -> String {
    let mut lines = Vec::new();
    if check.status != Status::Pass {
        lines.push(format!("{}: {}", status_words(check.status), check.message));
        for (label, texts) in evidence::rows(check) {
            lines.extend(texts.iter().map(|text| format!("{label:<9} {text}")));
        }
        lines.extend(check.mistake.as_ref().map(|mistake| format!("mistake   {mistake}")));
    }
    lines.extend(overridden::line(check).map(|line| format!("override  {line}")));
    lines.join("\n")
}
