//! Gradescope's `results.json`, for one submission.
//!
//! Everything in it is made from a view for students: were every test shown to them at once,
//! nothing that a hidden check asked or expected would come out.
//!
//! - A public check is a `visible` test; a hidden one is `after_published`, so that it cannot be
//!   climbed by handing in again and again. None is `hidden`: a student would never see a total.
//! - Scores stand on the tests, and at the top; both are exact to hundredths.
//! - Where the grader failed there is no score at all, at the top or on a test: Gradescope then
//!   says that the autograder failed, and gives no zero.
//! - `stdout` stays with the instructor.
//! - A model that was handed in and measured is on the leaderboard with its accuracy. The names there are those that
//!   students choose on Gradescope.
//! - There is an `execution_time` if the submission was graded just now; a record that was read gives the same file each
//!   time.

use std::io;

use serde::Serialize;

use crate::model::{
    CheckRecord, ModelRecord, Record, RecordOutcome, Run, Status, TaskRecord, Visibility,
};
use crate::report::audience::View;
use crate::report::evidence;
use crate::report::leaderboard;
use crate::report::model::{reached, trained};
use crate::report::overridden;
use crate::report::summary::{outcome_words, status_words};
use crate::report::text::quoted;

#[derive(Debug, Serialize)]
struct Results {
    #[serde(skip_serializing_if = "Option::is_none")]
    score: Option<f64>,
    output: String,
    output_format: &'static str,
    test_output_format: &'static str,
    test_name_format: &'static str,
    visibility: &'static str,
    stdout_visibility: &'static str,
    /// Seconds from start to end.
    #[serde(skip_serializing_if = "Option::is_none")]
    execution_time: Option<f64>,
    tests: Vec<Test>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    leaderboard: Vec<Place>,
    extra_data: Extra,
}

#[derive(Debug, Serialize)]
struct Test {
    score: f64,
    max_score: f64,
    status: &'static str,
    name: String,
    number: String,
    output: String,
    tags: Vec<String>,
    visibility: &'static str,
}

/// Value of this submission on a leaderboard.
#[derive(Debug, Serialize)]
struct Place {
    name: String,
    value: f64,
    order: &'static str,
}

/// For programs that read the results back.
#[derive(Debug, Serialize)]
struct Extra {
    grader_version: String,
    assignment: String,
    sha256: String,
    outcome: &'static str,
}

/// Writes the results of one submission.
///
/// # Errors
///
/// Fails if `out` cannot be written to, or the run does not have exactly one record ([`io::ErrorKind::InvalidInput`]).
pub fn write(view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let usage = view.run().records.first().and_then(|record| record.usage);
    let view = view.for_students();
    let Run { grader, records } = view.run();
    let [record] = records.as_slice() else {
        return Err(io::Error::new(
            io::ErrorKind::InvalidInput,
            format!("the gradescope format takes one submission, and there are {}", records.len()),
        ));
    };
    let is_graded = record.outcome != RecordOutcome::NoGrade;
    let tests = if is_graded { tests(record) } else { Vec::new() };
    let results = Results {
        score: is_graded.then(|| record.points.to_f64()),
        output: output(record),
        output_format: "text",
        test_output_format: "text",
        test_name_format: "text",
        visibility: "visible",
        stdout_visibility: "hidden",
        // A duration in whole milliseconds.
        execution_time: usage.map(|usage| usage.wall.as_millis() as f64 / 1000.0),
        tests,
        leaderboard: if is_graded { leaderboard(record) } else { Vec::new() },
        extra_data: Extra {
            grader_version: grader.version.to_string(),
            assignment: record.assignment.to_string(),
            sha256: record.sha256.to_string(),
            outcome: record.outcome.as_str(),
        },
    };
    serde_json::to_writer_pretty(&mut *out, &results)?;
    out.write_all(b"\n")
}

fn tests(record: &Record) -> Vec<Test> {
    let mut tests = Vec::new();
    for (task_number, task) in (1..).zip(&record.tasks) {
        for (check_number, check) in (1..).zip(&task.checks) {
            tests.push(test(task, check, format!("{task_number}.{check_number}")));
        }
    }
    tests
}

fn leaderboard(record: &Record) -> Vec<Place> {
    record.models.iter().filter_map(|model| place(record, model)).collect()
}

fn place(record: &Record, model: &ModelRecord) -> Option<Place> {
    let value = leaderboard::accuracy(model)?;
    let task = record.tasks.iter().find(|task| task.id == model.task);
    let title = task.map_or(&model.task, |task| &task.title);
    Some(Place { name: format!("{title}: accuracy"), value, order: "desc" })
}

fn test(task: &TaskRecord, check: &CheckRecord, number: String) -> Test {
    Test {
        score: check.points.to_f64(),
        max_score: check.max_points.to_f64(),
        status: if check.status == Status::Pass { "passed" } else { "failed" },
        name: format!("{}: {}", task.title, check.title),
        number,
        output: test_output(check),
        tags: vec![task.id.to_string()],
        visibility: match check.visibility {
            Visibility::Public => "visible",
            Visibility::Hidden => "after_published",
        },
    }
}

fn test_output(check: &CheckRecord) -> String {
    let decision = overridden::line(check).map(|line| format!("{:<9} {line}", "override"));
    if check.status == Status::Pass {
        return decision.unwrap_or_default();
    }
    let mut output = vec![format!("{}: {}", status_words(check.status), check.message)];
    for (label, texts) in evidence::rows(check) {
        output.extend(texts.iter().map(|text| format!("{label:<9} {text}")));
    }
    if let Some(mistake) = &check.mistake {
        output.push(format!("{:<9} {mistake}", "mistake"));
    }
    output.extend(decision);
    output.join("\n")
}

/// Returns the text above the tests.
fn output(record: &Record) -> String {
    let mut output = Vec::new();
    if record.outcome != RecordOutcome::Graded {
        output.push(format!("{}:", outcome_words(record.outcome)));
        output.extend(record.reason.iter().flat_map(quoted));
    }
    output.extend(overridden::lines(record).into_iter().map(|line| format!("override: {line}")));
    output.extend(record.models.iter().map(|model| format!("model: {}", reached(model))));
    output.extend(record.trainings.iter().map(trained));
    output.extend(record.notes.iter().map(|note| format!("note: {note}")));
    output.join("\n")
}
