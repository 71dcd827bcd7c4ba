//! Writes the gradebook to the folder of results.

use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::printer::Printer;
use crate::model::Grader;
use crate::results::write_gradebook;

/// Writes the gradebook, and the leaderboard, of all records in the folder of results, and warns of files that are no records.
///
/// # Errors
///
/// Fails if one of them cannot be written, or the marks or overrides cannot be read.
pub(crate) fn write(out: &Path, grader: &Grader, printer: &mut Printer<'_>) -> Result<(), Failure> {
    for file in write_gradebook(out, grader)? {
        printer.warning(format_args!("{} is no record, and not in the gradebook", file.display()));
    }
    Ok(())
}
