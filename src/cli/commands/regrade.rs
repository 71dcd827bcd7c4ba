//! `grade regrade`: grades submissions again that the ledger knows, and runs only what can have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use softmark_untrusted::Untrusted;

use crate::cli::args::DEFAULT_SEED;
use crate::cli::commands::{log, run};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{self, RegradePlan, RunPlan};
use crate::cli::printer::Printer;
use crate::ledger::{Selection, Target, targets};
use crate::pipeline::{self, Entry, Survey, Treatment};
use crate::report::Format;
use crate::report::text::count;
use crate::store::{Input, RunId, SavedRun, Store};

/// Most submissions that one message names.
const MOST_NAMED: usize = 5;

/// Advice at the end of a regrade.
const ADVICE: &str = "`grade diff` shows who moved, and why";

/// Submissions of one assignment that are graded in one run.
struct Batch {
    targets: Vec<Target>,
    seed: u64,
}

/// Grades the submissions that the plan selects again, one run for each assignment.
///
/// # Errors
///
/// Fails if no submission is selected, one of them is not found, or a run cannot be completed.
pub(crate) fn regrade(
    plan: &mut RegradePlan,
    env: &Env,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    plan.run.site.is_apart_from(&plan.run.submissions)?;
    plan.run.site.check()?;
    let out = plan.run.out.as_deref().unwrap_or_else(|| Path::new(plan::RESULTS));
    let store = log::open(out)?;
    let runs = store.runs()?;
    let Some(last) = runs.last() else { return Err(nothing(plan)) };
    let targets = targets(&store.results_after(last.id)?, &plan.selection);
    if targets.is_empty() {
        return Err(nothing(plan));
    }
    let batches = batches(targets, plan.seed, &runs);
    if batches.len() > 1 && plan.run.format != Format::Terminal {
        return Err(Failure::usage(
            format!("there are {} runs to make, and one document to write", batches.len()),
            "choose one with `--assignment ID`, and perhaps `--seed N`; or print them with `grade show`",
        ));
    }
    let mut graded = Vec::new();
    for ((assignment, _), batch) in &batches {
        let inputs = inputs(plan, &store, batch)?;
        let survey = found(plan, assignment, batch, &inputs, env.folder.as_ref())?;
        let forced = batch.targets.iter().map(|it| (it.submission.clone(), it.forced.clone()));
        let forced = forced.collect();
        graded.push((batch.seed, run::Work { survey, inputs, forced, advice: ADVICE }));
    }
    // Each run opens the ledger for itself.
    drop(store);
    let mut exit = Exit::Success;
    for (seed, work) in graded {
        plan.run.seed = seed;
        exit = exit.max(run::grade(&plan.run, work, env, printer)?);
    }
    Ok(exit)
}

fn nothing(plan: &RegradePlan) -> Failure {
    let Selection { assignment, checks, mistake } = &plan.selection;
    let mut words = Vec::new();
    words.extend(assignment.as_ref().map(|id| format!("of the assignment `{id}`")));
    words.extend(checks.as_ref().map(|glob| format!("with a check `{}`", glob.glob())));
    words.extend(mistake.as_ref().map(|id| format!("with the mistake `{id}`")));
    let words = if words.is_empty() { String::new() } else { format!(" {}", words.join(" ")) };
    Failure::usage(
        format!("the ledger has no submission{words}"),
        "`grade log` lists its runs, `grade stats` the checks and mistakes; `--out` names another folder of results",
    )
}

/// Returns the batches by assignment and seed: submissions are graded again with the seed that they were graded with.
fn batches(
    targets: Vec<Target>,
    seed: Option<u64>,
    runs: &[SavedRun],
) -> BTreeMap<(Untrusted, u64), Batch> {
    let mut batches: BTreeMap<(Untrusted, u64), Batch> = BTreeMap::new();
    for target in targets {
        let run = runs.iter().find(|run| run.id == target.run);
        let seed = seed.or_else(|| run?.grader.seed).unwrap_or(DEFAULT_SEED);
        let batch = batches
            .entry((target.assignment.clone(), seed))
            .or_insert_with(|| Batch { targets: Vec::new(), seed });
        batch.targets.push(target);
    }
    batches
}

