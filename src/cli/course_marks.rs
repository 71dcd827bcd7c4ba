//! Marks of a course: read from its file, the roster and the folder of results.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use softmark_checks::similar_names::{alternatives, similar_names};
use toml::Spanned;

use crate::assignment::{self, Assignment};
use crate::cli::course_text::CourseText;
use crate::cli::course_warnings::{warn_of_long_extensions, warn_of_other_points};
use crate::cli::failure::Failure;
use crate::cli::hand_ins::hand_ins;
use crate::cli::plan::CourseFiles;
use crate::cli::printer::Printer;
use crate::course::roster::{Roster, Student, StudentTable};
use crate::course::{
    Course, CourseInputs, HandIn, Standings, StandingsError, Table, Times, check_groups,
};
use crate::model::Points;
use crate::pipeline::SurveyError;

/// Hint about a name that softmark.toml has and the roster has not.
const IN_FILE_OR_ROSTER: &str = "mend softmark.toml or the roster; nothing was done";

/// Marks of a course.
pub(crate) struct CourseMarks {
    /// Course.
    pub(crate) course: Course,
    /// Students.
    pub(crate) roster: Roster,
    /// Description of the place from which the students come.
    pub(crate) roster_source: String,
    /// Marks.
    pub(crate) standings: Standings,
    /// Assignments with a submission.
    pub(crate) handed_in: BTreeSet<String>,
    /// Assignments of the course, by id.
    assignments: BTreeMap<String, Assignment>,
}

/// Students of another file, which are used if the course names no roster.
pub(crate) struct OtherStudents<'a> {
    /// Path of the file.
    pub(crate) path: &'a Path,
    /// Students.
    pub(crate) students: &'a [Student],
}

impl CourseMarks {
    /// Reads the files and computes the marks.
    ///
    /// # Errors
    ///
    /// Fails if a file cannot be read or is not valid, or a submission may belong to several students.
    pub(crate) fn read(
        files: &CourseFiles,
        otherwise: Option<OtherStudents<'_>>,
        printer: &mut Printer<'_>,
    ) -> Result<Self, Failure> {
        let course = files.site.check()?;
        let home = &files.site.home;
        let assignments = assignments(home, &course)?;
        let hand_ins = hand_ins(files, &course, &assignments, printer)?;
        let (roster, roster_source) = roster(files, &course, otherwise, &hand_ins)?;
        let times = times(home, &course, &roster)?;
        let inputs =
            CourseInputs { course: &course, roster: &roster, times: &times, hand_ins: &hand_ins };
        let standings = inputs.compute().map_err(|error| unmatched(&error, home))?;
        let handed_in = hand_ins.iter().map(|it| it.assignment.to_string()).collect();
        warn_of_long_extensions(&course, printer);
        for of in &standings.assignments {
            let points = assignments.get(&of.id).map(points_of).unwrap_or_default();
            warn_of_other_points(of, points, printer);
        }
        Ok(Self { course, roster, roster_source, standings, handed_in, assignments })
    }

    /// Returns the points of an assignment, as its file has them; `None` if it has none.
    pub(crate) fn points_of(&self, id: &str) -> Option<Points> {
        self.assignments.get(id).map(points_of)
    }

    /// Returns the title of an assignment; `None` if it has none.
    pub(crate) fn title_of(&self, id: &str) -> Option<&str> {
        self.assignments.get(id).map(|it| it.title.as_str()).filter(|title| !title.is_empty())
    }
}

/// Returns the points of an assignment, with those that people give.
fn points_of(assignment: &Assignment) -> Points {
    assignment.points + assignment.written_points()
}

/// Reads the assignments of the course, and checks that those of its file exist.
fn assignments(home: &Path, course: &Course) -> Result<BTreeMap<String, Assignment>, Failure> {
    let failed = |error| Failure::from(SurveyError::Assignment(error));
    let known = assignment::list(home).map_err(failed)?;
    if let Some(unknown) = course.assignments.keys().find(|id| !known.contains(id)) {
        let names: Vec<&str> = known.iter().map(String::as_str).collect();
        let hint = match similar_names(unknown, names.iter().copied()).as_slice() {
            [] => format!("there is {}", alternatives(&names)),
            close => format!("did you mean {}?", alternatives(close)),
        };
        let position = CourseText::read(home).position_of_assignment(unknown);
        let unknown = unknown.escape_debug();
        let message = format!("{position}: there is no assignment `{unknown}`");
        return Err(Failure::broken(message, hint));
    }
    let load = |id: String| Ok((id.clone(), assignment::load(home, &id).map_err(failed)?));
    known.into_iter().map(load).collect()
}

/// Reads the students: from the file that was named, that of the course, another file, or the names of submissions.
fn roster(
    files: &CourseFiles,
    course: &Course,
    otherwise: Option<OtherStudents<'_>>,
    hand_ins: &[HandIn],
) -> Result<(Roster, String), Failure> {
    let home = &files.site.home;
    let of_file = match &files.roster {
        Some(path) => Some((students(path)?, path.display().to_string())),
        None => students_of_course(home, course)?,
    };
    if let Some((students, source)) = of_file {
        let roster = with_groups((students, &source), home, course)?;
        course.check_submissions(&roster).map_err(|error| unmatched(&error, home))?;
        return Ok((roster, source));
    }
    let (students, source) = match otherwise {
        Some(other) => (other.students.to_vec(), other.path.display().to_string()),
        None => (named(hand_ins), "the names of submissions".to_owned()),
    };
    Ok((with_groups((students, &source), home, course)?, source))
}

