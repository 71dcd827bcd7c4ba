//! Prints one submission in full: every task and check, and the evidence for lost points.

mod written;

use std::io;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, KillMatrix, Points, Record, RecordOutcome, Status, Visibility};
use crate::report::audience::View;
use crate::report::summary::{grader_settings, outcome_words, status_words};
use crate::report::text::{EDGE, chop, count, fit, message, pad, pad_left, width, wrap};
use crate::report::{evidence, matrix, model, overridden};
use crate::suite::Catalog;

use super::paint::{Ink, Layout, mark};

/// Columns for `9999.99 / 9999.99`.
const POINTS: usize = 17;

/// Columns for the longest label of a piece of evidence, and the gap after it.
const LABEL: usize = 10;

/// Lines that one piece of evidence may take.
const FIELD_LINES: usize = 12;

/// Lines of what the code printed that are shown: the last ones, as they tell most.
const LOG_LINES: usize = 30;

/// Writes one submission in full.
///
/// # Errors
///
/// Fails if `out` cannot be written to.
pub fn submission(
    view: &View<'_>,
    record: &Record,
    (layout, catalog): (Layout, Catalog),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let mut page = Page { layout, catalog, is_for_students: view.is_for_students(), out };
    page.heading(record)?;
    if record.outcome == RecordOutcome::Graded {
        for task in &record.tasks {
            page.blank()?;
            page.scored(Ink::Strong, "", &task.title.to_string(), task.points, task.max_points)?;
            page.checks(&task.checks)?;
        }
    } else {
        page.outcome(record)?;
    }
    page.overridden(record)?;
    page.models(record)?;
    page.written(record)?;
    page.notes(record)?;
    page.log(record)?;
    page.blank()?;
    let grader = &view.run().grader;
    let about = format!("grader {}, sandbox {}", grader_settings(grader), grader.sandbox);
    page.line(0, Ink::Faint, &about)
}

/// True if two checks were not run for the same reason: a stub fails all of its checks at once.
fn are_alike(one: &CheckRecord, other: &CheckRecord) -> bool {
    matches!(one.status, Status::NotImplemented | Status::Blocked)
        && one.status == other.status
        && one.message == other.message
}

/// Wraps text as [`wrap`] does, and repeats a mark at the left edge of every line.
fn wrap_quoted(text: &str, columns: usize) -> Vec<String> {
    match text.strip_prefix(EDGE) {
        Some(rest) => {
            let rest = wrap(rest, columns.saturating_sub(width(EDGE)));
            rest.iter().map(|part| format!("{EDGE}{part}").trim_end().to_owned()).collect()
        }
        None => wrap(text, columns),
    }
}

struct Page<'a> {
    layout: Layout,
    catalog: Catalog,
    is_for_students: bool,
    out: &'a mut dyn io::Write,
}

