//! Page for one student: first the points, then what to look at first, then everything else.

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Evidence, Record, RecordOutcome, Status, TaskRecord, Visibility};
use crate::report::audience::View;
use crate::report::summary::is_untouched;
use crate::report::text::count;
use crate::suite::Catalog;

use super::checks::{self, Explained, Mistakes};
use super::class::bar;
use super::escape::Text;
use super::{begin, end, mistakes, submission};

/// Rules for this page alone.
const STYLE: &str = include_str!("feedback.css");

/// Advice for the student, from the most urgent to the least.
#[derive(Debug)]
enum First<'a> {
    /// The submission has no results; the page gives the reason.
    Outcome,
    /// Every check passes.
    Nothing,
    /// No task is begun.
    Untouched,
    /// The failing check to look at, and its task.
    Check(&'a TaskRecord, &'a CheckRecord),
    /// No check that ran fails; these tasks are not finished.
    Unwritten(Vec<&'a TaskRecord>),
}

impl<'a> First<'a> {
    /// Returns the first failing public check, else the first failing hidden one, else the tasks that are not written.
    fn of(record: &'a Record) -> Self {
        if record.outcome != RecordOutcome::Graded {
            return Self::Outcome;
        }
        if is_untouched(record) {
            return Self::Untouched;
        }
        let failing = |visibility: Visibility| {
            checks_of(record).find(|(_, check)| {
                let fails = matches!(check.status, Status::Wrong | Status::Fault);
                let costs = check.points < check.max_points;
                fails && check.visibility == visibility && costs
            })
        };
        if let Some((task, check)) =
            failing(Visibility::Public).or_else(|| failing(Visibility::Hidden))
        {
            return Self::Check(task, check);
        }
        let lacks = |task: &&TaskRecord| task.checks.iter().any(|it| it.status != Status::Pass);
        let unwritten: Vec<&TaskRecord> =
            record.tasks.iter().filter(lacks).filter(|it| it.points < it.max_points).collect();
        if unwritten.is_empty() { Self::Nothing } else { Self::Unwritten(unwritten) }
    }
}

fn checks_of(record: &Record) -> impl Iterator<Item = (&TaskRecord, &CheckRecord)> {
    record.tasks.iter().flat_map(|task| task.checks.iter().map(move |check| (task, check)))
}

/// Writes the page of a submission, as students may see it, whoever the view is for.
///
/// # Errors
///
/// Fails if `out` cannot be written to, or the view does not have exactly one record
/// ([`io::ErrorKind::InvalidInput`]).
pub fn write(view: &View<'_>, catalog: Catalog, out: &mut dyn io::Write) -> io::Result<()> {
    let view = view.for_students();
    let mistakes = Mistakes { catalog, explained_by: Explained::OnPage };
    let [record] = view.run().records.as_slice() else {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "a page is of one submission"));
    };
    let style = [super::STYLE, STYLE].concat();
    begin(&format!("{}: feedback", assignment(record)), &style, out)?;
    header(record, out)?;
    writeln!(out, "<main>")?;
    first(record, mistakes, out)?;
    results(record, mistakes, out)?;
    mistakes::write(std::slice::from_ref(record), catalog, out)?;
    writeln!(out, "</main>")?;
    end(&view.run().grader, out)
}

/// Returns the assignment id, for a person.
fn assignment(record: &Record) -> String {
    match &record.assignment {
        unknown if unknown.is_empty() => "Your submission".to_owned(),
        known => known.to_string(),
    }
}

fn header(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<header class=\"grade\">\n<div>\n<h1>{}</h1>", Text(assignment(record)))?;
    write!(out, "<p class=\"lead\">{}", Text(&record.submission))?;
    if let Some(submitted) = &record.submitted {
        write!(out, ", handed in {}", Text(submitted))?;
    }
    writeln!(out, "</p>\n</div>")?;
    if record.outcome == RecordOutcome::NoGrade {
        writeln!(out, "<p class=\"total\">no grade yet</p>")?;
    } else {
        let (points, max_points) = (record.points, record.max_points);
        writeln!(out, "<p class=\"total\">{points} <small>of {max_points} points</small></p>")?;
    }
    writeln!(out, "</header>")?;
    if record.outcome == RecordOutcome::Graded {
        overview(record, out)?;
    }
    Ok(())
}

