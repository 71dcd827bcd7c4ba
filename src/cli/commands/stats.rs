//! `grade stats`: prints what the results of a class say about the checks of an assignment.

use softmark_checks::similar_names::{alternatives, similar_names};
use softmark_untrusted::Untrusted;

use crate::cli::commands::log;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::StatsPlan;
use crate::cli::printer::Printer;
use crate::statistics::{self, Statistics};
use crate::store::Store;

/// Prints the statistics of the plan's assignment, or of all that the ledger has.
///
/// # Errors
///
/// Fails if there is no ledger, it has no such assignment, or it cannot be read.
pub(crate) fn stats(plan: &StatsPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let store = log::open(&plan.out)?;
    let mut all = Vec::new();
    for assignment in assignments(&store, plan)? {
        let gradings = store.gradings_for(assignment.as_raw())?;
        all.push(Statistics::of(assignment, &gradings));
    }
    printer.data(|layout, out| statistics::write(&all, (plan.format, layout), out))?;
    Ok(Exit::Success)
}

fn assignments(store: &Store, plan: &StatsPlan) -> Result<Vec<Untrusted>, Failure> {
    let known = store.assignments()?;
    let Some(wanted) = &plan.assignment else {
        if known.is_empty() {
            return Err(Failure::usage(
                format!("the ledger in {} has no graded assignment", plan.out.display()),
                "grade submissions first; `--out` names another folder of results",
            ));
        }
        return Ok(known);
    };
    if let Some(found) = known.iter().find(|id| **id == *wanted) {
        return Ok(vec![found.clone()]);
    }
    let names: Vec<String> = known.iter().map(ToString::to_string).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let hint = match similar_names(wanted, names.iter().copied()).as_slice() {
        [] if names.is_empty() => "the ledger has no graded assignment".to_owned(),
        [] => format!("there is {}", alternatives(&names)),
        close => format!("did you mean {}?", alternatives(close)),
    };
    let (wanted, out) = (wanted.escape_debug(), plan.out.display());
    Err(Failure::usage(format!("there is no grading of the assignment `{wanted}` in {out}"), hint))
}
