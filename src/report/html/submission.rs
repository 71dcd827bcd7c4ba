//! Section of the page for one submission.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{Record, RecordOutcome, RubricRecord};
use crate::report::model;
use crate::report::overridden;
use crate::report::summary::outcome_words;

use super::checks;
use super::checks::Mistakes;
use super::escape::{Lines, Text};

/// Writes the submission that stands at `place` in the run.
pub(super) fn write(
    place: usize,
    record: &Record,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "<article id=\"s{place}\">\n<div class=\"title\">")?;
    writeln!(out, "<h2>{}</h2>", Text(&record.submission))?;
    match record.outcome {
        RecordOutcome::NoGrade => writeln!(out, "<p class=\"points\">no grade</p>")?,
        RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => writeln!(
            out,
            "<p class=\"points\">{} <small>of {}</small></p>",
            record.points, record.max_points
        )?,
    }
    writeln!(out, "</div>")?;
    if let Some(submitted) = &record.submitted {
        writeln!(out, "<p class=\"hash\">handed in {}</p>", Text(submitted))?;
    }
    writeln!(out, "<p class=\"hash\">sha256 {}</p>", Text(&record.sha256))?;
    if record.outcome == RecordOutcome::Graded {
        for task in &record.tasks {
            checks::write_task(task, mistakes, out)?;
        }
    } else {
        write_outcome(record, out)?;
    }
    write_rest(record, out)?;
    writeln!(out, "</article>")
}

/// Writes the reason why no check has a result.
pub(super) fn write_outcome(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    let reason = record.reason.as_ref().map(Untrusted::lines).unwrap_or_default();
    let words = outcome_words(record.outcome);
    writeln!(out, "<p><span class=\"badge {}\">{words}</span></p>", record.outcome.as_str())?;
    writeln!(out, "<pre>{}</pre>", Lines(&reason))
}

/// Writes what stands beside the checks: models, written answers, notes and output.
pub(super) fn write_rest(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    write_overridden(record, out)?;
    write_models(record, out)?;
    write_written(record, out)?;
    if !record.notes.is_empty() {
        writeln!(out, "<h3>Notes</h3>\n<ul>")?;
        for note in &record.notes {
            writeln!(out, "<li>{}</li>", Text(note))?;
        }
        writeln!(out, "</ul>")?;
    }
    let log = record.log.lines();
    if !log.is_empty() {
        writeln!(out, "<details>\n<summary>What the code printed</summary>")?;
        writeln!(out, "<pre>{}</pre>\n</details>", Lines(&log))?;
    }
    Ok(())
}

/// Writes the points that a person decided.
fn write_overridden(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    let lines = overridden::lines(record);
    if lines.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>{}</h3>\n<ul>", overridden::TITLE)?;
    for line in lines {
        writeln!(out, "<li>{}</li>", Text(line))?;
    }
    writeln!(out, "</ul>")
}

/// The trained models that were handed in.
fn write_models(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    if record.models.is_empty() && record.trainings.is_empty() {
        return Ok(());
    }
    let title = if record.models.is_empty() { "Trained" } else { "Model" };
    writeln!(out, "<h3>{title}</h3>\n<ul>")?;
    for training in &record.trainings {
        writeln!(out, "<li>{}</li>", Text(&model::trained(training)))?;
    }
    for shown in &record.models {
        let says = model::says(shown).unwrap_or_default();
        let reached = model::reached(shown);
        let own = shown.own.to_string();
        let own = if own.is_empty() { own } else { format!(" ({own})") };
        writeln!(out, "<li>{}{} <small>{}</small></li>", Text(&reached), Text(&own), Text(&says))?;
    }
    writeln!(out, "</ul>")
}

/// Writes the chosen items of a rubric.
fn write_rubric(chosen: &[RubricRecord], out: &mut dyn io::Write) -> io::Result<()> {
    if chosen.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ul>")?;
    for item in chosen {
        writeln!(out, "<li>{} <small>{}</small></li>", Text(&item.text), item.points)?;
    }
    writeln!(out, "</ul>")
}

/// Writes the answers that a person marks.
fn write_written(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    if record.written.is_empty() {
        return Ok(());
    }
    writeln!(out, "<h3>For a person to mark, apart from the points above</h3>")?;
    for written in &record.written {
        let given = written.points.map_or_else(|| "open".to_owned(), |it| it.to_string());
        writeln!(
            out,
            "<details>\n<summary>{} <span class=\"points\">{given} <small>of {}</small></span></summary>",
            Text(&written.title),
            written.max_points
        )?;
        write_rubric(&written.rubric, out)?;
        if !written.comment.is_empty() {
            writeln!(out, "<p>{}</p>", Text(&written.comment))?;
        }
        writeln!(out, "<pre>{}</pre>\n</details>", Lines(&written.text.lines()))?;
    }
    Ok(())
}