/// Reads the roster that the file of the course names; `None` if it names none.
///
/// # Errors
///
/// Fails if the file cannot be read or is no roster, two students have the same id, or the file of the course gives a group or a
/// submission to somebody who is not in the roster.
pub(crate) fn roster_of_course(home: &Path, course: &Course) -> Result<Option<Roster>, Failure> {
    let Some((students, source)) = students_of_course(home, course)? else { return Ok(None) };
    let roster = with_groups((students, &source), home, course)?;
    course.check_submissions(&roster).map_err(|error| unmatched(&error, home))?;
    Ok(Some(roster))
}

/// Reads the students of the roster that the file of the course names, and returns them with its path.
fn students_of_course(
    home: &Path,
    course: &Course,
) -> Result<Option<(Vec<Student>, String)>, Failure> {
    let Some(name) = &course.roster else { return Ok(None) };
    let path = home.join(name.get_ref());
    let table = named_table(home, ("roster", name))?;
    Ok(Some((students_in(&path, &table)?, path.display().to_string())))
}

/// Returns the roster of students from a file or other source, with the groups of the course.
///
/// # Errors
///
/// Fails if two students have the same id, a member of a group is not in the roster or in two groups, or groups hand in an
/// assignment and a student is in several.
fn with_groups(
    (students, source): (Vec<Student>, &str),
    home: &Path,
    course: &Course,
) -> Result<Roster, Failure> {
    let twice =
        |error| Failure::broken(format!("{source}: {error}"), "mend the file; nothing was written");
    let roster = Roster::new(students).map_err(twice)?;
    let roster = roster.with_groups(&course.groups).map_err(|error| {
        let position = CourseText::read(home).position(error.at());
        Failure::broken(format!("{position}: {error}"), IN_FILE_OR_ROSTER)
    })?;
    check_groups(course, &roster).map_err(|error| {
        let hint = "say in [groups] of softmark.toml with which group each of them hands in: \
                    `\"GROUP\" = [\"ID\", …]`; nothing was written";
        Failure::broken(format!("{source}: {error}"), hint)
    })?;
    Ok(roster)
}

/// Reads the students of a roster's file.
///
/// # Errors
///
/// Fails if the file cannot be read or is no roster.
fn students(path: &Path) -> Result<Vec<Student>, Failure> {
    students_in(path, &table(path, &read_file(path)?)?)
}

fn students_in(path: &Path, table: &Table) -> Result<Vec<Student>, Failure> {
    let read = StudentTable::read(table);
    read.map(|it| it.students).map_err(|error| unusable(path, &error.to_string()))
}

/// Reads the contents of a file as a table.
///
/// # Errors
///
/// Fails if they are no table.
fn table(path: &Path, bytes: &[u8]) -> Result<Table, Failure> {
    Table::parse(bytes).map_err(|error| unusable(path, &error.to_string()))
}

/// Reads a table that the file of the course names by a key.
fn named_table(home: &Path, (key, name): (&str, &Spanned<String>)) -> Result<Table, Failure> {
    let path = home.join(name.get_ref());
    match fs::read(&path) {
        Ok(bytes) => table(&path, &bytes),
        Err(error) => {
            let position = CourseText::read(home).position(name.span().start);
            let path = path.display();
            let message =
                format!("{position}: `{key}` names {path}, which cannot be read: {error}");
            Err(Failure::broken(message, "put the file there, or mend softmark.toml"))
        }
    }
}

/// Reads a file.
///
/// # Errors
///
/// Fails if the file cannot be read.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, Failure> {
    fs::read(path).map_err(|error| {
        let message = format!("cannot read {}: {error}", path.display());
        Failure::usage(message, "name the file that the platform exported")
    })
}

/// Returns the failure of a file that cannot be used.
pub(crate) fn unusable(path: &Path, error: &str) -> Failure {
    let hint = "mend the file, or export it again; nothing was written";
    Failure::broken(format!("{}: {error}", path.display()), hint)
}

/// Returns students with the names of submissions.
fn named(hand_ins: &[HandIn]) -> Vec<Student> {
    let names: BTreeSet<_> = hand_ins.iter().map(|it| it.submission.clone()).collect();
    let student = |name| Student { id: name, ..Student::default() };
    names.into_iter().map(student).collect()
}

/// Reads the files with times of submission.
///
/// # Errors
///
/// Fails if a file cannot be read, or is no table with times.
pub(crate) fn times(
    home: &Path,
    course: &Course,
    roster: &Roster,
) -> Result<BTreeMap<String, Times>, Failure> {
    let mut all = BTreeMap::new();
    for (id, settings) in &course.assignments {
        let Some(name) = &settings.times else { continue };
        let table = named_table(home, ("times", name))?;
        let path = home.join(name.get_ref());
        let times = Times::read(&table, roster, &course.wall_clock(id));
        let times = times.map_err(|error| unusable(&path, &error.to_string()))?;
        all.insert(id.clone(), times);
    }
    Ok(all)
}

/// Returns the failure of names that do not lead to one student.
pub(crate) fn unmatched(error: &StandingsError, home: &Path) -> Failure {
    let Some(at) = error.at() else {
        return Failure::broken(
            error.to_string(),
            "say whose it is in softmark.toml: a line `\"NAME\" = \"ID\"` in [submissions]",
        );
    };
    let position = CourseText::read(home).position(at);
    Failure::broken(format!("{position}: {error}"), IN_FILE_OR_ROSTER)
}
