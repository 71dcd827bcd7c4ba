//! Tasks of a submission, with their checks and the evidence for lost points.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, KillMatrix, LayerKind, Status, TaskRecord, Visibility};
use crate::report::summary::{status_sign, status_words};
use crate::report::text::message;
use crate::report::{evidence, matrix};
use crate::suite::Catalog;

use super::class::bar;
use super::escape::{Lines, Text};

/// Explanations of the mistakes that a page names.
#[derive(Debug, Clone, Copy)]
pub(super) struct Mistakes {
    pub(super) catalog: Catalog,
    pub(super) explained_by: Explained,
}

/// Place at which a reader finds the explanation of a mistake.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Explained {
    /// `grade explain`, which staff can run.
    ByCommand,
    /// Section of the same page.
    OnPage,
}

/// Writes a task and its checks.
pub(super) fn write_task(
    task: &TaskRecord,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(
        out,
        "<h3>{} {}<span class=\"points\">{} <small>of {}</small></span></h3>\n<ul class=\"checks\">",
        Text(if task.title.is_empty() { &task.id } else { &task.title }),
        bar(task.points, task.max_points),
        task.points,
        task.max_points
    )?;
    for check in &task.checks {
        write_check(check, mistakes, out)?;
    }
    writeln!(out, "</ul>")
}

/// Writes a check, and its evidence if it fails.
pub(super) fn write_check(
    check: &CheckRecord,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mark = status_sign(check.status);
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
            write_evidence(check, mistakes, out)?;
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

fn write_evidence(
    check: &CheckRecord,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "<dl>")?;
    writeln!(out, "<dt>check</dt><dd><code>{}</code></dd>", Text(&check.id))?;
    for (label, texts) in evidence::rows(check) {
        writeln!(out, "<dt>{label}</dt><dd><code>{}</code></dd>", Lines(&texts))?;
    }
    if let Some(mistake) = &check.mistake {
        write_mistake(mistake, mistakes, out)?;
    }
    if let Some(replay) = &check.replay {
        writeln!(out, "<dt>replay</dt><dd><code>{}</code></dd>", Text(replay))?;
    }
    writeln!(out, "</dl>")
}

fn write_mistake(
    mistake: &Untrusted,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(out, "<dt>mistake</dt><dd><code class=\"mistake\">{}</code>", Text(mistake))?;
    let known = mistakes.catalog.mistake(mistake.as_raw());
    if let Some(known) = &known {
        write!(out, " {}", Text(known.summary))?;
    }
    match (mistakes.explained_by, known) {
        (Explained::ByCommand, _) => {
            write!(out, " <small>(<code>grade explain {}</code>)</small>", Text(mistake))?;
        }
        (Explained::OnPage, Some(known)) => {
            write!(out, " (<a href=\"#mistake-{}\">read more</a>)", Text(known.id))?;
        }
        (Explained::OnPage, None) => {}
    }
    writeln!(out, "</dd>")
}
