//! Section of the page for one submission.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{
    CheckRecord, KillMatrix, LayerKind, Record, RecordOutcome, Status, TaskRecord, Visibility,
};
use crate::report::summary::{outcome_words, status_words};
use crate::report::text::message;
use crate::report::{evidence, matrix, model};
use crate::suite::Catalog;

use super::class::bar;
use super::escape::{Lines, Text};

/// Writes the submission that stands at `place` in the run.
pub(super) fn write(
    place: usize,
    record: &Record,
    catalog: Catalog,
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
            write_task(task, catalog, out)?;
        }
    } else {
        let reason = record.reason.as_ref().map(Untrusted::lines).unwrap_or_default();
        let words = outcome_words(record.outcome);
        writeln!(out, "<p><span class=\"badge {}\">{words}</span></p>", record.outcome.as_str())?;
        writeln!(out, "<pre>{}</pre>", Lines(&reason))?;
    }
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
    writeln!(out, "</article>")
}

fn write_task(task: &TaskRecord, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "<h3>{} {}<span class=\"points\">{} <small>of {}</small></span></h3>\n<ul class=\"checks\">",
        Text(if task.title.is_empty() { &task.id } else { &task.title }),
        bar(task.points, task.max_points),
        task.points,
        task.max_points
    )?;
    for check in &task.checks {
        write_check(check, catalog, out)?;
    }
    writeln!(out, "</ul>")
}

fn write_check(check: &CheckRecord, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let mark = match check.status {
        Status::Pass => "✓",
        Status::Wrong => "✗",
        Status::Fault => "!",
        Status::NotImplemented => "·",
        Status::Blocked => "–",
    };
    let words = status_words(check.status);
    let title = if check.title.is_empty() { &check.id } else { &check.title };
    let hidden = match check.visibility {
        Visibility::Public => "",
        Visibility::Hidden => " <small>hidden</small>",
    };
    writeln!(
        out,
        "<li class=\"{}\"><span class=\"mark\" title=\"{words}\">{mark}</span>\
         <span class=\"claim\">{}{hidden}</span>\
         <span class=\"points\">{} <small>of {}</small></span>",
        check.status.as_str(),
        Text(title),
        check.points,
        check.max_points
    )?;
    match check.status {
        Status::Pass => {}
        Status::NotImplemented | Status::Blocked => {
            writeln!(out, "<p>{words}: {}</p>", Lines(&message(&check.message)))?;
        }
        Status::Wrong | Status::Fault => {
            writeln!(out, "<p>{}</p>", Lines(&message(&check.message)))?;
            write_evidence(check, catalog, out)?;
        }
    }
    if let Some(matrix) = &check.matrix {
        write_matrix(matrix, out)?;
    }
    writeln!(out, "</li>")
}

/// Every layer and what each detector made of it.
fn write_matrix(matrix: &KillMatrix, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<details class=\"kills\">\n<summary>{}</summary>", matrix::caught(matrix))?;
    writeln!(out, "<table>\n<thead><tr><th>layer</th>")?;
    for (at, name) in matrix.detectors.iter().enumerate() {
        let void =
            if matrix.counts(at) { "" } else { " class=\"void\" title=\"counts for nothing\"" };
        writeln!(out, "<th{void}>{}</th>", Text(name))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for row in &matrix.rows {
        let kind = row.kind.as_str();
        let caught =
            if row.kind == LayerKind::Mutant && !matrix.is_caught(row) { " away" } else { "" };
        writeln!(out, "<tr class=\"{kind}{caught}\"><td>{}</td>", Text(&row.symptom))?;
        for verdict in &row.verdicts {
            let (sign, word) = (matrix::sign(*verdict), verdict.as_str());
            writeln!(out, "<td class=\"{word}\" title=\"{word}\">{sign}</td>")?;
        }
        writeln!(out, "</tr>")?;
    }
    writeln!(out, "</tbody>\n</table>\n<p><small>{}</small></p>\n</details>", matrix::SIGNS)
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
        if !written.comment.is_empty() {
            writeln!(out, "<p>{}</p>", Text(&written.comment))?;
        }
        writeln!(out, "<pre>{}</pre>\n</details>", Lines(&written.text.lines()))?;
    }
    Ok(())
}

fn write_evidence(
    check: &CheckRecord,
    catalog: Catalog,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "<dl>")?;
    writeln!(out, "<dt>check</dt><dd><code>{}</code></dd>", Text(&check.id))?;
    for (label, texts) in evidence::rows(check) {
        writeln!(out, "<dt>{label}</dt><dd><code>{}</code></dd>", Lines(&texts))?;
    }
    if let Some(mistake) = &check.mistake {
        write!(out, "<dt>mistake</dt><dd><code class=\"mistake\">{}</code>", Text(mistake))?;
        if let Some(known) = catalog.mistake(mistake.as_raw()) {
            write!(out, " {}", Text(known.summary))?;
        }
        writeln!(out, " <small>(<code>grade explain {}</code>)</small></dd>", Text(mistake))?;
    }
    if let Some(replay) = &check.replay {
        writeln!(out, "<dt>replay</dt><dd><code>{}</code></dd>", Text(replay))?;
    }
    writeln!(out, "</dl>")
}
