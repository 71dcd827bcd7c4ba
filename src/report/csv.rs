//! The gradebook: a row a submission, a column a task, and one for each written question, which is empty
//! until a person has marked it. If a person has decided points of a check, the last column says which, and why.
//!
//! A submission that has no grade has empty cells, which a learning platform skips; it never has a
//! zero.
//! A name that a spreadsheet would take for a formula gets an apostrophe before it.

use std::fmt;
use std::io;

use softmark_untrusted::{Untrusted, escape_line};

use crate::model::{Record, RecordOutcome};
use crate::report::audience::View;
use crate::report::overridden;
use crate::report::summary;
use crate::spreadsheet::defused;

/// Writes the gradebook.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn write(view: &View<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let run = view.run();
    let groups = summary::groups(run);
    // A task's column, and its name: with the assignment's where there are several.
    let columns: Vec<Column<'_>> = groups
        .iter()
        .flat_map(|group| group.tasks.iter().map(|task| (group.assignment, task.id)))
        .collect();
    let assignments = groups.iter().filter(|group| !group.tasks.is_empty()).count();

    // Marked by people: apart from the points, and after the tasks.
    let mut questions: Vec<Column<'_>> = Vec::new();
    for record in &run.records {
        for answer in &record.written {
            let question = (&record.assignment, &answer.id);
            if !questions.contains(&question) {
                questions.push(question);
            }
        }
    }

    let mut csv = ::csv::Writer::from_writer(out);
    let mut head: Vec<String> =
        ["submission", "submitted", "assignment", "outcome", "points", "max_points"]
            .map(str::to_owned)
            .to_vec();
    head.extend(columns.iter().chain(&questions).map(|(assignment, task)| match assignments {
        0 | 1 => cell(task),
        _ => cell(format_args!("{assignment}/{task}")),
    }));
    let has_overrides = run.records.iter().any(|record| overridden::number(record) > 0);
    head.extend(has_overrides.then(|| "overrides".to_owned()));
    csv.write_record(&head)?;
    for record in &run.records {
        let mut row = row(record, &columns, &questions);
        row.extend(has_overrides.then(|| cell(overridden::lines(record).join("; "))));
        csv.write_record(row)?;
    }
    csv.flush()
}

/// Assignment id, and the id of its task or question.
type Column<'a> = (&'a Untrusted, &'a Untrusted);

fn row(record: &Record, columns: &[Column<'_>], questions: &[Column<'_>]) -> Vec<String> {
    let has_grade = record.outcome != RecordOutcome::NoGrade;
    let points = |points: crate::model::Points| {
        if has_grade { points.to_string() } else { String::new() }
    };
    let mut row = vec![
        cell(&record.submission),
        cell(record.submitted.as_ref().unwrap_or(&Untrusted::EMPTY)),
        cell(&record.assignment),
        record.outcome.as_str().to_owned(),
        points(record.points),
        record.max_points.to_string(),
    ];
    row.extend(columns.iter().map(|(assignment, id)| {
        let task = record.tasks.iter().find(|task| task.id == **id);
        let task = task.filter(|_| record.assignment == **assignment);
        task.map(|task| points(task.points)).unwrap_or_default()
    }));
    row.extend(questions.iter().map(|(assignment, id)| {
        let answer = record.written.iter().find(|answer| answer.id == **id);
        let answer = answer.filter(|_| record.assignment == **assignment);
        answer.and_then(|it| it.points).map(|points| points.to_string()).unwrap_or_default()
    }));
    row
}

/// Returns text that a spreadsheet shows and does not run.
///
/// ```
/// use softmark::report::csv::cell;
///
/// assert_eq!(cell("amara"), "amara");
/// assert_eq!(cell("=HYPERLINK(\"…\")"), "'=HYPERLINK(\"…\")");
/// ```
pub fn cell(text: impl fmt::Display) -> String {
    defused(&escape_line(&text.to_string()))
}
