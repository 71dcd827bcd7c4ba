//! `grade audit`: grades the checks of an assignment.

use std::collections::BTreeMap;
use std::path::Path;

use crate::assignment::{Assignment, CheckEntry};
use crate::audit::{self, Audit, Bench, Event, Findings, Scope, Seen, findings, short};
use crate::cli::commands::bench::{at_bench, fitting, unread};
use crate::cli::commands::record;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{AuditPlan, AuditResult};
use crate::cli::printer::Printer;
use crate::fixtures::{self, Fixture, FixtureError};
use crate::model::Points;
use crate::pipeline;
use crate::suite::Project;

/// Runs every check on the solution, the accepted variants and the mutants, and prints the findings.
///
/// # Errors
///
/// Fails if there is no such assignment or fixture, or if the grader itself fails.
pub(crate) fn audit(
    plan: &AuditPlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    plan.site.check()?;
    if plan.result == AuditResult::Recordings {
        return record::record(plan, env, printer);
    }
    let id = plan.assignment.as_str();
    let assigned = pipeline::assigned(plan.site.project(), id)?;
    let checks = (assigned.suite.checks)().into_iter().map(|entry| entry.check.id.to_owned());
    let checks: Vec<String> = checks.collect();
    let all = all(plan.site.project(), id, plan.result).map_err(|error| unread(&error))?;
    let (scope, chosen) = match &plan.only {
        Some(only) => (Scope::Part, fitting(id, all, only)?),
        None if plan.short => (Scope::Short, short(all, &checks)),
        None => (Scope::Whole, all),
    };
    check_output(plan.out.as_deref())?;
    let work = |bench: Bench<'_>, tell: &mut dyn FnMut(Event<'_>)| {
        bench.audit(&chosen, &plan.seeds, plan.jobs, tell)
    };
    let seen = at_bench(plan, &assigned, chosen.len(), (env, printer), work)?;
    let assignment = assigned.assignment;
    let Seen { mutants, right, idle, messages } = seen;
    let audit = Audit {
        assignment: id.to_owned(),
        scope,
        seeds: plan.seeds.clone(),
        checks,
        mutants,
        right,
        idle,
        left_out: bands(&assignment),
        points: points(&assignment),
        messages,
    };
    if plan.result == AuditResult::Messages {
        return print_messages(plan, &audit, printer);
    }
    let found = findings(&audit);
    print(plan, (&audit, &found), printer)?;
    Ok(if found.problems.is_empty() { Exit::Success } else { Exit::Unmet })
}

/// The solution, the accepted variants, the mutants and the code that computes nothing; where all messages are asked
/// for, the attacks as well.
fn all(project: Project<'_>, id: &str, result: AuditResult) -> Result<Vec<Fixture>, FixtureError> {
    let mut all = vec![fixtures::solution(project.home, id)?];
    all.extend(fixtures::variants(project, id)?);
    all.extend(fixtures::mutants(project, id)?);
    all.extend(fixtures::idle(project, id)?);
    if result == AuditResult::Messages {
        all.extend(fixtures::attacks(project.home, id)?);
    }
    Ok(all)
}

/// Returns the points of each check, by its id.
fn points(assignment: &Assignment) -> BTreeMap<String, Points> {
    let checks = assignment.tasks.iter().flat_map(|task| &task.checks);
    checks.map(|entry| (entry.id.clone(), entry.points)).collect()
}

/// Returns the checks that have an accuracy threshold: `grade calibrate` measures them, the audit does not.
fn bands(assignment: &Assignment) -> Vec<String> {
    let checks = assignment.tasks.iter().flat_map(|task| &task.checks);
    checks.filter(|entry: &&CheckEntry| entry.band.is_some()).map(|it| it.id.clone()).collect()
}

/// Checks, before minutes are spent, that the output file can be written.
fn check_output(out: Option<&Path>) -> Result<(), Failure> {
    let Some(out) = out else { return Ok(()) };
    if out.is_dir() {
        return Err(Failure::usage(
            format!("{} is a folder", out.display()),
            "an audit is one file; `--out` names it",
        ));
    }
    let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        Some(folder) if !folder.is_dir() => Err(Failure::usage(
            format!("there is no folder {}", folder.display()),
            "make it, or name another file with `--out`",
        )),
        Some(_) | None => Ok(()),
    }
}

fn print(
    plan: &AuditPlan,
    seen: (&Audit, &Findings),
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let Some(out) = &plan.out else {
        return printer.data(|layout, out| audit::write(seen, plan.format, layout, out));
    };
    let mut text = Vec::new();
    // A file has no colors and no width of its own.
    audit::write(seen, plan.format, crate::report::Layout::default(), &mut text)
        .and_then(|()| std::fs::write(out, text))
        .map_err(|error| Failure::unwritten(out, &error))
}

fn print_messages(
    plan: &AuditPlan,
    audit: &Audit,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    match &plan.out {
        None => printer.data(|_, out| audit::messages(audit, plan.site.catalog, out))?,
        Some(out) => {
            let mut text = Vec::new();
            let written = audit::messages(audit, plan.site.catalog, &mut text)
                .and_then(|()| std::fs::write(out, text));
            written.map_err(|error| Failure::unwritten(out, &error))?;
        }
    }
    Ok(Exit::Success)
}
