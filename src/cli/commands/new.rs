//! `grade new`: makes a course, or an assignment in one.

use std::path::Path;

use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::NewPlan;
use crate::cli::printer::Printer;
use crate::course;
use crate::scaffold::{ScaffoldError, add_assignment, make_course};

/// Makes what is asked for, and prints what was made and what comes next.
///
/// # Errors
///
/// Fails if it cannot be made; then nothing is left of it.
pub(crate) fn new(plan: &NewPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let lines = match plan {
        NewPlan::Course(course) => {
            make_course(course)?;
            warn_if_nested(&course.folder, printer);
            let (folder, id) = (course.folder.display(), &course.assignment);
            vec![
                format!("made       {folder}: a course with the assignment `{id}`"),
                format!("next       cd {folder}"),
                format!("           cargo run -- solutions/{id}    # grade the solution"),
                format!("           cargo run -- audit {id}        # test the checks"),
            ]
        }
        NewPlan::Assignment { site, id } => {
            site.check()?;
            let made = add_assignment(&site.home, id)?;
            let mut lines: Vec<String> =
                made.folders.iter().map(|it| format!("made       {}", it.display())).collect();
            lines.extend(made.changed.iter().map(|it| format!("changed    {}", it.display())));
            lines.push(format!("next       cargo run -- solutions/{id}    # grade the solution"));
            lines.push(format!("           cargo run -- audit {id}        # test the checks"));
            lines
        }
    };
    printer.data(|_, out| lines.iter().try_for_each(|line| writeln!(out, "{line}")))?;
    Ok(Exit::Success)
}

/// Warns if the new course lies in another one, in which case it is not found by itself.
fn warn_if_nested(folder: &Path, printer: &mut Printer<'_>) {
    let Ok(folder) = folder.canonicalize() else { return };
    if let Err(error) = course::find(&folder) {
        printer.warning(error);
        printer.hint(
            "move the new course, or set SOFTMARK_HOME to its folder before you run its grader",
        );
    }
}

impl From<ScaffoldError> for Failure {
    fn from(error: ScaffoldError) -> Self {
        let message = error.to_string();
        match &error {
            ScaffoldError::Id { .. } => {
                Self::usage(message, "choose another name, such as `lab-1`")
            }
            ScaffoldError::Exists { .. } | ScaffoldError::NotEmpty { .. } => {
                Self::usage(message, "nothing was changed; choose another name, or remove it")
            }
            ScaffoldError::NoPlace { path, .. } => Self::broken(
                message,
                format!(
                    "nothing was changed; {}",
                    if path.ends_with(Path::new("Cargo.toml")) {
                        "give Cargo.toml a table [dependencies], and run again"
                    } else {
                        "list the exams in the call of softmark::main in src/main.rs, and run again"
                    }
                ),
            ),
            ScaffoldError::Io { .. } => {
                Self::broken(message, "is there room on the disk, and may you write there?")
            }
        }
    }
}
