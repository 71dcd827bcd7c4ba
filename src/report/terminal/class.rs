//! Prints a class: a line for each submission, common failures, and the results of the class.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Points, Record, RecordOutcome, Status, TaskRecord};
use crate::pipeline::broken_file;
use crate::report::audience::View;
use crate::report::overridden;
use crate::report::summary::{self, Cause, Group, TaskHead};
use crate::report::text::{count, fit, pad, pad_left, width};

use super::closing;
use super::paint::{Ink, Layout};

/// Most lines of the section "what went wrong".
const MOST_STUMBLES: usize = 8;

/// Columns of a bar.
const BAR: u32 = 10;

/// Columns for points up to `9999.99`, and the gap before them.
const POINTS: usize = 9;

/// Writes the class.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn class(view: &View<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    let run = view.run();
    let groups = summary::groups(run);
    for group in &groups {
        heading(group, layout, out)?;
        table(group, layout, out)?;
        task_lines(group, layout, out)?;
        causes_of_losses(group, layout, out)?;
        decisions(group, layout, out)?;
        writeln!(out)?;
    }
    closing::closing(run, &groups, layout, out)
}

fn heading(group: &Group<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    let size = count(group.records.len(), "submission", "submissions");
    let total: Points = group.tasks.iter().map(|task| task.max_points).sum();
    let about = if group.tasks.is_empty() { size } else { format!("{size}, {total} points") };
    let name = fit(&group.name(), layout.columns() - about.len() - 1);
    let gap = layout.columns().saturating_sub(width(&name) + width(&about));
    writeln!(out, "{}{}{about}", layout.style.paint(Ink::Strong, &name), " ".repeat(gap))?;
    writeln!(out, "{}", layout.style.paint(Ink::Faint, &"─".repeat(layout.columns())))
}

/// Writes the points that a person decided.
fn decisions(group: &Group<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    if group.records.iter().all(|(_, record)| overridden::number(record) == 0) {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.style.paint(Ink::Strong, overridden::TITLE))?;
    for (_, record) in &group.records {
        for line in overridden::lines(record) {
            writeln!(
                out,
                "  {}",
                fit(&format!("{}  {line}", record.submission), layout.columns() - 2)
            )?;
        }
    }
    Ok(())
}

/// Widths of the table's columns.
struct Columns {
    name: usize,
    cell: usize,
    /// Columns left beside name and points.
    rest: usize,
}

impl Columns {
    fn of(group: &Group<'_>, layout: Layout) -> Self {
        let widest = group.records.iter().map(|(_, record)| width(&record.submission.to_string()));
        // The table keeps its shape for all but the longest names.
        let name = widest.max().unwrap_or(0).clamp(width("submission"), 28);
        let rest = layout.columns() - 2 - name - POINTS;
        let cells = group.records.iter().flat_map(|(_, record)| &record.tasks);
        let cell = cells.map(|task| width(&cell(task).0)).max();
        Self { name, cell: cell.unwrap_or(1).max(2) + 2, rest }
    }

    /// True if the tasks fit beside the points.
    fn hold(&self, tasks: usize) -> bool {
        tasks * self.cell <= self.rest
    }
}

fn table(group: &Group<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    let columns = Columns::of(group, layout);
    let mut head = format!("  {}{}", pad("submission", columns.name), pad_left("points", POINTS));
    if columns.hold(group.tasks.len()) {
        for place in 1..=group.tasks.len() {
            head.push_str(&pad_left(&place.to_string(), columns.cell));
        }
    }
    writeln!(out, "{}", layout.style.paint(Ink::Faint, &head))?;
    for (_, record) in &group.records {
        let name = pad(&fit(&record.submission.to_string(), columns.name), columns.name);
        let points = match record.outcome {
            RecordOutcome::NoGrade => "–".to_owned(),
            RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
                record.points.to_string()
            }
        };
        let points = pad_left(&points, POINTS);
        let rest = rest_of_row(record, &group.tasks, &columns, layout);
        writeln!(out, "  {name}{}{rest}", layout.style.paint(Ink::Strong, &points))?;
    }
    Ok(())
}

