//! One submission on the page.

use std::io;

use super::class::bar;
use super::escape::{Lines, Text};
use crate::model::{CheckRecord, Record, RecordOutcome, Status, TaskRecord, Visibility};
use crate::report::evidence;
use crate::report::summary::{outcome_words, status_words};
use crate::report::text::{lines, message};

/// Writes the submission that stands at `place` in the run.
pub(super) fn write(place: usize, record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
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
            write_task(task, out)?;
        }
    } else {
        let reason = lines(record.reason.as_deref().unwrap_or_default());
        let words = outcome_words(record.outcome);
        writeln!(out, "<p><span class=\"badge {}\">{words}</span></p>", record.outcome.as_str())?;
        writeln!(out, "<pre>{}</pre>", Lines(&reason))?;
    }
    if !record.notes.is_empty() {
        writeln!(out, "<h3>Notes</h3>\n<ul>")?;
        for note in &record.notes {
            writeln!(out, "<li>{}</li>", Text(note))?;
        }
        writeln!(out, "</ul>")?;
    }
    let log = lines(&record.log);
    if !log.is_empty() {
        writeln!(out, "<details>\n<summary>What the code printed</summary>")?;
        writeln!(out, "<pre>{}</pre>\n</details>", Lines(&log))?;
    }
    writeln!(out, "</article>")
}

fn write_task(task: &TaskRecord, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "<h3>{} {}<span class=\"points\">{} <small>of {}</small></span></h3>\n<ul class=\"checks\">",
        Text(if task.title.is_empty() { &task.id } else { &task.title }),
        bar(task.points, task.max_points),
        task.points,
        task.max_points
    )?;
    for check in &task.checks {
        write_check(check, out)?;
    }
    writeln!(out, "</ul>")
}

fn write_check(check: &CheckRecord, out: &mut dyn io::Write) -> io::Result<()> {
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
            write_evidence(check, out)?;
        }
    }
    writeln!(out, "</li>")
}

fn write_evidence(check: &CheckRecord, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<dl>")?;
    writeln!(out, "<dt>check</dt><dd><code>{}</code></dd>", Text(&check.id))?;
    for (label, texts) in evidence::rows(&check.evidence) {
        writeln!(out, "<dt>{label}</dt><dd><code>{}</code></dd>", Lines(&texts))?;
    }
    if let Some(mistake) = &check.mistake {
        writeln!(
            out,
            "<dt>mistake</dt><dd><code class=\"mistake\">{0}</code> \
             <small>(<code>grade explain {0}</code>)</small></dd>",
            Text(mistake)
        )?;
    }
    if let Some(replay) = &check.replay {
        writeln!(out, "<dt>replay</dt><dd><code>{}</code></dd>", Text(replay))?;
    }
    writeln!(out, "</dl>")
}
