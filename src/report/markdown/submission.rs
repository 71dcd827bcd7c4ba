//! Submission: points, then each task with its checks and the evidence for lost points.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Record, RecordOutcome, Status, TaskRecord, Visibility};
use crate::report::audience::View;
use crate::report::summary::{outcome_words, status_words};
use crate::report::text::message;
use crate::report::{evidence, matrix, model, overridden};
use crate::suite::Catalog;

use super::escape::{Block, Text};

/// Writes a submission.
pub(super) fn write(
    record: &Record,
    view: &View<'_>,
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "## {}\n", Text(&record.submission))?;
    match record.outcome {
        RecordOutcome::NoGrade => write!(out, "**No grade**")?,
        RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
            write!(out, "**{} of {} points**", record.points, record.max_points)?;
        }
    }
    if let Some(submitted) = &record.submitted {
        write!(out, ", handed in {}", Text(submitted))?;
    }
    writeln!(out, ", sha256 {}\n", Text(&record.sha256))?;
    if record.outcome == RecordOutcome::Graded {
        for task in &record.tasks {
            write_task(task, view, catalog, out)?;
        }
    } else {
        let reason = record.reason.as_ref().map(Untrusted::lines).unwrap_or_default();
        writeln!(out, "{}:\n\n{}", outcome_words(record.outcome), Block(&reason))?;
    }
    write_overridden(record, out)?;
    write_models(record, out)?;
    write_written(record, out)?;
    for note in &record.notes {
        writeln!(out, "Note: {}\n", Text(note))?;
    }
    let log = record.log.lines();
    if !log.is_empty() {
        writeln!(out, "What the code printed:\n\n{}", Block(&log))?;
    }
    Ok(())
}

fn write_task(
    task: &TaskRecord,
    view: &View<'_>,
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let title = if task.title.is_empty() { &task.id } else { &task.title };
    writeln!(out, "### {}: {} of {}\n", Text(title), task.points, task.max_points)?;
    if !task.checks.is_empty() {
        writeln!(out, "| result | check | points |\n|---|---|--:|")?;
    }
    for check in &task.checks {
        let (status, title) = (status_words(check.status), Text(title_of(check)));
        let (points, max_points) = (check.points, check.max_points);
        writeln!(out, "| {status} | {title} | {points} of {max_points} |")?;
    }
    writeln!(out)?;
    for check in task.checks.iter().filter(|check| check.status != Status::Pass) {
        write_failure(check, view, catalog, out)?;
    }
    Ok(())
}

/// Returns the title of a check, or its id, and whether it is hidden.
fn title_of(check: &CheckRecord) -> String {
    let title = if check.title.is_empty() { &check.id } else { &check.title };
    match check.visibility {
        Visibility::Public => title.to_string(),
        Visibility::Hidden => format!("{title} (hidden)"),
    }
}

fn write_failure(
    check: &CheckRecord,
    view: &View<'_>,
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let message = message(&check.message);
    let (first, rest) = match message.split_first() {
        Some((first, rest)) => (first.as_str(), rest),
        None => ("", [].as_slice()),
    };
    let words = status_words(check.status);
    writeln!(out, "**{}**: {words}: {}\n", Text(title_of(check)), Text(first))?;
    let mut lines = rest.to_vec();
    for (label, texts) in evidence::rows(check) {
        lines.extend(texts.iter().map(|text| format!("{label:<9} {text}")));
    }
    if let Some(replay) = &check.replay {
        lines.push(format!("{:<9} {replay}", "replay"));
    }
    if !lines.is_empty() {
        writeln!(out, "{}", Block(&lines))?;
    }
    if let Some(found) = &check.matrix {
        writeln!(
            out,
            "Detectors: {}; {}\n",
            Text(matrix::detectors(found)),
            matrix::caught(found)
        )?;
    }
    if let Some(mistake) = &check.mistake {
        write_mistake(mistake, view, catalog, out)?;
    }
    Ok(())
}

fn write_mistake(
    mistake: &Untrusted,
    view: &View<'_>,
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(out, "Mistake: **{}**", Text(mistake))?;
    if let Some(known) = catalog.mistake(mistake.as_raw()) {
        write!(out, ", {}", Text(known.summary))?;
        if !view.is_for_students() {
            write!(out, " (`grade explain {}`)", known.id)?;
        }
    }
    writeln!(out, "\n")
}

/// Writes the points that a person decided.
fn write_overridden(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    let lines = overridden::lines(record);
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "### {}\n", overridden::TITLE)?;
    for line in lines {
        writeln!(out, "- {}", Text(line))?;
    }
    writeln!(out)
}

/// Writes the models that were trained or handed in.
fn write_models(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    let trained = record.trainings.iter().map(model::trained);
    let mut lines: Vec<String> = trained.collect();
    for shown in &record.models {
        lines.push(model::reached(shown));
        lines.extend(model::says(shown));
        lines.extend(shown.own.lines());
    }
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "### Trained models\n\n{}", Block(&lines))
}

/// Writes the answers that a person marks.
fn write_written(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    for written in &record.written {
        let given = written.points.map_or_else(|| "open".to_owned(), |it| it.to_string());
        let (title, max_points) = (Text(&written.title), written.max_points);
        writeln!(out, "### {title}: {given} of {max_points}, marked by a person\n")?;
        for item in &written.rubric {
            writeln!(out, "- {} for {}", item.points, Text(&item.text))?;
        }
        if !written.rubric.is_empty() {
            writeln!(out)?;
        }
        if !written.comment.is_empty() {
            writeln!(out, "Comment: {}\n", Text(&written.comment))?;
        }
        writeln!(out, "{}", Block(&written.text.lines()))?;
    }
    Ok(())
}
