//! `grade mark`: records the points that a person gives for a written answer.

use std::collections::BTreeSet;
use std::io;
use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};

use crate::cli::commands::log;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::gradebook;
use crate::cli::plan::{MarkPlan, NewMark};
use crate::cli::printer::Printer;
use crate::clock;
use crate::marks::{MARKS, MarkInForce, MarkSource, Marks, digest_of};
use crate::model::{Delta, Grader, Points, Record, WrittenRecord};
use crate::overrides::Overrides;
use crate::pipeline::chain;
use crate::report::text::count;
use crate::results::find_record;
use crate::store::{
    AnswerId, Folder, GivenMark, Held, MarkerRole, MarkingId, MarkingStep, NewMarking,
};

/// Adds the plan's mark, if there is one, applies all marks to the records, and lists the answers that need
/// marking.
///
/// # Errors
///
/// Fails if there is no such answer, the points exceed its maximum, the marker gave its second mark, or the results cannot be
/// used.
pub(crate) fn mark(plan: &MarkPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let folder = Folder::of(&plan.out);
    let added = plan.given.as_ref().map(|given| add(plan, given)).transpose()?;
    if !plan.out.is_dir() {
        return Err(no_records(&plan.out));
    }
    // A record or a mark that is written at the same time must not be replaced by the one before it.
    let held = folder.hold().map_err(|error| unusable(&plan.out, &error.to_string()))?;
    let marks = Marks::read(&plan.out)?;
    let (records, _) =
        folder.read_all().map_err(|error| unusable(&plan.out, &error.to_string()))?;
    let overrides = Overrides::read(&plan.out)?;
    let mut grader = None;
    let mut seen = Vec::new();
    for record in records {
        let (by, record) = with_decisions((&folder, &held), record, (&marks, &overrides))
            .map_err(|what| unusable(&plan.out, &what))?;
        grader = Some(by);
        seen.push(record);
    }
    drop(held);
    let Some(grader) = grader else { return Err(no_records(&plan.out)) };
    gradebook::write(&plan.out, &grader, printer)?;
    for (mark, why) in marks.without_effect(&seen) {
        let (submission, question, points) = (&mark.submission, &mark.question, &mark.points);
        printer.warning(format_args!(
            "a mark counts for nothing: {points} points to `{submission}` for `{question}`: {why}"
        ));
    }
    let written = written(&seen);
    if let (Some(given), Some(added)) = (&plan.given, &added) {
        confirm((given, added), (&marks, &written), printer);
    }
    printer.data(|_, out| list_open((&marks, &written), out))?;
    Ok(Exit::Success)
}

/// Mark that was added.
struct AddedMark {
    id: MarkingId,
    /// Marks that were in force before.
    before: Vec<MarkInForce>,
}

/// Adds a mark of an answer that there is.
fn add(plan: &MarkPlan, given: &NewMark) -> Result<AddedMark, Failure> {
    let record = find_record(&plan.out, &given.submission)?.1;
    let answer = record.written.iter().find(|answer| answer.id == given.question);
    let answer = answer.ok_or_else(|| no_question(given, &record))?;
    if given.points > answer.max_points {
        return Err(Failure::usage(
            format!(
                "{} is more than `{}` is worth: {}",
                given.points, answer.id, answer.max_points
            ),
            "nothing was changed",
        ));
    }
    let mark = GivenMark {
        items: BTreeSet::new(),
        free: Delta::between(Points::ZERO, given.points),
        comment: given.comment.as_str().into(),
        answer_digest: digest_of(answer),
    };
    let mut store = log::open_to_write(&plan.out)?;
    let marks = Marks::of_submission(&plan.out, &store, &record.submission)?;
    let id = AnswerId::new(&record.assignment, &answer.id, &record.submission);
    let marking = NewMarking {
        seen: marks.newest(&id, MarkerRole::First),
        answer: id,
        role: MarkerRole::First,
        step: MarkingStep::Mark(mark),
        by: given.by.as_str().into(),
        given_at: clock::now().into(),
    };
    let saved = store.add_markings(&[marking])?.into_ids();
    let ids =
        saved.map_err(|refusal| Failure::usage(refusal.to_string(), "nothing was changed"))?;
    let id = ids.first().copied().unwrap_or_default();
    Ok(AddedMark { id, before: marks.in_force(&record, answer) })
}

