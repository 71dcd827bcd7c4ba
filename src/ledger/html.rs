//! Writes the ledger as self-contained HTML pages.
//!
//! Invariant: a page has no scripts, loads nothing, and escapes every text.

use std::io;

use super::change::CheckChange;
use super::diff::{Diff, Entry};
use super::log::{Event, History, Logged};
use super::words;
use crate::model::Points;
use crate::report::html::{STYLE, Text, begin};
use crate::report::outcome_words;
use crate::store::SavedRun;

/// Style of the tables of the ledger.
const LEDGER_STYLE: &str = "\
.ledger td { vertical-align: top; }
.ledger tbody tr { border-top: 1px solid var(--rule); }
.ledger .moves { list-style: none; margin: 0; padding: 0; font-size: .92em; }
.ledger .moves b { display: inline-block; min-width: 3.5rem; font-variant-numeric: tabular-nums; }
.ledger th { color: var(--soft); font-weight: normal; }
";

fn page(title: &str, out: &mut dyn io::Write) -> io::Result<()> {
    begin(title, &[STYLE, LEDGER_STYLE].concat(), out)?;
    writeln!(out, "<header>\n<h1>{}</h1>", Text(title))
}

fn end(out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<footer>Softmark {}</footer>\n</body>\n</html>", env!("CARGO_PKG_VERSION"))
}

/// Returns the class of a number of points that was lost or gained.
fn class(hundredths: i64) -> &'static str {
    match hundredths {
        0 => "about",
        1.. => "all",
        _ => "none",
    }
}

/// Writes the checks that moved.
fn moves(checks: &[CheckChange], out: &mut dyn io::Write) -> io::Result<()> {
    if checks.is_empty() {
        return Ok(());
    }
    writeln!(out, "<ul class=\"moves\">")?;
    for change in checks {
        let delta = change.delta();
        let (class, id) = (class(delta.hundredths()), Text(&change.check));
        let words = Text(words::check(change));
        writeln!(
            out,
            "<li><b class=\"{class}\">{delta}</b> <code>{id}</code> <small>{words}</small></li>"
        )?;
    }
    writeln!(out, "</ul>")
}

