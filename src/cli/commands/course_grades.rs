//! `grade course grades`: fills the gradebook of a learning platform.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use softmark_checks::similar_names::alternatives;

use crate::cli::course_marks::{CourseMarks, OtherStudents, read_file, unusable};
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::output_file;
use crate::cli::plan::{CourseGradesPlan, Gradebooks};
use crate::cli::printer::Printer;
use crate::course::gradebook::{
    Filled, Gradebook, GradebookError, GradebookFormat, Reserved, Scale, SkippedWhy, plain,
};
use crate::course::roster::{Difference, Namesake, StudentIndex};
use crate::course::{AssignmentStandings, Course, RowOutcome, explain};
use crate::model::Points;
use crate::report::text::count;

/// Writes the gradebook with the points of an assignment, and says on stderr who got none and why.
///
/// # Errors
///
/// Fails if a file cannot be read or is not valid, there is no such assignment, or the gradebook has no column for it or one
/// that is worth another number of points; then nothing is written.
pub(crate) fn grades(plan: &CourseGradesPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let bytes = match &plan.gradebook {
        Gradebooks::Plain => plain_gradebook(plan, printer)?,
        Gradebooks::Platform { format, path } => filled_gradebook(plan, *format, path, printer)?,
    };
    output_file::write(plan.out.as_deref(), printer, |_, out| out.write_all(&bytes))?;
    Ok(Exit::Success)
}

/// Returns the points of a student's row, by the options.
fn points_of(plan: &CourseGradesPlan, outcome: RowOutcome) -> Option<Points> {
    let is_zero = plan.zero_missing && outcome == RowOutcome::Missing;
    let points = outcome.verdict().map(|verdict| verdict.points);
    points.or_else(|| is_zero.then_some(Points::ZERO))
}

fn plain_gradebook(plan: &CourseGradesPlan, printer: &mut Printer<'_>) -> Result<Vec<u8>, Failure> {
    let marks = CourseMarks::read(&plan.files, None, printer)?;
    let of = assignment(plan, &marks)?;
    let points = |at: StudentIndex| of.rows.get(at).and_then(|row| points_of(plan, row.outcome));
    let mut bytes = Vec::new();
    plain::write(of, &marks.roster, &points, &mut bytes)
        .map_err(|error| Failure::broken(error.to_string(), "nothing was written"))?;
    let without = of.rows.iter().filter(|row| points(row.student).is_none());
    let without = without.map(|row| explained(&marks, of, row.student));
    warn("no points", &without.collect::<Vec<_>>(), printer);
    Ok(bytes)
}

fn filled_gradebook(
    plan: &CourseGradesPlan,
    format: GradebookFormat,
    path: &Path,
    printer: &mut Printer<'_>,
) -> Result<Vec<u8>, Failure> {
    let book = Gradebook::read(&read_file(path)?, format);
    let book = book.map_err(|error| unusable(path, &error.to_string()))?;
    let students = OtherStudents { path, students: &book.students };
    let marks = CourseMarks::read(&plan.files, Some(students), printer)?;
    let of = assignment(plan, &marks)?;
    let failed = |error: GradebookError| refused(path, &error);
    let title = marks.title_of(&plan.assignment);
    let names = column_names(plan.column.as_deref(), &marks.course, (&plan.assignment, title));
    let column = book.column(&names).map_err(failed)?;
    let points =
        of.rows.iter().filter_map(|row| Some((row.student, points_of(plan, row.outcome)?)));
    let points: BTreeMap<StudentIndex, Points> = points.collect();
    let from_records = available(path, of)?;
    let available = from_records.or_else(|| marks.points_of(&of.id)).unwrap_or_default();
    let scale = if plan.scale { Scale::Scale { available } } else { Scale::Refuse { available } };
    let filled = book.fill(column, &marks.roster, &points, scale).map_err(failed)?;
    report(&marks, of, &filled, printer);
    Ok(filled.bytes)
}

/// Returns the points that the assignment was worth when it was graded; `None` if no record says so.
fn available(path: &Path, of: &AssignmentStandings) -> Result<Option<Points>, Failure> {
    let all: BTreeSet<Points> = of.rows.iter().filter_map(|row| row.max_points).collect();
    let mut all = all.into_iter().filter(|points| *points > Points::ZERO);
    match (all.next(), all.next()) {
        (Some(one), Some(other)) => Err(Failure::broken(
            format!(
                "some submissions of `{}` were graded for {one} points, and some for {other}; {} was not filled",
                of.id,
                path.display()
            ),
            "the assignment has changed meanwhile: grade all of them again",
        )),
        (found, _) => Ok(found),
    }
}

/// Returns the marks of the assignment of the plan.
fn assignment<'a>(
    plan: &CourseGradesPlan,
    marks: &'a CourseMarks,
) -> Result<&'a AssignmentStandings, Failure> {
    let all = &marks.standings.assignments;
    let found = all.iter().find(|of| of.id == plan.assignment && marks.handed_in.contains(&of.id));
    found.ok_or_else(|| {
        let ids: Vec<&str> = marks.handed_in.iter().map(String::as_str).collect();
        let (wanted, results) = (plan.assignment.escape_debug(), plan.files.results.display());
        let hint = match ids.as_slice() {
            [] => "grade submissions first; `--results` names another folder of results".to_owned(),
            ids => format!("there is {}", alternatives(ids)),
        };
        Failure::usage(
            format!("there is no record of the assignment `{wanted}` in {results}"),
            hint,
        )
    })
}