/// A record with its marks and overrides, kept if they changed something, and the grader that made it.
fn with_decisions(
    (folder, held): (&Folder, &Held),
    mut record: Record,
    (marks, overrides): (&Marks, &Overrides),
) -> Result<(Grader, Record), String> {
    let read = folder.read(record.submission.as_raw()).map_err(|error| chain(&error))?;
    let (grader, before) = read.ok_or("a record went while it was read")?;
    marks.lay_on(&mut record);
    overrides.lay_on(&mut record);
    if record != before {
        folder.write_held(held, &grader, &record).map_err(|error| error.to_string())?;
    }
    Ok((grader, record))
}

fn no_records(out: &Path) -> Failure {
    Failure::usage(
        format!("there is no record in {}", out.display()),
        "grade submissions first; `--out` names another folder of results",
    )
}

fn unusable(out: &Path, what: &str) -> Failure {
    Failure::broken(
        format!("cannot use the results in {}: {what}", out.display()),
        "is there room on the disk, and may you read and write there?",
    )
}

fn no_question(given: &NewMark, record: &Record) -> Failure {
    let ids: Vec<String> = record.written.iter().map(|answer| answer.id.to_string()).collect();
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let hint =
        match (similar_names(&given.question, ids.iter().copied()).as_slice(), ids.as_slice()) {
            (_, []) => format!("`{}` has no written question", record.assignment),
            ([], ids) => format!("there is {}", alternatives(ids)),
            (close, _) => format!("did you mean {}?", alternatives(close)),
        };
    let question = given.question.escape_debug();
    Failure::usage(format!("`{}` has no answer `{question}`", record.submission), hint)
}

/// Every written answer, and whose it is.
fn written(records: &[Record]) -> Vec<(&Record, &WrittenRecord)> {
    let mut all = Vec::new();
    for record in records {
        all.extend(record.written.iter().map(|answer| (record, answer)));
    }
    all
}

/// Prints the mark that was given with the marks that it replaces, or the mark that counts instead.
fn confirm(
    (given, added): (&NewMark, &AddedMark),
    (marks, all): (&Marks, &[(&Record, &WrittenRecord)]),
    printer: &mut Printer<'_>,
) {
    let is_it = |(record, answer): &&(&Record, &WrittenRecord)| {
        record.submission == given.submission && answer.id == given.question
    };
    let Some((record, answer)) = all.iter().find(is_it) else { return };
    let (submission, points) = (&record.submission, given.points);
    let (most, title) = (answer.max_points, &answer.title);
    let now = marks.in_force(record, answer);
    let is_added =
        |mark: &MarkInForce| matches!(mark.source, MarkSource::Ledger(id, _) if id == added.id);
    match now.first() {
        Some(counting) if !is_added(counting) => {
            let other = description(counting);
            printer.warning(format_args!(
                "{submission}: {points} of {most} for {title} is in the ledger and does not count: {other} does"
            ));
        }
        _ => {
            let before: Vec<String> = added.before.iter().map(description).collect();
            let replaced = if before.is_empty() {
                String::new()
            } else {
                format!(", replaces {}", before.join(" and "))
            };
            printer.plain(format_args!("{submission}: {points} of {most} for {title}{replaced}\n"));
        }
    }
}

/// Returns the points of a mark, its marker and where it is.
fn description(mark: &MarkInForce) -> String {
    let MarkInForce { points, by, source } = mark;
    let by = if by.is_empty() { String::new() } else { format!(" by {by}") };
    match source {
        MarkSource::File => format!("{points}{by} in {MARKS}"),
        MarkSource::Ledger(_, MarkerRole::Agreed) => format!("the agreed mark of {points}{by}"),
        MarkSource::Ledger(_, MarkerRole::First | MarkerRole::Second) => format!("{points}{by}"),
    }
}

/// Prints the answers that nobody has marked, or that have two marks between which somebody must decide.
fn list_open(
    (marks, all): (&Marks, &[(&Record, &WrittenRecord)]),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    let open = all.iter().filter(|(record, answer)| marks.is_open(record, answer));
    let open: Vec<_> = open.collect();
    let answers = count(all.len(), "written answer", "written answers");
    writeln!(out, "{answers}, {} open", open.len())?;
    for (record, answer) in open {
        let words = count(answer.text.count_words(), "word", "words");
        let state = if answer.points.is_some() { "  two marks" } else { "" };
        writeln!(out, "  {}  {}  {words}{state}", record.submission, answer.id)?;
    }
    Ok(())
}
