//! `grade audit --record`: writes the answers of mutants beside their patches.

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use softmark_exam::{RecordedAnswers, Suite};

use crate::audit::{Bench, Event, is_recorded};
use crate::cli::commands::bench::{at_bench, fitting, unread};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::AuditPlan;
use crate::cli::printer::Printer;
use crate::diagnose::RecordingState;
use crate::fixtures::{self, Fixture, Role, answers_path, stray_answers};
use crate::pipeline;

/// Effect of recording on a file.
enum Effect {
    /// The file is new, or has other answers.
    Written,
    /// The file has these answers already.
    Unchanged,
    /// Nothing is written, because no answer distinguishes the mutant from the reference.
    NothingToRecord,
}

/// Writes or renews the answers of every mutant that is recorded, and removes those of mutants that are gone.
///
/// # Errors
///
/// Fails if there is no such assignment or mutant, if the grader itself fails, or if a file cannot be written.
pub(super) fn record(
    plan: &AuditPlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let id = plan.assignment.as_str();
    let assigned = pipeline::assigned(plan.site.project(), id)?;
    if plan.only.is_none() {
        remove_stray(plan, printer)?;
    }
    let chosen = recorded_mutants(plan, assigned.suite)?;
    if chosen.is_empty() {
        printer.plain("no answers are recorded: the mistakes of these mutants have imitations\n");
        return Ok(Exit::Success);
    }
    let work =
        |bench: Bench<'_>, tell: &mut dyn FnMut(Event<'_>)| bench.record(&chosen, plan.jobs, tell);
    let answers = at_bench(plan, &assigned, chosen.len(), (env, printer), work)?;
    let mut exit = Exit::Success;
    for (mutant, answers) in chosen.iter().zip(answers) {
        let path = answers_path(&plan.site.home, id, mutant);
        let (Some(path), Some(answers)) = (path, answers) else { continue };
        let shown = shown(plan, &path);
        match write(&path, &answers)? {
            Effect::Written => printer.plain(format_args!("written    {shown}\n")),
            Effect::Unchanged => printer.plain(format_args!("unchanged  {shown}\n")),
            Effect::NothingToRecord => {
                printer.warning(format_args!(
                    "{} answers every diagnostic case like the reference; add a case to the battery of its task that \
                     shows the mistake",
                    mutant.name
                ));
                exit = Exit::Unmet;
            }
        }
    }
    printer.hint("new files need a row, `mistake!(\"ID\", recorded: [\"MUTANT\"])`; then build the grader again");
    Ok(exit)
}

/// Returns the mutants that `--only` fits, of those whose answers are recorded.
fn recorded_mutants(plan: &AuditPlan, suite: &Suite) -> Result<Vec<Fixture>, Failure> {
    let id = plan.assignment.as_str();
    let all = fixtures::mutants(plan.site.project(), id).map_err(|error| unread(&error))?;
    let mut chosen = match &plan.only {
        Some(only) => fitting(id, all, only)?,
        None => all,
    };
    let has_file = |mutant: &Fixture| answers_path(&plan.site.home, id, mutant).is_some();
    let is_meant = |role: &Role| match role {
        Role::Mutant(expect) => is_recorded(suite, expect),
        Role::Solution | Role::Variant | Role::Idle => false,
    };
    chosen.retain(|mutant| is_meant(&mutant.role) && has_file(mutant));
    Ok(chosen)
}

/// Removes recorded answers beside which no patch lies.
fn remove_stray(plan: &AuditPlan, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let stray = stray_answers(&plan.site.home, &plan.assignment).map_err(|error| unread(&error))?;
    for path in stray {
        fs::remove_file(&path).map_err(|error| Failure::unwritten(&path, &error))?;
        printer.plain(format_args!("removed    {}\n", shown(plan, &path)));
    }
    Ok(())
}

/// Writes a file of recorded answers, unless it has the same answers up to rounding.
fn write(path: &Path, answers: &RecordedAnswers) -> Result<Effect, Failure> {
    let stored = match fs::read_to_string(path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => return Err(Failure::unwritten(path, &error)),
    };
    if stored.is_some_and(|text| RecordingState::of(&text, answers) == RecordingState::Current) {
        return Ok(Effect::Unchanged);
    }
    if answers.answers.is_empty() {
        return Ok(Effect::NothingToRecord);
    }
    fs::write(path, answers.to_text()).map_err(|error| Failure::unwritten(path, &error))?;
    Ok(Effect::Written)
}

/// Returns a path as it is seen from the folder of the project.
fn shown(plan: &AuditPlan, path: &Path) -> String {
    let path: PathBuf = path.strip_prefix(&plan.site.home).unwrap_or(path).to_owned();
    path.display().to_string()
}
