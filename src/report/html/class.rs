//! Section of the page for the class: numbers, table, and common failures.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{Points, Record, RecordOutcome};
use crate::report::summary::{self, Cause, Group};

use super::escape::Text;

/// Columns of the chart of marks.
const BINS: u32 = 10;

/// Most mistakes that are listed.
const MOST_STUMBLES: usize = 12;

/// Writes the summary of the class.
pub(super) fn write(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<header>\n<h1>{}</h1>", Text(group.name()))?;
    if group.records.len() == 1 {
        // One submission is no class: it has its own section, which says it all.
        return writeln!(out, "</header>");
    }
    let records: Vec<_> = group.records.iter().map(|(_, record)| *record).collect();
    writeln!(out, "<p class=\"lead\">{}</p>", summary::outcome_counts(&records))?;
    if let Some(marks) = summary::marks(&group.records) {
        writeln!(out, "<dl class=\"figures\">")?;
        figure("mean", marks.mean, out)?;
        figure("median", marks.median, out)?;
        figure("out of", marks.max_points, out)?;
        writeln!(out, "</dl>")?;
    }
    writeln!(out, "</header>")?;
    writeln!(out, "<div class=\"class\">")?;
    chart(group, out)?;
    tasks(group, out)?;
    causes_of_losses(group, out)?;
    writeln!(out, "</div>")?;
    table(group, out)
}

fn figure(label: &str, points: Points, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<div><dt>{label}</dt><dd>{points}</dd></div>")
}

/// Writes a chart of the graded submissions by tenths of the points.
fn chart(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let graded: Vec<&Record> = summary::graded(&group.records).collect();
    if graded.is_empty() {
        return Ok(());
    }
    let bin = |record: &Record| {
        let steps = u64::from(record.points.hundredths()) * u64::from(BINS)
            / u64::from(record.max_points.hundredths().max(1));
        u32::try_from(steps).unwrap_or(BINS).min(BINS - 1)
    };
    let counts: Vec<usize> = (0..BINS)
        .map(|place| graded.iter().filter(|record| bin(record) == place).count())
        .collect();
    let most = counts.iter().copied().max().unwrap_or(1).max(1);
    writeln!(out, "<section class=\"card\">\n<h2>Marks</h2>\n<div class=\"chart\">")?;
    for (place, number) in (0..BINS).zip(counts) {
        let (from, to) = (place * 100 / BINS, (place + 1) * 100 / BINS);
        let height = number * 100 / most;
        let shown = if number == 0 { String::new() } else { number.to_string() };
        writeln!(
            out,
            "<div title=\"{from} to {to} %: {number}\"><span>{shown}</span>\
             <i style=\"height:{height}%\"></i><b>{from}</b></div>"
        )?;
    }
    writeln!(out, "</div>\n<p class=\"axis\">percent of the points</p>\n</section>")
}

fn tasks(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    if group.tasks.iter().all(|task| task.mean.is_none()) {
        return Ok(());
    }
    writeln!(out, "<section class=\"card\">\n<h2>Tasks, on average</h2>\n<table class=\"bars\">")?;
    for task in &group.tasks {
        let mean = task.mean.unwrap_or_default();
        writeln!(
            out,
            "<tr><td>{}</td><td>{}</td><td class=\"number\">{mean} <small>of {}</small></td></tr>",
            Text(task.title),
            bar(mean, task.max_points),
            summary::short(task.max_points)
        )?;
    }
    writeln!(out, "</table>\n</section>")
}

/// Returns a bar that is filled by the share that `points` are of `max_points`.
pub(super) fn bar(points: Points, max_points: Points) -> String {
    let percent = summary::steps(points, max_points, 100);
    format!("<span class=\"bar\"><i style=\"width:{percent}%\"></i></span>")
}

fn causes_of_losses(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    let causes_of_losses = summary::causes_of_losses(&group.records);
    if causes_of_losses.is_empty() {
        return Ok(());
    }
    writeln!(out, "<section class=\"card wide\">\n<h2>What went wrong most often</h2>\n<table>")?;
    for stumble in causes_of_losses.iter().take(MOST_STUMBLES) {
        let (id, class, about) = match stumble.cause {
            Cause::Mistake { id, check } => (id, "mistake", format!("seen by {check}")),
            Cause::Check { id, title } => (id, "check", title.to_string()),
        };
        writeln!(
            out,
            "<tr><td class=\"number\">{}×</td><td><code class=\"{class}\">{}</code></td>\
             <td class=\"about\">{}</td></tr>",
            stumble.submissions,
            Text(id),
            Text(&about)
        )?;
    }
    writeln!(out, "</table>")?;
    let more = causes_of_losses.len().saturating_sub(MOST_STUMBLES);
    if more > 0 {
        writeln!(out, "<p class=\"about\">… and {more} more</p>")?;
    }
    writeln!(out, "</section>")
}

fn table(group: &Group<'_>, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<section class=\"card wide overview\">\n<h2>Submissions</h2>\n<table>")?;
    write!(out, "<thead><tr><th>submission</th><th class=\"number\">points</th><th></th>")?;
    for task in &group.tasks {
        write!(out, "<th class=\"number task\">{}</th>", Text(task.title))?;
    }
    writeln!(out, "</tr></thead>\n<tbody>")?;
    for (place, record) in &group.records {
        row(*place, record, group, out)?;
    }
    writeln!(out, "</tbody>\n</table>\n</section>")
}

fn row(
    place: usize,
    record: &Record,
    group: &Group<'_>,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    write!(
        out,
        "<tr><td class=\"name\"><a href=\"#s{place}\">{}</a></td>",
        Text(&record.submission)
    )?;
    let is_graded = record.outcome == RecordOutcome::Graded;
    if record.outcome == RecordOutcome::NoGrade {
        write!(out, "<td class=\"number\">–</td><td></td>")?;
    } else {
        write!(out, "<td class=\"number\"><strong>{}</strong></td>", record.points)?;
        write!(out, "<td>{}</td>", bar(record.points, record.max_points))?;
    }
    if !is_graded {
        let first = record.reason.as_ref().map(Untrusted::first_line).unwrap_or_default();
        return writeln!(
            out,
            "<td class=\"about\" colspan=\"{}\"><span class=\"badge {}\">{}</span> {}</td></tr>",
            group.tasks.len().max(1),
            record.outcome.as_str(),
            summary::outcome_words(record.outcome),
            Text(first)
        );
    }
    for head in &group.tasks {
        match record.tasks.iter().find(|task| task.id == *head.id) {
            Some(task) => {
                let class = match task.points {
                    points if points >= task.max_points => "all",
                    Points::ZERO => "none",
                    _ => "some",
                };
                write!(out, "<td class=\"number {class}\">{}</td>", summary::short(task.points))?;
            }
            None => write!(out, "<td></td>")?,
        }
    }
    writeln!(out, "</tr>")
}
