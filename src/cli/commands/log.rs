//! `grade log`: prints the history of a submission, or lists the runs.

use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::folders_below;
use crate::cli::plan::LogPlan;
use crate::cli::printer::Printer;
use crate::ledger::{self, Bases, History, LedgerReader};
use crate::marks::Marks;
use crate::store::{LEDGER, SavedRun, Store};

/// Prints the history of the plan's submission, or the list of runs.
///
/// # Errors
///
/// Fails if there is no ledger, the ledger has no such submission, or it cannot be read.
pub(crate) fn log(plan: &LogPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let store = opened(&plan.out, plan.submission.as_deref())?;
    let runs = store.runs()?;
    if let Some(submission) = &plan.submission {
        let history = history(submission, &plan.out, (&store, &runs))?;
        printer.data(|layout, out| ledger::write_log(&history, (plan.format, layout), out))?;
    } else {
        printer.data(|layout, out| ledger::write_runs(&runs, (plan.format, layout), out))?;
    }
    Ok(Exit::Success)
}

/// Opens the ledger of the results at `out` for reading.
///
/// # Errors
///
/// Fails if there is none, or it cannot be read.
pub(crate) fn open(out: &Path) -> Result<Store, Failure> {
    opened(out, None)
}

/// Opens the ledger of the results at `out` for writing.
///
/// # Errors
///
/// Fails if there is none, or it cannot be read and written.
pub(crate) fn open_to_write(out: &Path) -> Result<Store, Failure> {
    Store::open_existing(&out.join(LEDGER))?.ok_or_else(|| no_ledger(out, None))
}

fn opened(out: &Path, submission: Option<&str>) -> Result<Store, Failure> {
    Store::open_to_read(&out.join(LEDGER))?.ok_or_else(|| no_ledger(out, submission))
}

/// Returns the failure of results without a ledger, where one about this submission may be wanted.
fn no_ledger(out: &Path, submission: Option<&str>) -> Failure {
    let known = submission.and_then(|it| folders_below::with_record(it, out));
    let hint = known.or_else(|| folders_below::with_ledger(out)).unwrap_or_else(|| {
        "grade submissions first; `--out` names another folder of results".to_owned()
    });
    Failure::usage(format!("there is no ledger in {}", out.display()), hint)
}

fn history(
    submission: &str,
    out: &Path,
    (store, runs): (&Store, &[SavedRun]),
) -> Result<History, Failure> {
    let (marks, bases) = (Marks::read(out)?, Bases::of(&[store.keys()?]));
    let reader = LedgerReader { store, runs };
    let history = reader.history(&submission.into(), &marks, &bases)?;
    history.map_or_else(|| Err(unknown(submission, out, store)?), Ok)
}

/// Returns the failure of a submission that the ledger does not have.
///
/// # Errors
///
/// Fails if the ledger cannot be read.
pub(super) fn unknown(submission: &str, out: &Path, store: &Store) -> Result<Failure, Failure> {
    let names: Vec<String> = store.submissions()?.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let close = similar_names(submission, names.iter().copied());
    let hint = folders_below::with_record(submission, out).unwrap_or_else(|| {
        match (close.as_slice(), names.len()) {
            ([], 0) => {
                "no submission was graded there yet; `--out` names another folder".to_owned()
            }
            ([], 1..=8) => format!("there is {}", alternatives(&names)),
            ([], count) => format!("the ledger has {count} submissions"),
            (close, _) => format!("did you mean {}?", alternatives(close)),
        }
    });
    let (submission, out) = (submission.escape_debug(), out.display());
    Ok(Failure::usage(format!("there is no grading of `{submission}` in {out}"), hint))
}