impl Page<'_> {
    fn blank(&mut self) -> io::Result<()> {
        writeln!(self.out)
    }

    fn line(&mut self, indent: usize, ink: Ink, text: &str) -> io::Result<()> {
        writeln!(self.out, "{:indent$}{}", "", self.layout.style.paint(ink, text))
    }

    fn heading(&mut self, record: &Record) -> io::Result<()> {
        let columns = self.layout.columns();
        let points = match record.outcome {
            RecordOutcome::NoGrade => "no grade".to_owned(),
            RecordOutcome::Graded | RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
                format!("{} / {}", record.points, record.max_points)
            }
        };
        let name = fit(&record.submission.to_string(), columns - width(&points) - 2);
        let gap = columns - width(&name) - width(&points);
        let name = self.layout.style.paint(Ink::Strong, &name);
        let points = self.layout.style.paint(Ink::Strong, &points);
        writeln!(self.out, "{name}{}{points}", " ".repeat(gap))?;
        self.line(0, Ink::Faint, &"─".repeat(columns))?;
        let short_hash: String = record.sha256.to_string().chars().take(16).collect();
        let mut about = match &record.assignment {
            assignment if assignment.is_empty() => "assignment unknown".to_owned(),
            assignment => assignment.to_string(),
        };
        if let Some(submitted) = &record.submitted {
            about = format!("{about}, handed in {submitted}");
        }
        if !short_hash.is_empty() {
            about = format!("{about}, sha256 {short_hash}");
        }
        self.line(0, Ink::Faint, &fit(&about, columns))
    }

    /// Prints a title with points at the right edge.
    fn scored(
        &mut self,
        ink: Ink,
        lead: &str,
        title: &str,
        points: Points,
        max_points: Points,
    ) -> io::Result<()> {
        let columns = self.layout.columns();
        let room = columns - width(lead) - POINTS - 1;
        let points = pad_left(&format!("{points} / {max_points}"), POINTS);
        for (place, part) in wrap(title, room).iter().enumerate() {
            let part = self.layout.style.paint_padded(ink, part, room);
            if place == 0 {
                let mark = self.layout.style.paint(ink, lead);
                writeln!(self.out, "{mark}{part} {points}")?;
            } else {
                writeln!(self.out, "{}{}", " ".repeat(width(lead)), part.trim_end())?;
            }
        }
        Ok(())
    }

    fn checks(&mut self, mut checks: &[CheckRecord]) -> io::Result<()> {
        while let Some((first, rest)) = checks.split_first() {
            let alike = 1 + rest.iter().take_while(|other| are_alike(first, other)).count();
            checks = checks.get(alike..).unwrap_or_default();
            if alike > 1 {
                self.checks_alike(first, alike)?;
                continue;
            }
            self.check(first)?;
            if first.status != Status::Pass && !checks.is_empty() {
                self.blank()?;
            }
        }
        Ok(())
    }

    fn check(&mut self, check: &CheckRecord) -> io::Result<()> {
        let (mark, ink) = mark(check.status);
        let hidden = match check.visibility {
            Visibility::Public => "",
            Visibility::Hidden => " (hidden)",
        };
        let title = if check.title.is_empty() { &check.id } else { &check.title };
        let title = format!("{title}{hidden}");
        let lead = format!("  {mark} ");
        self.scored(ink, &lead, &title, check.points, check.max_points)?;
        if check.status == Status::Pass {
            return Ok(());
        }
        self.field("check", Ink::Name, &[check.id.to_string()])?;
        let mut message = message(&check.message);
        if matches!(check.status, Status::NotImplemented | Status::Blocked) {
            let said = message.first().map(|first| format!(": {first}")).unwrap_or_default();
            message.splice(..message.len().min(1), [status_words(check.status).to_owned() + &said]);
        }
        self.field("because", Ink::Plain, &message)?;
        for (label, texts) in evidence::rows(check) {
            self.field(label, Ink::Plain, &texts)?;
        }
        if let Some(matrix) = &check.matrix {
            self.matrix(matrix)?;
        }
        if let Some(mistake) = &check.mistake {
            let summary = self.catalog.mistake(mistake.as_raw()).map(|it| it.summary.to_owned());
            let named = if self.is_for_students {
                mistake.to_string()
            } else {
                format!("{mistake}: `grade explain {mistake}`")
            };
            let told: Vec<String> = std::iter::once(named).chain(summary).collect();
            self.field("mistake", Ink::Name, &told)?;
        }
        if let Some(replay) = &check.replay {
            self.field("replay", Ink::Name, &[replay.to_string()])?;
        }
        Ok(())
    }

    /// Prints checks with the same result in one line.
    fn checks_alike(&mut self, first: &CheckRecord, number: usize) -> io::Result<()> {
        let (mark, ink) = mark(first.status);
        let checks = count(number, "check", "checks");
        let words = status_words(first.status);
        let message = first.message.to_string();
        let colon = if message.is_empty() { "" } else { ": " };
        let text = format!("{checks} {words}{colon}{message}");
        for (place, part) in wrap(&text, self.layout.columns() - 4).iter().enumerate() {
            let lead = if place == 0 { mark } else { " " };
            self.line(2, ink, &format!("{lead} {part}"))?;
        }
        Ok(())
    }

    /// Prints a label and its text, indented under their check.
    fn field(&mut self, label: &str, ink: Ink, texts: &[String]) -> io::Result<()> {
        let indent = 6;
        let room = self.layout.columns() - indent - LABEL;
        let mut label = self.layout.style.paint_padded(Ink::Faint, label, LABEL);
        let mut parts: Vec<String> =
            texts.iter().flat_map(|text| wrap_quoted(text, room)).collect();
        let more = parts.len().saturating_sub(FIELD_LINES);
        if more > 1 {
            parts.truncate(FIELD_LINES);
            parts.push(format!("… and {more} more lines"));
        }
        for part in parts {
            let part = self.layout.style.paint(ink, &part);
            writeln!(self.out, "{:indent$}{label}{part}", "")?;
            label = pad("", LABEL);
        }
        Ok(())
    }

    /// Writes the detectors, and the verdict of each on the layers that were judged wrongly.
    fn matrix(&mut self, matrix: &KillMatrix) -> io::Result<()> {
        self.field("detectors", Ink::Plain, &[matrix::detectors(matrix)])?;
        let columns = 2 * matrix.detectors.len() + 1;
        let numbers: Vec<String> = (1..=matrix.detectors.len()).map(|n| n.to_string()).collect();
        let indent = 6;
        let label = self.layout.style.paint_padded(Ink::Faint, "kills", LABEL);
        let about = format!("{} ({})", matrix::caught(matrix), matrix::SIGNS);
        let room = self.layout.columns() - indent - LABEL - columns;
        let mut lead = format!("{label}{}", pad(&numbers.join(" "), columns));
        for part in wrap(&about, room) {
            writeln!(self.out, "{:indent$}{lead}{part}", "")?;
            lead = pad("", LABEL + columns);
        }
        let lines = matrix::essence(matrix);
        let more = lines.len().saturating_sub(FIELD_LINES);
        for line in lines.iter().take(FIELD_LINES) {
            let signs: Vec<&str> =
                line.verdicts.iter().map(|verdict| matrix::sign(*verdict)).collect();
            let mut lead = format!("{}{}", pad("", LABEL), pad(&signs.join(" "), columns));
            for part in wrap(&line.about, room) {
                writeln!(self.out, "{:indent$}{lead}{part}", "")?;
                lead = pad("", LABEL + columns);
            }
        }
        if more > 0 {
            writeln!(self.out, "{:indent$}{}… and {more} more", "", pad("", LABEL + columns))?;
        }
        Ok(())
    }

    /// Prints the points that a person decided.
    fn overridden(&mut self, record: &Record) -> io::Result<()> {
        let lines = overridden::lines(record);
        if lines.is_empty() {
            return Ok(());
        }
        self.blank()?;
        self.line(0, Ink::Strong, overridden::TITLE)?;
        for line in lines {
            for (place, part) in wrap(&line, self.layout.columns() - 4).iter().enumerate() {
                let lead = if place == 0 { "- " } else { "  " };
                writeln!(self.out, "  {lead}{part}")?;
            }
        }
        Ok(())
    }

    /// Prints the trained parts and models, whether trained here or before they were handed in.
    fn models(&mut self, record: &Record) -> io::Result<()> {
        if record.models.is_empty() && record.trainings.is_empty() {
            return Ok(());
        }
        self.blank()?;
        let title = if record.models.is_empty() { "Trained" } else { "Model" };
        self.line(0, Ink::Strong, title)?;
        let room = self.layout.columns() - 4;
        for training in &record.trainings {
            for part in wrap(&model::trained(training), room) {
                self.line(2, Ink::Plain, &part)?;
            }
        }
        for shown in &record.models {
            // Three spaces part the file from its share; `wrap` would leave one.
            for part in chop(&model::reached(shown), room) {
                self.line(2, Ink::Plain, part.trim_end())?;
            }
            for part in model::says(shown).iter().flat_map(|says| wrap(says, room)) {
                self.line(4, Ink::Faint, &part)?;
            }
            for part in wrap(&shown.own.to_string(), room) {
                self.line(4, Ink::Plain, &part)?;
            }
        }
        Ok(())
    }

    /// Writes the reason why no check has a result.
    fn outcome(&mut self, record: &Record) -> io::Result<()> {
        self.blank()?;
        let meaning = match record.outcome {
            RecordOutcome::Graded => "",
            RecordOutcome::Rejected => "not accepted as a submission; nothing was run",
            RecordOutcome::BuildFailed => "the code does not compile; no check could run",
            RecordOutcome::NoGrade => "the grader failed; the student is not to blame",
        };
        let ink = if record.outcome == RecordOutcome::NoGrade { Ink::Warning } else { Ink::Bad };
        self.line(0, ink, &format!("{}: {meaning}", outcome_words(record.outcome)))?;
        self.quote(&record.reason.as_ref().map(Untrusted::lines).unwrap_or_default())
    }

    fn notes(&mut self, record: &Record) -> io::Result<()> {
        if record.notes.is_empty() {
            return Ok(());
        }
        self.blank()?;
        self.line(0, Ink::Strong, "Notes")?;
        for note in &record.notes {
            for (place, part) in
                wrap(&note.to_string(), self.layout.columns() - 4).iter().enumerate()
            {
                let lead = if place == 0 { "- " } else { "  " };
                writeln!(self.out, "  {lead}{part}")?;
            }
        }
        Ok(())
    }

    fn log(&mut self, record: &Record) -> io::Result<()> {
        let log = record.log.lines();
        if log.is_empty() {
            return Ok(());
        }
        self.blank()?;
        let skipped = log.len().saturating_sub(LOG_LINES);
        let title = match skipped {
            0 => "What the code printed".to_owned(),
            _ => format!("What the code printed, its last {LOG_LINES} lines of {}", log.len()),
        };
        self.line(0, Ink::Strong, &title)?;
        self.quote(log.get(skipped..).unwrap_or_default())
    }

    /// Prints text that is not the grader's own, marked at the left edge.
    fn quote(&mut self, texts: &[String]) -> io::Result<()> {
        let room = self.layout.columns() - 4;
        for part in texts.iter().flat_map(|text| chop(text, room)) {
            let edge = self.layout.style.paint(Ink::Faint, "  │");
            writeln!(self.out, "{}", format!("{edge} {part}").trim_end())?;
        }
        Ok(())
    }
}
