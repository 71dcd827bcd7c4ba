//! `grade override`: decides the points of a check in place of the grader, or lists such decisions.

use std::io;
use std::path::Path;

use crate::cli::commands::log;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::gradebook;
use crate::cli::plan::{Decision, OverridePlan};
use crate::cli::printer::Printer;
use crate::model::Record;
use crate::overrides::Overrides;
use crate::report::text::count;
use crate::results::{Decided, NewOverride, decide};
use crate::store::{Folder, Override};

/// Adds the plan's decision to the ledger, lays it on the record, and prints it; or lists the overrides that hold.
///
/// # Errors
///
/// Fails if there is no such check, the points exceed its maximum, there is nothing to withdraw, or the results cannot be
/// used.
pub(crate) fn override_points(
    plan: &OverridePlan,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    match &plan.decision {
        Some(decision) => add(decision, &plan.out, printer)?,
        None => list(&plan.out, printer)?,
    }
    Ok(Exit::Success)
}

fn add(decision: &Decision, out: &Path, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let new = NewOverride {
        submission: &decision.target.submission,
        assignment: None,
        check: &decision.target.check,
        points: decision.points,
        reason: &decision.reason,
        by: &decision.target.by,
        seen: None,
    };
    let decided = decide(out, &new)?;
    let (submission, what) = (&decided.given.submission, what(&decided));
    // An override may be withdrawn after its record is gone.
    let Some((grader, [before, after])) = &decided.effect else {
        return printer.data(|_, out| writeln!(out, "{submission}: {what}"));
    };
    gradebook::write(out, grader, printer)?;
    printer.data(|_, out| writeln!(out, "{submission}: {what}; {before} → {after} points"))
}

/// Returns what a decision does.
fn what(decided: &Decided) -> String {
    let check = &decided.given.check;
    match (decided.given.points, decided.max_points) {
        (Some(points), Some(max_points)) => {
            format!("{points} of {max_points} for {check} by an override")
        }
        _ => format!("the override of {check} is withdrawn"),
    }
}

fn list(out: &Path, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let overrides = Overrides::of(&log::open(out)?)?;
    let (records, _) =
        Folder::of(out).read_all().map_err(|error| Failure::unwritten(out, &error))?;
    let held = overrides.in_force();
    printer.data(|_, out| list_held((&held, &records), out))?;
    for (given, why) in overrides.strays(&records) {
        let (submission, check) = (&given.submission, &given.check);
        printer
            .warning(format_args!("an override has no effect: `{submission}`, `{check}`: {why}"));
    }
    Ok(())
}

fn list_held(
    (held, records): (&[&Override], &[Record]),
    out: &mut dyn io::Write,
) -> io::Result<()> {
    writeln!(out, "{}", count(held.len(), "override", "overrides"))?;
    for given in held {
        let Override { submission, check, reason, by, given_at, .. } = given;
        let points = given.points.unwrap_or_default();
        let files = if is_of_other_files(given, records) { ", for earlier files" } else { "" };
        writeln!(out, "  {submission}  {check}  {points}  by {by} on {given_at}{files}: {reason}")?;
    }
    Ok(())
}

/// True if the record of the submission is of other files than those that the person judged.
fn is_of_other_files(given: &Override, records: &[Record]) -> bool {
    let mut own = records.iter().filter(|it| it.submission == given.submission);
    own.any(|it| it.assignment == given.assignment && it.sha256 != given.sha256)
}
