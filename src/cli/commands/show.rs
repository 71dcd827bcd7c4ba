//! `grade show`: prints a saved record.

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::ShowPlan;
use crate::cli::printer::Printer;
use crate::marks::{Marks, MarksError};
use crate::model::Run;
use crate::overrides::Overrides;
use crate::pipeline::chain;
use crate::report;
use crate::results::find_record;
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
    let (grader, mut record) = find_record(&plan.out, &plan.submission)?;
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
    let run = Run { grader, records: vec![record] };
    let view = plan.readers.audience()?.view(&run);
    printer.data(|layout, out| report::write(&view, catalog, (plan.format, layout), out))?;
    Ok(Exit::Success)
}

fn warn(error: &dyn std::error::Error, printer: &mut Printer<'_>) {
    printer.warning(format_args!(
        "{}; points that a person decided since the record was written are missing",
        chain(error)
    ));
}
