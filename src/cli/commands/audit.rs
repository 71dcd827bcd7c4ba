//! `grade audit`: grades the checks of an assignment.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use globset::GlobMatcher;
use softmark_exam::Suite;
use softmark_untrusted::Untrusted;

use crate::assignment::{Assignment, CheckEntry};
use crate::audit::{self, Audit, Bench, Event, FixtureResult, Scope, Seen, findings, short};
use crate::cli::commands::bench::{at_bench, broken, fitting, unread};
use crate::cli::commands::node::Node;
use crate::cli::commands::record;
use crate::cli::commands::run::scratch;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, LEAST, Wanted};
use crate::cli::job_progress::JobProgress;
use crate::cli::libraries;
use crate::cli::output_file;
use crate::cli::plan::{self, AuditPlan, AuditResult, EnginePlan, RESULTS};
use crate::cli::printer::Printer;
use crate::cli::remote::{Cut, Load, Remote, of_workers};
use crate::fixtures::{self, Fixture, FixtureError};
use crate::jobs::{AuditTask, ChunkFile, Collected, Costs, Task, UnitResult};
use crate::model::Points;
use crate::pipeline::{self, Assigned};
use crate::suite::Project;

/// Expected processor time of a fixture on one seed, if none is known: the order of magnitude of the built-in assignments.
const FIXTURE: Duration = Duration::from_secs(4);

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
    let checks = checks(assigned.suite);
    let with_attacks = plan.result == AuditResult::Messages;
    let all = all(plan.site.project(), id, with_attacks).map_err(|error| unread(&error))?;
    let (scope, chosen) = chosen(all, (id, &checks), (plan.only.as_ref(), plan.short))?;
    let out = plan.out.as_deref();
    output_file::check(out, "an audit")?;
    let results = match &plan.engine {
        None => {
            let work = |bench: Bench<'_>, tell: &mut dyn FnMut(Event<'_>)| {
                bench.audit(&chosen, &plan.seeds, plan.jobs, tell)
            };
            at_bench(plan, &assigned, chosen.len(), (env, printer), work)?
        }
        Some(engine) => by_jobs(plan, engine, (&assigned.assignment, &chosen), (env, printer))?,
    };
    let assignment = assigned.assignment;
    let Seen { mutants, right, idle, messages } = results.into_iter().collect();
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
        let catalog = plan.site.catalog;
        output_file::write(out, printer, |_, out| audit::messages(&audit, catalog, out))?;
        return Ok(Exit::Success);
    }
    let found = findings(&audit);
    output_file::write(out, printer, |layout, out| {
        audit::write((&audit, &found), plan.format, layout, out)
    })?;
    Ok(if found.problems.is_empty() { Exit::Success } else { Exit::Unmet })
}

/// Has a job engine examine fixtures.
fn by_jobs(
    plan: &AuditPlan,
    engine: &EnginePlan,
    (assignment, fixtures): (&Assignment, &[Fixture]),
    (env, printer): (&Env, &Printer<'_>),
) -> Result<Vec<FixtureResult>, Failure> {
    let level = isolation::choose(Wanted::AtLeast(LEAST), &plan.site.program()?)?;
    let tools = plan.site.tools(level)?;
    let pack = libraries::prepare(&plan.site, &tools, env, printer.style)?;
    let (site, pack, workers_at, out) =
        (&plan.site, pack.key(), level.as_str(), Path::new(RESULTS));
    let remote = Remote { plan: engine, env, site, tools: &tools, pack, workers_at, out };
    let names = names(fixtures);
    let seeds = u32::try_from(plan.seeds.len()).unwrap_or(u32::MAX);
    let load = Load {
        names: &names,
        done: BTreeSet::new(),
        costs: &Costs::flat(FIXTURE.saturating_mul(seeds)),
        cut: Cut::Neighbours,
        mebibytes: of_workers(assignment),
    };
    let task = Task::Audit(AuditTask {
        assignment: plan.assignment.clone(),
        seeds: plan.seeds.clone(),
        only: plan.only.as_ref().map(|only| only.glob().glob().to_owned()),
        short: plan.short,
        messages: plan.result == AuditResult::Messages,
        format: plan.format.as_str().to_owned(),
        out: plan.out.clone(),
    });
    let mut ignore = |_: &FixtureResult| ();
    let mut results = Collected::new(&names, &mut ignore);
    let mut progress = JobProgress::new(env, printer.style, "fixtures");
    let done = remote.carry_out(task, &load, &mut results, &mut progress);
    progress.end();
    done?;
    Ok(results.into_results())
}

/// Examines the fixtures of a chunk.
///
/// # Errors
///
/// Fails if the fixtures are not those of the run any more, or if the grader itself fails.
pub(super) fn audit_chunk(
    node: &Node,
    task: &AuditTask,
    chunk: &ChunkFile,
) -> Result<Vec<UnitResult<FixtureResult>>, Failure> {
    let id = task.assignment.as_str();
    let Assigned { assignment, suite } = pipeline::assigned(node.site.project(), id)?;
    let all = all(node.site.project(), id, task.messages).map_err(|error| unread(&error))?;
    let only = task.only.as_deref().map(plan::glob).transpose()?;
    let (_, mut fixtures) = chosen(all, (id, &checks(suite)), (only.as_ref(), task.short))?;
    let names = names(&fixtures);
    for unit in &chunk.units {
        unit.check(names.get(unit.place))?;
    }
    let wanted: BTreeSet<usize> = chunk.units.iter().map(|unit| unit.place).collect();
    let mut place = 0..;
    fixtures.retain(|_| place.next().is_some_and(|at| wanted.contains(&at)));
    let folder = scratch(&std::env::temp_dir())?;
    let bench = Bench {
        sandbox: &node.sandbox,
        pack: &node.pack,
        scratch: folder.path(),
        suite,
        limits: &assignment.worker,
    };
    let results = bench.audit(&fixtures, &task.seeds, node.threads, &mut |_| ());
    Ok(chunk.results(results.map_err(|error| broken(&error))?))
}

/// Returns the ids of a suite's checks.
fn checks(suite: &Suite) -> Vec<String> {
    (suite.checks)().into_iter().map(|entry| entry.check.id.to_owned()).collect()
}

fn names(fixtures: &[Fixture]) -> Vec<Untrusted> {
    fixtures.iter().map(|fixture| fixture.name.as_str().into()).collect()
}

/// Returns the fixtures to examine: those that `only` fits, or a selection for the checks if `is_short`, or all.
fn chosen(
    all: Vec<Fixture>,
    (id, checks): (&str, &[String]),
    (only, is_short): (Option<&GlobMatcher>, bool),
) -> Result<(Scope, Vec<Fixture>), Failure> {
    Ok(match only {
        Some(only) => (Scope::Part, fitting(id, all, only)?),
        None if is_short => (Scope::Short, short(all, checks)),
        None => (Scope::Whole, all),
    })
}

/// The solution, the accepted variants, the mutants and the code that computes nothing; where all messages are asked
/// for, the attacks as well.
fn all(project: Project<'_>, id: &str, with_attacks: bool) -> Result<Vec<Fixture>, FixtureError> {
    let mut all = vec![fixtures::solution(project.home, id)?];
    all.extend(fixtures::variants(project, id)?);
    all.extend(fixtures::mutants(project, id)?);
    all.extend(fixtures::idle(project, id)?);
    if with_attacks {
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
