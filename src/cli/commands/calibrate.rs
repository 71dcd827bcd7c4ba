//! `grade calibrate`: measures how often correct work misses an accuracy threshold, and how often mistakes
//! reach it.

use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

use globset::GlobMatcher;
use softmark_exam::{Suite, Training};
use softmark_sandbox::Sandbox;
use softmark_untrusted::Untrusted;

use crate::assignment::{self, Assignment, Band, TrainingRules};
use crate::build::Pack;
use crate::calibrate::{
    CalibrateError, Trainer, Trial, TrialId, Variant, json, table, terminal, variants,
};
use crate::cli::commands::node::Node;
use crate::cli::commands::run::scratch;
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::isolation::{self, LEAST, Wanted};
use crate::cli::job_progress::JobProgress;
use crate::cli::libraries;
use crate::cli::plan::{self, CalibratePlan, RESULTS};
use crate::cli::printer::Printer;
use crate::cli::remote::{Cut, Load, Remote, of_workers};
use crate::cli::site::Site;
use crate::jobs::{CalibrationTask, ChunkFile, Collected, Costs, Task, UnitResult};
use crate::pipeline::bands_of;

/// Expected processor time of a training, if none is known: the order of magnitude of the built-in ones.
const TRAINING: Duration = Duration::from_secs(5);

/// Variants to train, and the rules of their training.
struct Subject {
    suite: &'static Suite,
    training: &'static Training,
    assignment: Assignment,
    rules: TrainingRules,
    variants: Vec<Variant>,
}

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
    let id = plan.assignment.as_str();
    let choice = Choice {
        task: plan.task.as_deref(),
        only: plan.only.as_ref(),
        all_mutants: plan.all_mutants,
    };
    let subject = subject(&plan.site, id, choice)?;
    let level = isolation::choose(Wanted::AtLeast(LEAST), &plan.site.program()?)?;
    let tools = plan.site.tools(level)?;
    let pack = libraries::prepare(&plan.site, &tools, env, printer.style)?;
    let trainings = TrialId::all(subject.variants.len(), &plan.seeds);
    let mut done = 0;
    let all = trainings.len();
    let mut tell = |trial: &Trial| {
        done += 1;
        printer.plain(format_args!("{done}/{all} {}\n", line(trial, &subject.variants)));
    };
    let trials = match &plan.engine {
        None => {
            let work = |trainer: Trainer<'_>| {
                trainer.measure(&subject.variants, &trainings, plan.jobs, &mut tell)
            };
            subject.train((&tools.sandbox, &pack), work)?
        }
        Some(engine) => {
            let (site, pack, workers_at) = (&plan.site, pack.key(), level.as_str());
            let out = Path::new(RESULTS);
            let remote = Remote { plan: engine, env, site, tools: &tools, pack, workers_at, out };
            by_jobs(&remote, plan, (&subject, &trainings), &mut tell)?
        }
    };
    let (task, bands) = (format!("{id}/{}", subject.training.task), subject.bands());
    let table = table(&task, &bands, &subject.rules, &subject.variants, &trials);
    let text = if plan.json { json(&table) } else { terminal(&table) };
    printer.data(|_, out| out.write_all(text.as_bytes()))?;
    Ok(Exit::Success)
}

/// Has a job engine do the trainings.
fn by_jobs(
    remote: &Remote<'_>,
    plan: &CalibratePlan,
    (subject, trainings): (&Subject, &[TrialId]),
    tell: &mut dyn FnMut(&Trial),
) -> Result<Vec<Trial>, Failure> {
    let names = subject.names(trainings);
    let load = Load {
        names: &names,
        done: BTreeSet::new(),
        costs: &Costs::flat(TRAINING),
        cut: Cut::Neighbours,
        mebibytes: of_workers(&subject.assignment),
    };
    let task = Task::Calibration(CalibrationTask {
        assignment: plan.assignment.clone(),
        task: plan.task.clone(),
        seeds: plan.seeds.clone(),
        only: plan.only.as_ref().map(|only| only.glob().glob().to_owned()),
        all_mutants: plan.all_mutants,
        json: plan.json,
    });
    let mut trials = Collected::new(&names, tell);
    let mut progress = JobProgress::lines("trainings");
    let done = remote.carry_out(task, &load, &mut trials, &mut progress);
    progress.end();
    done?;
    Ok(trials.into_results())
}

/// Does the trainings of a chunk.
///
/// # Errors
///
/// Fails if the trainings are not those of the run any more, or if the grader itself fails.
pub(super) fn train_chunk(
    node: &Node,
    task: &CalibrationTask,
    chunk: &ChunkFile,
) -> Result<Vec<UnitResult<Trial>>, Failure> {
    let only = task.only.as_deref().map(plan::glob).transpose()?;
    let choice =
        Choice { task: task.task.as_deref(), only: only.as_ref(), all_mutants: task.all_mutants };
    let subject = subject(&node.site, &task.assignment, choice)?;
    let all = TrialId::all(subject.variants.len(), &task.seeds);
    let names = subject.names(&all);
    let mut own = Vec::new();
    for unit in &chunk.units {
        unit.check(names.get(unit.place))?;
        own.extend(all.get(unit.place).copied());
    }
    let work =
        |trainer: Trainer<'_>| trainer.measure(&subject.variants, &own, node.threads, &mut |_| ());
    let trials = subject.train((&node.sandbox, &node.pack), work)?;
    Ok(chunk.results(trials))
}