/// Returns the names by which the column of an assignment is looked for: the one on the command line, or else that of the course's
/// file, or else the assignment's id and title.
pub(crate) fn column_names(
    given: Option<&str>,
    course: &Course,
    (id, title): (&str, Option<&str>),
) -> Vec<String> {
    let of_course = course.assignments.get(id).and_then(|it| it.column.as_deref());
    match given.or(of_course) {
        Some(column) => vec![column.to_owned()],
        None => std::iter::once(id).chain(title).map(str::to_owned).collect(),
    }
}

/// Returns the failure of a gradebook that is not filled.
pub(crate) fn refused(path: &Path, error: &GradebookError) -> Failure {
    let hint = match error {
        GradebookError::NoColumn { .. } | GradebookError::SeveralColumns { .. } => {
            "name one with `--column`, or with `column` in the assignment's table of softmark.toml; nothing was written"
        }
        GradebookError::OtherPoints { .. } => {
            "change the points on the platform and export again, or add `--scale`; nothing was written"
        }
        GradebookError::SeveralRows { .. } => {
            "one of the two rows is of somebody else: add ids to the roster or the file; nothing was written"
        }
        GradebookError::Roster(_)
        | GradebookError::OtherPlatform { .. }
        | GradebookError::Ambiguous { .. }
        | GradebookError::Table(_) => return unusable(path, &error.to_string()),
    };
    Failure::usage(format!("{}: {error}", path.display()), hint)
}

/// Says what was written, and which students got nothing and why.
fn report(
    marks: &CourseMarks,
    of: &AssignmentStandings,
    filled: &Filled,
    printer: &mut Printer<'_>,
) {
    let Filled { column, written, same, skipped, without_row, .. } = filled;
    let cells = count(*written, "cell", "cells");
    printer.plain(format_args!("{column}: {cells} written, {same} had these points already\n"));
    let [mut no_points, mut unknown, mut namesakes, mut locked, mut reserved] =
        std::array::from_fn(|_| Vec::new());
    for row in skipped {
        let at = format!("line {}, {}", row.line, row.student);
        match &row.why {
            SkippedWhy::NoPoints(student) => no_points.push(explained(marks, of, *student)),
            SkippedWhy::NotInRoster => unknown.push(at),
            SkippedWhy::Namesake(it) => namesakes.push(format!("{at}: {}", differing(marks, it))),
            SkippedWhy::Locked => locked.push(at),
            SkippedWhy::Reserved(words) => reserved.push(format!("{at}: {}", meaning(words))),
        }
    }
    warn("no points, cell left as it was", &no_points, printer);
    warn("not in the roster, cell left as it was", &unknown, printer);
    warn(
        "somebody else with the name of a student, cell left as it was; if it is the same person, add the id, login or \
         e-mail address of the gradebook to the roster",
        &namesakes,
        printer,
    );
    warn("the platform takes no grade, cell left as it was", &locked, printer);
    warn(
        "words in place of a grade, cell left as it was; if the mark is to replace them, empty the cell",
        &reserved,
        printer,
    );
    let without_row = without_row.iter().map(|student| explained(marks, of, *student));
    warn("not in the gradebook", &without_row.collect::<Vec<_>>(), printer);
    let nobody = marks
        .standings
        .unknown
        .iter()
        .filter(|it| it.assignment == of.id || it.assignment.is_empty());
    let nobody: Vec<String> = nobody.map(|it| it.submission.to_string()).collect();
    warn("not in the roster", &nobody, printer);
}

/// Returns a student and the effect of the policy.
fn explained(marks: &CourseMarks, of: &AssignmentStandings, student: StudentIndex) -> String {
    let id = marks.roster.students().get(student).map(|it| it.id.to_string()).unwrap_or_default();
    let why = of.rows.get(student).map(|row| explain::row(of, row)).unwrap_or_default();
    format!("{id}: {why}")
}

/// Returns the identifiers by which a row is not of the student of the same name.
fn differing(marks: &CourseMarks, namesake: &Namesake) -> String {
    let student = marks.roster.students().get(namesake.student);
    let id = student.map(|it| it.id.to_string()).unwrap_or_default();
    let Difference { of_student, of_other } = &namesake.difference;
    format!(
        "the {} is `{}`, and in the roster the {} of `{id}` is `{}`",
        of_other.kind, of_other.text, of_student.kind, of_student.text
    )
}

/// Returns words in place of a grade, and what they mean.
fn meaning(words: &Reserved) -> String {
    let meaning = words.meaning.map(|meaning| format!(", {meaning}")).unwrap_or_default();
    format!("`{}`{meaning}", words.text)
}

/// Prints a warning with the students whom it is about.
fn warn(what: &str, who: &[String], printer: &mut Printer<'_>) {
    if who.is_empty() {
        return;
    }
    let number = count(who.len(), "student", "students");
    printer.warning(format_args!("{number}: {what}\n  {}", who.join("\n  ")));
}
