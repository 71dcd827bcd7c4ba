//! `grade override`: decides the points of a check in place of the grader, or lists such decisions.

use std::io;
use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_untrusted::Untrusted;

use crate::cli::commands::{log, show};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::gradebook;
use crate::cli::plan::{Decision, OverridePlan, Target};
use crate::cli::printer::Printer;
use crate::clock;
use crate::marks::Marks;
use crate::model::{CheckRecord, Points, Record};
use crate::overrides::Overrides;
use crate::report::text::count;
use crate::store::{Folder, LEDGER, Override, Store};

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
        Some(decision) => decide(decision, &plan.out, printer)?,
        None => list(&plan.out, printer)?,
    }
    Ok(Exit::Success)
}

fn decide(decision: &Decision, out: &Path, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let folder = Folder::of(out);
    let (given, what) = match decision.points {
        Some(points) => given(decision, points, out, &folder)?,
        None => withdrawn(decision, out, &folder)?,
    };
    let overrides = save(&given, out, &folder)?;
    let submission = &given.submission;
    // An override may be withdrawn after its record is gone.
    let Ok(Some((grader, mut record))) = folder.read(submission.as_raw()) else {
        return printer.data(|_, out| writeln!(out, "{submission}: {what}"));
    };
    let before = record.points;
    Marks::read(out)?.lay_on(&mut record);
    overrides.lay_on(&mut record);
    let path = folder.path(submission.as_raw());
    folder.write(&grader, &record).map_err(|error| Failure::unwritten(&path, &error))?;
    gradebook::write(out, &grader, printer)?;
    let after = record.points;
    printer.data(|_, out| writeln!(out, "{submission}: {what}; {before} → {after} points"))
}

/// Returns the override of a check of a record, and what it does.
fn given(
    decision: &Decision,
    points: Points,
    out: &Path,
    folder: &Folder,
) -> Result<(Override, String), Failure> {
    let (_, record) = show::found(&decision.target.submission, out, folder)?;
    let check = check(&record, &decision.target.check)?;
    if points > check.max_points {
        return Err(Failure::usage(
            format!("{points} is more than `{}` is worth: {}", check.id, check.max_points),
            "nothing was changed",
        ));
    }
    let given = Override {
        submission: record.submission.clone(),
        assignment: record.assignment.clone(),
        check: check.id.clone(),
        points: Some(points),
        reason: decision.reason.as_str().into(),
        by: decision.target.by.as_str().into(),
        given_at: clock::now().into(),
        sha256: record.sha256.clone(),
    };
    let what = format!("{points} of {} for {} by an override", check.max_points, check.id);
    Ok((given, what))
}

/// Returns the withdrawal of an override that holds, and what it does. It needs no record: that may have lost the check.
fn withdrawn(
    decision: &Decision,
    out: &Path,
    folder: &Folder,
) -> Result<(Override, String), Failure> {
    let Target { submission, check: id, by } = &decision.target;
    let overrides = Overrides::read(out)?;
    let of_check = |it: &&&Override| it.submission == **submission && it.check == **id;
    let held = overrides.in_force();
    let Some(held) = held.iter().find(of_check) else {
        let (_, record) = show::found(submission, out, folder)?;
        return Err(no_override(&record.submission, &check(&record, id)?.id));
    };
    let withdrawal = Override {
        points: None,
        reason: decision.reason.as_str().into(),
        by: by.as_str().into(),
        given_at: clock::now().into(),
        ..(*held).clone()
    };
    Ok((withdrawal, format!("the override of {id} is withdrawn")))
}

fn no_override(submission: &Untrusted, check: &Untrusted) -> Failure {
    Failure::usage(
        format!("`{submission}` has no override of `{check}`"),
        "`grade override` lists those that hold",
    )
}

/// Adds a decision to the ledger, and returns all of them. Holds the results meanwhile, so that of two people who
/// withdraw the same override one is told so.
fn save(given: &Override, out: &Path, folder: &Folder) -> Result<Overrides, Failure> {
    let _held = folder.hold().map_err(|error| Failure::unwritten(out, &error))?;
    let mut store = Store::open(&out.join(LEDGER))?;
    let current = Overrides::of(&store)?;
    let holds = current.of_check(&given.submission, &given.assignment, &given.check);
    if given.points.is_none() && holds.is_none() {
        return Err(no_override(&given.submission, &given.check));
    }
    store.add_override(given)?;
    Ok(Overrides::of(&store)?)
}

/// Returns the check of a record with this id.
///
/// # Errors
///
/// Fails if there is none.
pub(crate) fn check<'a>(record: &'a Record, id: &str) -> Result<&'a CheckRecord, Failure> {
    let checks = || record.tasks.iter().flat_map(|task| &task.checks);
    checks().find(|check| check.id == *id).ok_or_else(|| {
        let ids: Vec<String> = checks().map(|check| check.id.to_string()).collect();
        let close = similar_names(id, ids.iter().map(String::as_str));
        let hint = match (close.as_slice(), ids.first()) {
            ([], Some(one)) => format!("checks are called `TASK/CHECK`, such as `{one}`"),
            ([], None) => "no check of it was run".to_owned(),
            (close, _) => format!("did you mean {}?", alternatives(close)),
        };
        let id = id.escape_debug();
        Failure::usage(format!("`{}` has no check `{id}`", record.submission), hint)
    })
}

fn list(out: &Path, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let overrides = Overrides::of(&log::open(out)?)?;
    let (records, _) =
        Folder::of(out).read_all().map_err(|error| Failure::unwritten(out, &error))?;
    let held = overrides.in_force();
    printer.data(|_, out| list_held(&held, out))?;
    for (given, why) in overrides.strays(&records) {
        let (submission, check) = (&given.submission, &given.check);
        printer
            .warning(format_args!("an override has no effect: `{submission}`, `{check}`: {why}"));
    }
    Ok(())
}

fn list_held(held: &[&Override], out: &mut dyn io::Write) -> io::Result<()> {
    writeln!(out, "{}", count(held.len(), "override", "overrides"))?;
    for given in held {
        let Override { submission, check, reason, by, given_at, .. } = given;
        let points = given.points.unwrap_or_default();
        writeln!(out, "  {submission}  {check}  {points}  by {by} on {given_at}: {reason}")?;
    }
    Ok(())
}
