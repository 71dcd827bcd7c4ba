//! `grade regrade`: grades submissions again that the ledger knows, and runs only what can have changed.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use softmark_untrusted::Untrusted;

use crate::cli::args::DEFAULT_SEED;
use crate::cli::commands::{log, run};
use crate::cli::env::Env;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{self, RegradePlan};
use crate::cli::printer::Printer;
use crate::cli::versions;
use crate::ledger::{Selection, Target, targets};
use crate::pipeline::{self, Entry, Survey, Treatment};
use crate::report::Format;
use crate::report::text::{count, first_few};
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
    let course = plan.run.site.check()?;
    let out = plan.run.out.as_deref().unwrap_or_else(|| Path::new(plan::RESULTS));
    let store = log::open(out)?;
    let runs = store.runs()?;
    let Some(last) = runs.last() else { return Err(nothing_selected(plan)) };
    let targets = targets(&store.results_after(last.id)?, &plan.selection);
    if targets.is_empty() {
        return Err(nothing_selected(plan));
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
        let searches = searches(plan, &store, batch)?;
        let here = env.folder.as_ref();
        let mut survey = find_submissions(plan, assignment, &searches, here, printer)?;
        versions::leave_out_what_cannot_count(&mut survey, &course);
        let inputs = all_inputs(&searches);
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

fn nothing_selected(plan: &RegradePlan) -> Failure {
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

/// Places in which submissions are looked for.
struct Search<'a> {
    inputs: Vec<Input>,
    /// Submissions that may be taken from there.
    names: BTreeSet<&'a Untrusted>,
}

/// Returns where the submissions of a batch are: at the paths on the command line, or else where the run was that graded them last,
/// the latest run first.
fn searches<'a>(
    plan: &RegradePlan,
    store: &Store,
    batch: &'a Batch,
) -> Result<Vec<Search<'a>>, Failure> {
    if !plan.run.submissions.is_empty() {
        let names = batch.targets.iter().map(|target| &target.submission).collect();
        return Ok(vec![Search { inputs: run::inputs(&plan.run), names }]);
    }
    let mut by_run: BTreeMap<RunId, BTreeSet<&Untrusted>> = BTreeMap::new();
    for target in &batch.targets {
        by_run.entry(target.run).or_default().insert(&target.submission);
    }
    let searches = by_run.into_iter().rev();
    searches.map(|(run, names)| Ok(Search { inputs: store.inputs(run)?, names })).collect()
}

/// Returns all places of some searches, each once.
fn all_inputs(searches: &[Search<'_>]) -> Vec<Input> {
    let mut all: Vec<Input> = Vec::new();
    for input in searches.iter().flat_map(|search| &search.inputs) {
        if !all.contains(input) {
            all.push(input.clone());
        }
    }
    all
}

/// Finds the submissions of a batch. Those that are not found, or cannot be read as submissions to the assignment any more, keep
/// their grades, and a warning names them.
///
/// # Errors
///
/// Fails if none is found.
fn find_submissions(
    plan: &RegradePlan,
    assignment: &Untrusted,
    searches: &[Search<'_>],
    here: Option<&PathBuf>,
    printer: &mut Printer<'_>,
) -> Result<Survey, Failure> {
    let mut wanted: BTreeSet<&Untrusted> =
        searches.iter().flat_map(|search| &search.names).copied().collect();
    let mut entries: Vec<Entry> = Vec::new();
    for search in searches {
        for group in Input::groups(&search.inputs) {
            // A name that is in several of the places cannot be told apart there; then the first place counts.
            let alone = group.iter().map(std::slice::from_ref);
            for inputs in std::iter::once(group).chain(alone) {
                if wanted.is_disjoint(&search.names) {
                    break;
                }
                let found = survey(plan, inputs, here)?.entries.into_iter();
                let name = |entry: &Entry| entry.candidate.name.clone();
                let is_of_search =
                    |entry: &Entry| is_of(entry, assignment) && search.names.contains(&name(entry));
                entries.extend(found.filter(|it| is_of_search(it) && wanted.remove(&name(it))));
            }
        }
    }
    if !wanted.is_empty() {
        let lost = lost(&wanted, &all_inputs(searches));
        if entries.is_empty() {
            let hint = "name the folder in which all of them are: `grade regrade FOLDER`";
            return Err(Failure::usage(lost, hint));
        }
        printer.warning(format_args!("{lost}; they keep their grades"));
    }
    entries.sort_by(|one, other| one.candidate.name.cmp(&other.candidate.name));
    Ok(Survey { entries })
}

/// Finds the submissions at paths that were given in one command. Paths that are gone have none.
fn survey(plan: &RegradePlan, inputs: &[Input], here: Option<&PathBuf>) -> Result<Survey, Failure> {
    let paths = inputs.iter().map(|it| relative_to_folder(&it.path, here).to_owned());
    let paths: Vec<PathBuf> = paths.filter(|it| it.exists()).collect();
    let Some(first) = inputs.first().filter(|_| !paths.is_empty()) else {
        return Ok(Survey { entries: Vec::new() });
    };
    let names = first.names.as_deref().map(plan::names).transpose()?.unwrap_or_default();
    let project = plan.run.site.project();
    Ok(pipeline::survey(project, (&paths, &names), first.assignment.as_deref(), None)?)
}

/// Returns the path relative to the current folder if it lies below it; otherwise the path.
fn relative_to_folder<'p>(path: &'p Path, here: Option<&PathBuf>) -> &'p Path {
    let below = here.and_then(|here| path.strip_prefix(here).ok());
    below.filter(|below| !below.as_os_str().is_empty()).unwrap_or(path)
}

/// True if a submission can be graded as one to the assignment: it was when it was graded, and still is.
fn is_of(entry: &Entry, assignment: &Untrusted) -> bool {
    match &entry.treatment {
        Treatment::Assigned(assigned) => *assignment == assigned.assignment.id.as_str(),
        Treatment::Rejected(_) | Treatment::NoGrade(_) => false,
    }
}

/// Returns the sentence that names submissions which were not found.
fn lost(wanted: &BTreeSet<&Untrusted>, inputs: &[Input]) -> String {
    let wanted: Vec<&Untrusted> = wanted.iter().copied().collect();
    let names = first_few(&wanted, MOST_NAMED);
    let places: Vec<String> =
        inputs.iter().take(MOST_NAMED).map(|input| input.path.display().to_string()).collect();
    let places = if places.is_empty() {
        "the ledger does not say where they were".to_owned()
    } else {
        format!("they were looked for in {}", places.join(", "))
    };
    let number = count(wanted.len(), "submission is", "submissions are");
    format!("{number} no longer there: {names}; {places}")
}