/// Training of an assignment that is measured.
#[derive(Clone, Copy)]
struct Choice<'a> {
    /// Task whose training is measured; `None` for the only one.
    task: Option<&'a str>,
    /// Pattern of the variants; `None` for all.
    only: Option<&'a GlobMatcher>,
    /// True if mutants without an expected result are trained too.
    all_mutants: bool,
}

/// Returns the training of `task`, or the only one.
fn training(suite: &'static Suite, task: Option<&str>) -> Result<&'static Training, Failure> {
    let found = match (task, suite.trainings) {
        (None, [only]) => Some(only),
        (None, _) => None,
        (Some(task), all) => all.iter().find(|training| training.task == task),
    };
    found.ok_or_else(|| {
        let tasks = suite.trainings.iter().map(|it| format!("`--task {}`", it.task));
        let problem = match task {
            None => format!("the assignment `{}` has several trainings", suite.id),
            Some(task) => {
                format!("the assignment `{}` trains nothing for a task `{task}`", suite.id)
            }
        };
        Failure::usage(problem, format!("choose {}", tasks.collect::<Vec<_>>().join(" or ")))
    })
}

/// Finds what is trained of an assignment.
fn subject(site: &Site, id: &str, choice: Choice<'_>) -> Result<Subject, Failure> {
    let Choice { task, only, all_mutants } = choice;
    let assignment = assignment::load(&site.home, id)
        .map_err(|error| Failure::usage(error.to_string(), "name one that is there"))?;
    let suite = site.catalog.find(id).filter(|suite| !suite.trainings.is_empty());
    let (Some(suite), Some(rules)) = (suite, assignment.training.clone()) else {
        return Err(Failure::usage(
            format!("nothing of the assignment `{id}` is trained"),
            "a check with a `band` in its assignment.toml is what is measured",
        ));
    };
    let training = training(suite, task)?;
    let all = variants(site.project(), (id, training), all_mutants).map_err(|error| {
        let hint = "the project's own solutions and their patches are what is trained";
        Failure::broken(format!("cannot read the variants of `{id}`: {error}"), hint)
    })?;
    let fits = |variant: &Variant| only.is_none_or(|it| it.is_match(&variant.name));
    let variants: Vec<Variant> = all.into_iter().filter(fits).collect();
    if variants.is_empty() {
        let hint = "without `--only`, all are trained";
        return Err(Failure::usage("no variant fits the pattern", hint));
    }
    Ok(Subject { suite, training, assignment, rules, variants })
}

impl Subject {
    /// Returns the accuracy thresholds, the lowest first.
    fn bands(&self) -> Vec<Band> {
        let mut bands: Vec<Band> =
            bands_of(&self.assignment, self.training.task).into_iter().map(|it| it.band).collect();
        bands.sort_unstable();
        bands.dedup();
        bands
    }

    /// Returns the names of trainings, for a person.
    fn names(&self, trainings: &[TrialId]) -> Vec<Untrusted> {
        let of = |id: &TrialId| {
            let name = self.variants.get(id.variant).map_or("?", |variant| &variant.name);
            format!("{name}, seed {}", id.seed).into()
        };
        trainings.iter().map(of).collect()
    }

    /// Does `work` with a trainer.
    fn train<R>(
        &self,
        (sandbox, pack): (&Sandbox, &Pack),
        work: impl FnOnce(Trainer<'_>) -> Result<R, CalibrateError>,
    ) -> Result<R, Failure> {
        let folder = scratch(&std::env::temp_dir())?;
        let (scratch, suite, training, rules) =
            (folder.path(), self.suite, self.training, &self.rules);
        work(Trainer { sandbox, pack, scratch, suite, training, rules }).map_err(broken)
    }
}

/// Returns the variant, the accuracy and the cost of a training, in one line.
fn line(trial: &Trial, variants: &[Variant]) -> String {
    let name = variants.get(trial.variant).map_or("?", |variant| variant.name.as_str());
    let (seed, accuracy) = (trial.seed, trial.accuracy());
    let cpu = trial.usage.cpu.as_secs_f64();
    format!("{name}, seed {seed}: {accuracy:.4} in {cpu:.1} s of processor time")
}

#[expect(clippy::needless_pass_by_value, reason = "what is mapped over errors takes them")]
fn broken(error: CalibrateError) -> Failure {
    Failure::broken(error.to_string(), "no band was measured to the end; nothing was changed")
}