/// Writes the list of runs.
pub(super) fn write_runs(runs: &[SavedRun], out: &mut dyn io::Write) -> io::Result<()> {
    page("Runs", out)?;
    writeln!(out, "</header>\n<section class=\"card ledger\">\n<table>\n<thead><tr>")?;
    for head in ["run", "started", "submissions", "grader", "seed", "device", "sandbox"] {
        writeln!(out, "<th>{head}</th>")?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for run in runs {
        let seed = run.grader.seed.map(|seed| seed.to_string()).unwrap_or_default();
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{seed}</td><td>{}</td><td>{}</td></tr>",
            run.id,
            Text(&run.started_at),
            run.submissions,
            Text(&run.grader.version),
            Text(&run.grader.device),
            Text(&run.grader.sandbox)
        )?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")?;
    end(out)
}

/// Writes the difference of two results.
pub(super) fn write_diff(diff: &Diff, out: &mut dyn io::Write) -> io::Result<()> {
    page(&format!("{} → {}", diff.before, diff.after), out)?;
    writeln!(out, "<dl class=\"figures\">")?;
    let figures = [
        ("lost points", diff.lost()),
        ("gained points", diff.gains()),
        ("unchanged", diff.unchanged),
    ];
    for (label, number) in figures {
        writeln!(out, "<div><dt>{label}</dt><dd>{number}</dd></div>")?;
    }
    writeln!(out, "</dl>\n</header>\n<section class=\"card ledger\">\n<h2>Submissions</h2>")?;
    if diff.entries.is_empty() {
        let other = if diff.vanished.is_empty() { "" } else { " other" };
        writeln!(out, "<p>No{other} result differs.</p>")?;
    } else {
        entries(diff, out)?;
    }
    writeln!(out, "</section>")?;
    by_check(diff, out)?;
    for (name, only) in [(&diff.before, &diff.only_before), (&diff.after, &diff.only_after)] {
        if !only.is_empty() {
            let names: Vec<String> = only.iter().map(ToString::to_string).collect();
            writeln!(out, "<p>Only in {}: {}</p>", Text(name), Text(names.join(", ")))?;
        }
    }
    if !diff.vanished.is_empty() {
        let each = diff.vanished.iter().map(|it| format!("{} {}", it.submission, it.points));
        let each: Vec<String> = each.collect();
        writeln!(out, "<p class=\"none\">Lost grades: {}</p>", Text(each.join(", ")))?;
    }
    end(out)
}

fn entries(diff: &Diff, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(
        out,
        "<table>\n<thead><tr><th>submission</th><th class=\"number\">before</th>\
         <th class=\"number\">after</th><th class=\"number\">change</th><th>why</th></tr></thead>\n<tbody>"
    )?;
    for entry in &diff.entries {
        write_entry(entry, out)?;
    }
    writeln!(out, "</tbody>\n</table>")
}

fn write_entry(entry: &Entry, out: &mut dyn io::Write) -> io::Result<()> {
    let points =
        |points: Option<Points>| points.map_or_else(|| "–".to_owned(), |it| it.to_string());
    let delta = entry.delta().map_or_else(|| "–".to_owned(), |delta| delta.to_string());
    let hundredths = entry.delta().unwrap_or_default().hundredths();
    let class = if entry.is_loss() { "none" } else { class(hundredths) };
    write!(
        out,
        "<tr><td class=\"name\">{}<div><small>{}</small></div></td><td class=\"number\">{}</td>\
         <td class=\"number\">{}</td><td class=\"number {class}\"><strong>{delta}</strong></td><td>",
        Text(&entry.submission),
        Text(&entry.assignment),
        points(entry.before),
        points(entry.after)
    )?;
    if entry.outcome_before != entry.outcome_after {
        let (before, after) =
            (outcome_words(entry.outcome_before), outcome_words(entry.outcome_after));
        write!(out, "<div>{before} → {after}</div>")?;
    }
    writeln!(out, "{}", Text(entry.change.words()))?;
    moves(&entry.change.checks, out)?;
    writeln!(out, "</td></tr>")
}

fn by_check(diff: &Diff, out: &mut dyn io::Write) -> io::Result<()> {
    if diff.checks.is_empty() {
        return Ok(());
    }
    writeln!(
        out,
        "<section class=\"card ledger\">\n<h2>By check</h2>\n<table>\n<thead><tr><th>check</th>\
         <th class=\"number\">gained</th><th class=\"number\">lost</th>\
         <th class=\"number\">points</th></tr></thead>\n<tbody>"
    )?;
    for (check, total) in &diff.checks {
        let class = class(total.sum.hundredths());
        writeln!(
            out,
            "<tr><td><code>{}</code></td><td class=\"number\">{}</td><td class=\"number\">{}</td>\
             <td class=\"number {class}\">{}</td></tr>",
            Text(check),
            total.gained,
            total.lost,
            total.sum
        )?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

/// Writes the history of a submission.
pub(super) fn write_log(history: &History, out: &mut dyn io::Write) -> io::Result<()> {
    page(&history.submission.to_string(), out)?;
    writeln!(out, "</header>\n<section class=\"card ledger\">\n<table>\n<tbody>")?;
    for logged in &history.events {
        write_event(logged, out)?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")?;
    end(out)
}

fn write_event(logged: &Logged, out: &mut dyn io::Write) -> io::Result<()> {
    let class = class(logged.delta().unwrap_or_default().hundredths());
    writeln!(
        out,
        "<tr><td>{}</td><td class=\"number\">{}</td><td class=\"number {class}\">{}</td><td>{}",
        Text(&logged.at),
        words::points(logged),
        words::delta(logged),
        Text(words::event(&logged.event))
    )?;
    if let Some(details) = words::details(&logged.event) {
        writeln!(out, "<div><small>{}</small></div>", Text(details))?;
    }
    if let Event::Grading { change: Some(change), .. } = &logged.event {
        moves(&change.checks, out)?;
    }
    writeln!(out, "</td></tr>")
}
