//! `grade show`: prints a saved record.

use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::ShowPlan;
use crate::cli::printer::Printer;
use crate::marks::{Marks, MarksError};
use crate::model::{Grader, Record, Run};
use crate::overrides::Overrides;
use crate::pipeline::chain;
use crate::report;
use crate::store::Folder;
use crate::suite::Catalog;

/// Prints the record.
///
/// # Errors
///
/// Fails if there is no record, or if it cannot be read.
pub(crate) fn show(
    plan: &ShowPlan,
    catalog: Catalog,
    printer: &mut Printer<'_>,
) -> Result<Exit, Failure> {
    let folder = Folder::of(&plan.out);
    let (grader, mut record) = found(&plan.submission, &plan.out, &folder)?;
    // If they cannot be read, the record has the decisions that were there when it was written.
    match Overrides::read(&plan.out) {
        Ok(overrides) => overrides.lay_on(&mut record),
        Err(error) => warn(&error, printer),
    }
    match Marks::read(&plan.out) {
        Ok(marks) => marks.lay_on(&mut record),
        Err(MarksError::Store(_)) => {}
        Err(error) => warn(&error, printer),
    }
    let view = plan.readers.audience()?.view(&Run { grader, records: vec![record] });
    printer.data(|layout, out| report::write(&view, catalog, (plan.format, layout), out))?;
    Ok(Exit::Success)
}

fn warn(error: &dyn std::error::Error, printer: &mut Printer<'_>) {
    printer.warning(format_args!(
        "{}; points that a person decided since the record was written are missing",
        chain(error)
    ));
}

/// Returns the record of a submission, and the grader that made it.
///
/// # Errors
///
/// Fails if there is no record, or if it cannot be read.
pub(crate) fn found(
    submission: &str,
    out: &Path,
    folder: &Folder,
) -> Result<(Grader, Record), Failure> {
    let found = folder.read(submission).map_err(|error| {
        let (path, why) = (folder.path(submission), chain(&error));
        let message = format!("cannot read {}: {why}", path.display());
        Failure::broken(message, "grade the submission again")
    })?;
    found.ok_or_else(|| missing(submission, out, folder))
}

fn missing(submission: &str, out: &Path, folder: &Folder) -> Failure {
    let (records, _) = folder.read_all().unwrap_or_default();
    let names: Vec<String> = records.iter().map(|record| record.submission.to_string()).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let close = similar_names(submission, names.iter().copied());
    let (submission, out) = (submission.escape_debug(), out.display());
    let hint = match (close.as_slice(), names.len()) {
        ([], 0) => "no submission was graded there yet; `--out` names another folder".to_owned(),
        ([], 1..=8) => format!("there is {}", alternatives(&names)),
        ([], count) => format!("there are {count} records; `ls {out}/records` lists them"),
        (close, _) => format!("did you mean {}?", alternatives(close)),
    };
    Failure::usage(format!("there is no record of `{submission}` in {out}"), hint)
}
