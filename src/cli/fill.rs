//! Gradebooks of platforms that a run fills.

use std::collections::BTreeSet;
use std::path::Path;

use crate::cli::args::Fill;
use crate::cli::commands::course_grades::grades;
use crate::cli::course_marks::{read_file, unusable};
use crate::cli::failure::Failure;
use crate::cli::plan::{CourseFiles, CourseGradesPlan, Gradebooks};
use crate::cli::printer::Printer;
use crate::cli::site::Site;
use crate::course::gradebook::Gradebook;
use crate::model::{Record, RecordOutcome};

/// Checks that a gradebook can be read, so that this is known before anything is graded.
///
/// # Errors
///
/// Fails if the file cannot be read, or is no gradebook of the platform.
pub(crate) fn check(fill: &Fill) -> Result<(), Failure> {
    let book = Gradebook::read(&read_file(&fill.path)?, fill.format);
    book.map(drop).map_err(|error| unusable(&fill.path, &error.to_string()))
}

/// Fills a gradebook for each assignment of the records, and writes it to the folder of results.
///
/// # Errors
///
/// Fails if the gradebook has no column for an assignment, or a file cannot be read or written.
pub(crate) fn fill(
    fill: &Fill,
    (site, results): (&Site, &Path),
    records: &[Record],
    printer: &mut Printer<'_>,
) -> Result<(), Failure> {
    let graded = records.iter().filter(|record| record.outcome != RecordOutcome::NoGrade);
    let ids: BTreeSet<String> = graded.map(|record| record.assignment.to_string()).collect();
    for assignment in ids.into_iter().filter(|id| !id.is_empty()) {
        let platform = fill.format.to_string().to_lowercase();
        let out = results.join(format!("{assignment}.{platform}.csv"));
        let files = CourseFiles { site: site.clone(), results: results.to_owned(), roster: None };
        let gradebook = Gradebooks::Platform { format: fill.format, path: fill.path.clone() };
        let plan = CourseGradesPlan {
            files,
            assignment,
            gradebook,
            out: Some(out.clone()),
            column: None,
            scale: false,
            zero_missing: false,
        };
        grades(&plan, printer)?;
        printer.plain(format_args!("{} is filled\n", out.display()));
    }
    Ok(())
}