/// Returns where the submissions of a batch are: the paths on the command line, or else those of the runs that graded them, the
/// last run first.
fn inputs(plan: &RegradePlan, store: &Store, batch: &Batch) -> Result<Vec<Input>, Failure> {
    let RunPlan { submissions, names_given, assignment, .. } = &plan.run;
    if !submissions.is_empty() {
        let given = submissions.iter().map(|path| Input {
            path: std::path::absolute(path).unwrap_or_else(|_| path.clone()),
            assignment: assignment.clone(),
            names: names_given.clone(),
        });
        return Ok(given.collect());
    }
    let runs: BTreeSet<RunId> = batch.targets.iter().map(|target| target.run).collect();
    let mut inputs: Vec<Input> = Vec::new();
    for run in runs.into_iter().rev() {
        for input in store.inputs(run)? {
            if !inputs.contains(&input) {
                inputs.push(input);
            }
        }
    }
    Ok(inputs)
}

/// Finds the submissions of a batch.
fn found(
    plan: &RegradePlan,
    assignment: &Untrusted,
    batch: &Batch,
    inputs: &[Input],
    here: Option<&PathBuf>,
) -> Result<Survey, Failure> {
    let mut wanted: BTreeSet<&Untrusted> = batch.targets.iter().map(|it| &it.submission).collect();
    let mut entries: Vec<Entry> = Vec::new();
    let mut rest = inputs;
    while let Some(first) = rest.first() {
        let is_alike =
            |input: &Input| input.names == first.names && input.assignment == first.assignment;
        let alike = rest.iter().take_while(|input| is_alike(input)).count();
        let (now, later) = rest.split_at(alike);
        rest = later;
        for entry in survey(plan, now, here)?.entries {
            if is_of(&entry, assignment) && wanted.remove(&entry.candidate.name) {
                entries.push(entry);
            }
        }
    }
    if !wanted.is_empty() {
        return Err(missing(&wanted, inputs));
    }
    entries.sort_by(|one, other| one.candidate.name.cmp(&other.candidate.name));
    Ok(Survey { entries })
}

/// Finds the submissions at paths that were given in one command. Paths that are gone have none.
fn survey(plan: &RegradePlan, inputs: &[Input], here: Option<&PathBuf>) -> Result<Survey, Failure> {
    let paths = inputs.iter().map(|it| near(&it.path, here).to_owned());
    let paths: Vec<PathBuf> = paths.filter(|it| it.exists()).collect();
    let Some(first) = inputs.first().filter(|_| !paths.is_empty()) else {
        return Ok(Survey { entries: Vec::new() });
    };
    let names = first.names.as_deref().map(plan::names).transpose()?.unwrap_or_default();
    let project = plan.run.site.project();
    Ok(pipeline::survey(project, (&paths, &names), first.assignment.as_deref(), None)?)
}

/// Returns a path as it is shorter, from the current folder on.
fn near<'p>(path: &'p Path, here: Option<&PathBuf>) -> &'p Path {
    let below = here.and_then(|here| path.strip_prefix(here).ok());
    below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path)
}

fn is_of(entry: &Entry, assignment: &Untrusted) -> bool {
    match &entry.treatment {
        Treatment::Assigned(assigned) => *assignment == assigned.assignment.id.as_str(),
        // It was of this assignment when it was graded.
        Treatment::Rejected(_) | Treatment::NoGrade(_) => true,
    }
}

fn missing(wanted: &BTreeSet<&Untrusted>, inputs: &[Input]) -> Failure {
    let mut names: Vec<String> = wanted.iter().take(MOST_NAMED).map(ToString::to_string).collect();
    let more = wanted.len().saturating_sub(MOST_NAMED);
    if more > 0 {
        names.push(format!("and {more} more"));
    }
    let places: Vec<String> =
        inputs.iter().take(MOST_NAMED).map(|input| input.path.display().to_string()).collect();
    let places = if places.is_empty() {
        "the ledger does not say where they were".to_owned()
    } else {
        format!("they were looked for in {}", places.join(", "))
    };
    let number = count(wanted.len(), "submission is", "submissions are");
    Failure::usage(
        format!("{number} no longer there: {}; {places}", names.join(", ")),
        "name the folder in which all of them are: `grade regrade FOLDER`",
    )
}
