//! `grade diff`: compares two runs, or two folders of results.

use std::path::Path;

use softmark_untrusted::Untrusted;

use crate::cli::commands::log;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::{DiffPlan, ResultsName};
use crate::cli::printer::Printer;
use crate::ledger::{self, Bases, Diff, LedgerReader, Results};
use crate::pipeline::chain;
use crate::report::text::count;
use crate::store::{Folder, LEDGER, RunId, SavedKey, SavedRun, Store};

/// Results, and the cache keys of their ledger.
struct Loaded {
    results: Results,
    keys: Vec<SavedKey>,
}

/// Prints the difference of the plan's results.
///
/// # Errors
///
/// Fails if one of the results does not exist or cannot be read.
pub(crate) fn diff(plan: &DiffPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let before = load(&plan.before, 0, &plan.out)?;
    let after = load(&plan.after, 1, &plan.out)?;
    let bases = Bases::of(&[before.keys, after.keys]);
    let diff = Diff::between(&before.results, &after.results, &bases);
    printer.data(|layout, out| ledger::write_diff(&diff, (plan.format, layout), out))?;
    let losses = diff.lost();
    if plan.fail_on_loss && losses > 0 {
        printer.warning(format_args!(
            "{} lost points or the grade",
            count(losses, "submission", "submissions")
        ));
        return Ok(Exit::Unmet);
    }
    Ok(Exit::Success)
}

fn load(name: &ResultsName, ledger: usize, out: &Path) -> Result<Loaded, Failure> {
    if let ResultsName::Folder(folder) = name {
        return load_folder(folder, ledger);
    }
    let store = log::open(out)?;
    let runs = store.runs()?;
    let run = run(name, &runs)?;
    after_run(&store, (ledger, run), &runs, format!("run {run}"))
}

/// Returns the run that a name stands for.
fn run(name: &ResultsName, runs: &[SavedRun]) -> Result<RunId, Failure> {
    let mut newest = runs.iter().rev();
    let found = match name {
        ResultsName::Run(number) => runs.iter().find(|run| run.id.number() == *number),
        ResultsName::Latest => newest.next(),
        ResultsName::Previous => newest.nth(1),
        ResultsName::Folder(_) => None,
    };
    let word = match name {
        ResultsName::Run(number) => format!("run {number}"),
        ResultsName::Latest => "run".to_owned(),
        ResultsName::Previous => "previous run".to_owned(),
        ResultsName::Folder(folder) => folder.display().to_string(),
    };
    let runs = count(runs.len(), "run", "runs");
    found.map(|run| run.id).ok_or_else(|| {
        let hint = format!("the ledger has {runs}, which `grade log` lists");
        Failure::usage(format!("there is no {word}"), hint)
    })
}

fn after_run(
    store: &Store,
    (ledger, run): (usize, RunId),
    runs: &[SavedRun],
    name: String,
) -> Result<Loaded, Failure> {
    let results = LedgerReader { store, runs }.results_after((ledger, run), name)?;
    Ok(Loaded { results, keys: store.keys()? })
}

/// Returns the results in a folder: those of its ledger after the last run, or those of its records if it has no ledger.
fn load_folder(folder: &Path, ledger: usize) -> Result<Loaded, Failure> {
    let name = Untrusted::from(folder.display().to_string()).to_string();
    if let Some(store) = Store::open_to_read(&folder.join(LEDGER))? {
        let runs = store.runs()?;
        let run = run(&ResultsName::Latest, &runs)?;
        return after_run(&store, (ledger, run), &runs, name);
    }
    let unusable = |what: String| {
        let message = format!("cannot read the records in {}: {what}", folder.display());
        Failure::broken(message, "may you read there?")
    };
    let files = Folder::of(folder);
    let (records, unread) = files.read_all().map_err(|error| unusable(error.to_string()))?;
    if let Some(file) = unread.first() {
        return Err(unusable(format!("{} is no record", file.display())));
    }
    let mut all = Vec::new();
    for record in records {
        let read = files.read(record.submission.as_raw());
        all.extend(read.map_err(|error| unusable(chain(&error)))?);
    }
    if all.is_empty() {
        return Err(Failure::usage(
            format!("there are no results in {}", folder.display()),
            "name the number of a run, `latest`, `previous`, or a folder that `grade --out` wrote",
        ));
    }
    Ok(Loaded { results: Results::of_records(name, ledger, all), keys: Vec::new() })
}