fn rest_of_row(
    record: &Record,
    tasks: &[TaskHead<'_>],
    columns: &Columns,
    layout: Layout,
) -> String {
    if record.outcome != RecordOutcome::Graded {
        let ink = if record.outcome == RecordOutcome::NoGrade { Ink::Warning } else { Ink::Bad };
        let word = summary::outcome_words(record.outcome);
        let first = record.reason.as_ref().map(Untrusted::first_line).unwrap_or_default();
        let reason = if first.is_empty() { String::new() } else { format!(": {first}") };
        let reason = fit(&reason, columns.rest - 2 - word.len());
        return format!("  {}{reason}", layout.style.paint(ink, word));
    }
    let mut row = String::new();
    let mut left = columns.rest;
    if columns.hold(tasks.len()) {
        for head in tasks {
            let task = record.tasks.iter().find(|task| task.id == *head.id);
            let (text, ink) = match task {
                Some(task) => cell(task),
                None => (String::new(), Ink::Faint),
            };
            row.push_str(&" ".repeat(columns.cell.saturating_sub(width(&text))));
            row.push_str(&layout.style.paint(ink, &text));
        }
        left -= tasks.len() * columns.cell;
    }
    let (words, ink) = match () {
        () if summary::is_untouched(record) => ("not started".to_owned(), Ink::Warning),
        () if record.points >= record.max_points => (full_marks(record), Ink::Good),
        () => (remarks(record), Ink::Faint),
    };
    if !words.is_empty() && left > 12 {
        row.push_str("   ");
        row.push_str(&layout.style.paint(ink, &fit(&words, left - 3)));
    }
    row
}

/// Full marks, and which checks fail all the same.
fn full_marks(record: &Record) -> String {
    let checks = record.tasks.iter().flat_map(|task| &task.checks);
    let failing: Vec<String> =
        checks.filter(|it| summary::costs_nothing(it)).map(|check| check.id.to_string()).collect();
    match failing.as_slice() {
        [] => "full marks".to_owned(),
        [one] => format!("full marks; {one} fails, which costs nothing"),
        several => format!("full marks; {} fail, which costs nothing", several.join(", ")),
    }
}

/// Returns the reasons for missing points in a few words: mistakes, unanswered tasks, stubs, and files that
/// do not compile.
fn remarks(record: &Record) -> String {
    let mut words: Vec<String> = Vec::new();
    for check in record.tasks.iter().flat_map(|task| &task.checks) {
        if let Some(mistake) = &check.mistake
            && check.max_points > Points::ZERO
            && !words.contains(&mistake.to_string())
        {
            words.push(mistake.to_string());
        }
    }
    let tasks_where = |holds: &dyn Fn(&TaskRecord) -> bool| {
        let places = (1..).zip(&record.tasks).filter(|(_, task)| holds(task));
        places.map(|(place, _)| place.to_string()).collect::<Vec<_>>().join(", ")
    };
    let costs = |it: &CheckRecord| it.status == Status::Fault && it.max_points > Points::ZERO;
    let no_answer = tasks_where(&|task| task.checks.iter().any(costs));
    if !no_answer.is_empty() {
        words.push(format!("no answer in {no_answer}"));
    }
    let unwritten = tasks_where(&is_unwritten);
    if !unwritten.is_empty() {
        words.push(format!("{unwritten} not written"));
    }
    let broken = record.notes.iter().filter_map(broken_file);
    words.extend(broken.map(|file| file.to_string()));
    words.join("; ")
}

/// True if every check of a task found only a stub.
fn is_unwritten(task: &TaskRecord) -> bool {
    task.checks.iter().all(|check| check.status == Status::NotImplemented)
}

/// Returns a task's cell in the table: full points, the points, or the mark of a stub.
fn cell(task: &TaskRecord) -> (String, Ink) {
    if task.points >= task.max_points {
        ("✓".to_owned(), Ink::Good)
    } else if is_unwritten(task) {
        ("·".to_owned(), Ink::Faint)
    } else if task.points == Points::ZERO {
        ("0".to_owned(), Ink::Bad)
    } else {
        (summary::short(task.points), Ink::Warning)
    }
}

/// Writes the tasks' numbers and titles, with the class's mean of each.
fn task_lines(group: &Group<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    if group.tasks.is_empty() {
        return Ok(());
    }
    writeln!(out)?;
    // "  1  title   mean 6.25 of 8   ██████····"
    let title = group.tasks.iter().map(|task| width(&task.title.to_string())).max().unwrap_or(0);
    let title = title.min(layout.columns() - 43);
    for (place, task) in (1..).zip(&group.tasks) {
        let name = pad(&fit(&task.title.to_string(), title), title);
        let of = pad(&format!("of {}", summary::short(task.max_points)), 9);
        let mean = match task.mean {
            Some(mean) => {
                let full = summary::steps(mean, task.max_points, BAR);
                let (full, empty) = (repeat("█", full), repeat("·", BAR - full));
                let mean = pad_left(&mean.to_string(), 7);
                format!("mean {mean} {of} {full}{}", layout.style.paint(Ink::Faint, &empty))
            }
            None => format!("     {:7} {of}", ""),
        };
        writeln!(out, "  {place:>2}  {name}   {}", mean.trim_end())?;
    }
    Ok(())
}

fn repeat(text: &str, times: u32) -> String {
    text.repeat(usize::try_from(times).unwrap_or(0))
}

fn causes_of_losses(group: &Group<'_>, layout: Layout, out: &mut dyn io::Write) -> io::Result<()> {
    let causes_of_losses = summary::causes_of_losses(&group.records);
    if causes_of_losses.is_empty() {
        return Ok(());
    }
    writeln!(out, "\n{}", layout.style.paint(Ink::Strong, "What went wrong most often"))?;
    let shown = causes_of_losses.iter().take(MOST_STUMBLES);
    let names = shown.clone().map(|stumble| match stumble.cause {
        Cause::Mistake { id, .. } | Cause::Check { id, .. } => width(&id.to_string()),
    });
    let widest = names.max().unwrap_or(0).min(40);
    for stumble in shown {
        let (id, ink, about) = match stumble.cause {
            Cause::Mistake { id, check } => (id, Ink::Name, format!("seen by {check}")),
            Cause::Check { id, title } => (id, Ink::Bad, title.to_string()),
        };
        let id = layout.style.paint_padded(ink, &fit(&id.to_string(), widest), widest);
        let about = fit(&about, layout.columns() - widest - 10);
        let about = layout.style.paint(Ink::Faint, &about);
        writeln!(out, "  {:>4}  {id}  {about}", format!("{}×", stumble.submissions))?;
    }
    let more = causes_of_losses.len().saturating_sub(MOST_STUMBLES);
    if more > 0 {
        writeln!(out, "        … and {more} more")?;
    }
    Ok(())
}
