//! `grade calibrate`: measures how often correct work misses an accuracy threshold, and how often mistakes
//! reach it.

use crate::assignment;
use crate::calibrate::{CalibrateError, Trainer, Trial, Variant, json, table, terminal, variants};
use crate::cli::commands::run::scratch;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, LEAST, Wanted};
use crate::cli::libraries;
use crate::cli::plan::CalibratePlan;
use crate::cli::printer::Printer;
use crate::pipeline::bands_of;

/// Trains the solution, the accepted variants and the mutants, and prints the odds of each band.
///
/// # Errors
///
/// Fails if the assignment has no bands, or if the grader itself fails.
pub(crate) fn calibrate(
    plan: &CalibratePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    plan.site.check()?;
    let home = &plan.site.home;
    let id = plan.assignment.as_str();
    let assignment = assignment::load(home, id)
        .map_err(|error| Failure::usage(error.to_string(), "name one that is there"))?;
    let content = plan.site.catalog.find(id).map(|suite| (suite, suite.trainings));
    let (Some((suite, [training, ..])), Some(rules)) = (content, &assignment.training) else {
        return Err(Failure::usage(
            format!("nothing of the assignment `{id}` is trained"),
            "a check with a `band` in its assignment.toml is what is measured",
        ));
    };
    let mut bands: Vec<_> =
        bands_of(&assignment, training.task).into_iter().map(|it| it.band).collect();
    bands.sort_unstable();
    bands.dedup();
    let all = variants(plan.site.project(), id, plan.all_mutants).map_err(|error| {
        let hint = "the project's own solutions and their patches are what is trained";
        Failure::broken(format!("cannot read the variants of `{id}`: {error}"), hint)
    })?;
    let fits = |variant: &Variant| plan.only.as_ref().is_none_or(|it| it.is_match(&variant.name));
    let chosen: Vec<Variant> = all.into_iter().filter(fits).collect();
    if chosen.is_empty() {
        let hint = "without `--only`, all are trained";
        return Err(Failure::usage("no variant fits the pattern", hint));
    }
    let level = isolation::choose(Wanted::AtLeast(LEAST), &plan.site.program()?)?;
    let tools = plan.site.tools(level)?;
    let trainings = chosen.len() * plan.seeds.len();
    let pack = libraries::prepare(&plan.site, &tools, env, printer.style)?;
    let scratch = scratch(&std::env::temp_dir())?;
    let (sandbox, pack, folder) = (&tools.sandbox, &pack, scratch.path());
    let trainer = Trainer { sandbox, pack, scratch: folder, suite, training, rules };
    let mut done = 0;
    let mut tell = |trial: &Trial| {
        done += 1;
        printer.plain(format_args!("{done}/{trainings} {}\n", line(trial, &chosen)));
    };
    let trials = trainer.measure(&chosen, &plan.seeds, plan.jobs, &mut tell).map_err(broken)?;
    let task = format!("{id}/{}", training.task);
    let table = table(&task, &bands, rules, &chosen, &trials);
    let text = if plan.json { json(&table) } else { terminal(&table) };
    printer.data(|_, out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}

/// Returns the variant, the accuracy and the cost of a training, in one line.
fn line(trial: &Trial, variants: &[Variant]) -> String {
    let name = variants.get(trial.variant).map_or("?", |variant| variant.name.as_str());
    let (seed, accuracy) = (trial.seed, trial.accuracy);
    let cpu = trial.usage.cpu.as_secs_f64();
    format!("{name}, seed {seed}: {accuracy:.4} in {cpu:.1} s of processor time")
}

#[expect(clippy::needless_pass_by_value, reason = "what is mapped over errors takes them")]
fn broken(error: CalibrateError) -> Failure {
    Failure::broken(error.to_string(), "no band was measured to the end; nothing was changed")
}
