//! Class: counts, marks, table and common failures.

use std::io;

use crate::model::{Record, RecordOutcome};
use crate::report::summary::{self, Cause, Group};

use super::escape::Text;

/// Writes the summary of the class.
pub(super) fn write(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let records: Vec<_> = group.records.iter().map(|(_, record)| *record).collect();
    write!(out, "{}", Text(summary::outcome_counts(&records)))?;
    if let Some(marks) = summary::marks(&group.records) {
        let (mean, median, most) = (marks.mean, marks.median, marks.max_points);
        write!(out, "; mean {mean}, median {median} of {most} points")?;
    }
    writeln!(out, "\n")?;
    table(group, out)?;
    causes_of_losses(group, out)
}

fn table(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "| submission | points |")?;
    for task in &group.tasks {
        write!(out, " {} ({}) |", Text(task.title), summary::short(task.max_points))?;
    }
    writeln!(out, " |\n|---|--:|{}---|", "--:|".repeat(group.tasks.len()))?;
    for (_, record) in &group.records {
        row(record, group, out)?;
    }
    writeln!(out)
}

fn row(record: &Record, group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    write!(out, "| {} |", Text(&record.submission))?;
    match record.outcome {
        RecordOutcome::NoGrade => write!(out, " – |")?,
        RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
            write!(out, " {} |", record.points)?;
        }
    }
    let is_graded = record.outcome == RecordOutcome::Graded;
    for head in &group.tasks {
        let task = record.tasks.iter().find(|task| task.id == *head.id).filter(|_| is_graded);
        let points = task.map(|task| summary::short(task.points)).unwrap_or_default();
        write!(out, " {points} |")?;
    }
    let about = if is_graded { "" } else { summary::outcome_words(record.outcome) };
    writeln!(out, " {about} |")
}

fn causes_of_losses(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let causes = summary::causes_of_losses(&group.records);
    if causes.is_empty() {
        return Ok(());
    }
    writeln!(out, "What went wrong most often:\n")?;
    for summary::CauseCount { cause, submissions } in causes {
        match cause {
            Cause::Mistake { id, check } => {
                writeln!(out, "- {submissions}× **{}**, seen by {}", Text(id), Text(check))?;
            }
            Cause::Check { id, title } => {
                writeln!(out, "- {submissions}× **{}**, {}", Text(id), Text(title))?;
            }
        }
    }
    writeln!(out)
}