/// Writes the points of each task.
fn overview(record: &Record, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<table class=\"bars tasks\">")?;
    for (place, task) in record.tasks.iter().enumerate() {
        let title = if task.title.is_empty() { &task.id } else { &task.title };
        let (bar, points) = (bar(task.points, task.max_points), task.points);
        writeln!(
            out,
            "<tr><td><a href=\"#t{place}\">{}</a></td><td>{bar}</td>\
             <td class=\"number\">{points} <small>of {}</small></td></tr>",
            Text(title),
            task.max_points
        )?;
    }
    writeln!(out, "</table>")
}

fn first(record: &Record, mistakes: Mistakes, out: &mut dyn io::Write) -> io::Result<()> {
    let first = First::of(record);
    let title = match (&first, record.outcome) {
        (First::Nothing, _) => "Full marks",
        (First::Outcome, RecordOutcome::NoGrade) => "What happened",
        (First::Untouched | First::Unwritten(_), _) => "What is missing",
        (First::Outcome | First::Check(..), _) => "Look at this first",
    };
    writeln!(out, "<article class=\"first\">\n<h2>{title}</h2>")?;
    match first {
        First::Outcome => submission::write_outcome(record, out)?,
        First::Nothing => writeln!(out, "<p>Every check passes. Nothing is left to mend.</p>")?,
        First::Untouched => writeln!(
            out,
            "<p>No task is written yet: every check reached a <code>todo!()</code> of the skeleton.</p>"
        )?,
        First::Check(task, check) => look_at(task, check, mistakes, out)?,
        First::Unwritten(tasks) => unwritten(&tasks, out)?,
    }
    writeln!(out, "</article>")
}

fn look_at(
    task: &TaskRecord,
    check: &CheckRecord,
    mistakes: Mistakes,
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let title = if task.title.is_empty() { &task.id } else { &task.title };
    write!(out, "<p class=\"lead\">{}: ", Text(title))?;
    match check.visibility {
        Visibility::Public => writeln!(
            out,
            "the first public check that fails. <code>cargo test</code> shows it on your machine.</p>"
        )?,
        Visibility::Hidden => {
            let is_shown = check.evidence != Evidence::default();
            let inputs = if is_shown { "" } else { " Its inputs are not shown." };
            writeln!(out, "all public checks pass, and this hidden one fails.{inputs}</p>")?;
        }
    }
    writeln!(out, "<ul class=\"checks\">")?;
    checks::write_check(check, mistakes, out)?;
    writeln!(out, "</ul>")
}

fn unwritten(tasks: &[&TaskRecord], out: &mut dyn io::Write) -> io::Result<()> {
    let tasks_count = count(tasks.len(), "task is", "tasks are");
    writeln!(out, "<p>No check that ran fails; {tasks_count} not finished:</p>\n<ul>")?;
    for task in tasks {
        writeln!(
            out,
            "<li>{} <small>{} of {} points</small></li>",
            Text(if task.title.is_empty() { &task.id } else { &task.title }),
            task.points,
            task.max_points
        )?;
    }
    writeln!(out, "</ul>")
}

/// Writes all results, task by task, and what stands beside them.
fn results(record: &Record, mistakes: Mistakes, out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "<article>\n<h2>All results</h2>")?;
    if record.outcome == RecordOutcome::Graded {
        for (place, task) in record.tasks.iter().enumerate() {
            writeln!(out, "<section id=\"t{place}\">")?;
            checks::write_task(task, mistakes, out)?;
            writeln!(out, "</section>")?;
        }
    }
    submission::write_rest(record, out)?;
    let digest: String = record.sha256.to_string().chars().take(16).collect();
    if !digest.is_empty() {
        let digest = Untrusted::from(digest);
        writeln!(out, "<p class=\"hash\">of the files with sha256 {}…</p>", Text(digest))?;
    }
    writeln!(out, "</article>")
}
