//! Gradebooks of platforms that a run fills.

use std::collections::BTreeSet;
use std::path::Path;

use crate::assignment::Assignment;
use crate::cli::args::Fill;
use crate::cli::commands::course_grades::{column_names, grades, refused};
use crate::cli::course_marks::{read_file, roster_of_course, times, unusable};
use crate::cli::failure::Failure;
use crate::cli::plan::{CourseFiles, CourseGradesPlan, Gradebooks};
use crate::cli::printer::Printer;
use crate::cli::site::Site;
use crate::course::Course;
use crate::course::gradebook::{Gradebook, GradebookError, Scale};
use crate::model::{Record, RecordOutcome};
use crate::pipeline::{Survey, Treatment};

/// Checks that a gradebook has a column for each assignment of a run, worth as many points, and that the roster and the files with times
/// can be read, so that this is known before anything is graded.
///
/// # Errors
///
/// Fails if a file cannot be read or is not valid, or if the gradebook is not of the platform or has no such column.
pub(crate) fn check(fill: &Fill, site: &Site, survey: &Survey) -> Result<(), Failure> {
    let course = &site.check()?;
    if let Some(roster) = roster_of_course(&site.home, course)? {
        times(&site.home, course, &roster)?;
    }
    let book = Gradebook::read(&read_file(&fill.path)?, fill.format);
    let book = book.map_err(|error| unusable(&fill.path, &error.to_string()))?;
    let mut checked = BTreeSet::new();
    for entry in &survey.entries {
        let Treatment::Assigned(assigned) = &entry.treatment else { continue };
        if checked.insert(&assigned.assignment.id) {
            check_column(&book, course, &assigned.assignment)
                .map_err(|error| refused(&fill.path, &error))?;
        }
    }
    Ok(())
}

fn check_column(
    book: &Gradebook,
    course: &Course,
    assignment: &Assignment,
) -> Result<(), GradebookError> {
    let title = Some(assignment.title.as_str()).filter(|title| !title.is_empty());
    let column = book.column(&column_names(None, course, (&assignment.id, title)))?;
    let available = assignment.points + assignment.written_points();
    column.check_points(Scale::Refuse { available })
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
    let mut ids: BTreeSet<String> = graded.map(|record| record.assignment.to_string()).collect();
    ids.remove("");
    if ids.is_empty() {
        printer.warning("no gradebook is filled: no submission has a grade");
    }
    for assignment in ids {
        let out = results.join(format!("{assignment}.{}.csv", fill.format.as_str()));
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
