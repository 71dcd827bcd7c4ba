//! `gradebook.csv` in the folder of results.

use std::io;
use std::path::Path;

use crate::cli::failure::Failure;
use crate::cli::printer::Printer;
use crate::model::{Grader, Run};
use crate::report;
use crate::store::{Folder, replace};

/// Its name.
const GRADEBOOK: &str = "gradebook.csv";

/// Writes the gradebook of all records in the folder of results: those of earlier runs too, so that
/// grading one submission again does not lose the class.
///
/// # Errors
///
/// When it cannot be written.
pub(crate) fn write(out: &Path, grader: &Grader, printer: &mut Printer<'_>) -> Result<(), Failure> {
    let path = out.join(GRADEBOOK);
    let written = || -> io::Result<_> {
        let folder = Folder::of(out);
        let _held = folder.hold()?;
        let (records, unread) = folder.read_all()?;
        let mut text = Vec::new();
        report::csv::write(&Run { grader: grader.clone(), records }, &mut text)?;
        replace(&path, &text)?;
        Ok(unread)
    };
    let unread = written().map_err(|error| {
        Failure::broken(
            format!("cannot write {}: {error}", path.display()),
            "is there room on the disk, and may you write there?",
        )
    })?;
    for file in unread {
        printer.warning(format_args!("{} is no record, and not in the gradebook", file.display()));
    }
    Ok(())
}
