//! `grade course check`: explains what the dates and the late policy of a course do.

use std::io::{self, Write};

use serde::Serialize;
use softmark_untrusted::Untrusted;
use toml::Spanned;

use crate::cli::course_marks::CourseMarks;
use crate::cli::exit::Exit;
use crate::cli::failure::Failure;
use crate::cli::plan::CourseCheckPlan;
use crate::cli::printer::Printer;
use crate::course::roster::{Roster, Student};
use crate::course::{
    AssignmentStandings, ExtensionSettings, HandIn, RowOutcome, StudentRow, explain,
};
use crate::model::Points;
use crate::report::text::count;
use crate::store::document;

/// Points of the examples of an assignment that is not there.
const EXAMPLE: Points = Points::from_hundredths(1_000);

/// Prints the marks of all students with explanations; of an assignment without submissions, examples of its policy.
///
/// # Errors
///
/// Fails if a file of the course cannot be read or is not valid, or a submission may belong to several students.
pub(crate) fn check(plan: &CourseCheckPlan, printer: &mut Printer<'_>) -> Result<Exit, Failure> {
    let marks = CourseMarks::read(&plan.files, None, printer)?;
    if plan.json {
        let text = document::pretty(&Document::of(&marks))
            .map_err(|error| Failure::broken(error.to_string(), "nothing was printed"))?;
        printer.data(|_, out| out.write_all(text.as_bytes()))?;
    } else {
        printer.data(|_, out| write(&marks, out))?;
    }
    Ok(Exit::Success)
}

fn write(marks: &CourseMarks, out: &mut dyn Write) -> io::Result<()> {
    let students = count(marks.roster.students().len(), "student", "students");
    let title = Untrusted::from(marks.course.title.as_str());
    let zone = marks.course.time_zone.as_ref();
    let zone = zone.map(|zone| format!("; times in {zone}")).unwrap_or_default();
    writeln!(out, "{title}: {students} from {}{zone}", marks.roster_source)?;
    for of in &marks.standings.assignments {
        let due = of.due.as_ref().map(|due| format!(", due {due}")).unwrap_or_default();
        writeln!(out, "\n{}{due}", of.id)?;
        let dates = dates(marks, &of.id);
        if !dates.is_empty() {
            writeln!(out, "  {}", dates.join("; "))?;
        }
        writeln!(out, "  {}", explain::policy(of).join("; "))?;
        for extension in extensions(marks, &of.id) {
            let Extension { whose, dates, reason } = extension;
            let reason = if reason.is_empty() { String::new() } else { format!("; {reason}") };
            writeln!(out, "  extension of {whose}: {}{reason}", dates.join(", "))?;
        }
        if marks.handed_in.contains(&of.id) {
            for (row, student) in of.rows.iter().zip(marks.roster.students()) {
                writeln!(out, "  {}: {}", label(student), explain::row(of, row))?;
            }
        } else {
            let points = marks.points_of(&of.id).unwrap_or(EXAMPLE);
            writeln!(out, "  no submissions yet; examples of one with {points} points:")?;
            for line in explain::examples(of, points) {
                writeln!(out, "    {line}")?;
            }
        }
    }
    if !marks.standings.unknown.is_empty() {
        writeln!(out, "\nnot in the roster, or of an unknown assignment")?;
        for hand_in in &marks.standings.unknown {
            writeln!(out, "  {}: {}", hand_in.submission, described(hand_in))?;
        }
    }
    if !marks.standings.unused.is_empty() {
        writeln!(out, "\n[submissions] names what nobody has handed in yet")?;
        for name in &marks.standings.unused {
            writeln!(out, "  {name}")?;
        }
    }
    Ok(())
}

/// Returns the dates of an assignment in words, but for the due date.
fn dates(marks: &CourseMarks, id: &str) -> Vec<String> {
    let settings = marks.course.assignments.get(id);
    settings.map_or_else(Vec::new, |settings| explain::dates(settings, &marks.course.late))
}

/// Extension in words.
#[derive(Serialize)]
struct Extension {
    /// Student, or group with its members.
    whose: String,
    dates: Vec<String>,
    reason: Untrusted,
}

/// Returns the extensions of an assignment, in the order of the course's file.
fn extensions(marks: &CourseMarks, id: &str) -> Vec<Extension> {
    let Some(settings) = marks.course.assignments.get(id) else { return Vec::new() };
    let of_assignment = marks.course.extensions.iter().filter(|it| it.assignment.get_ref() == id);
    let in_words = |it: &ExtensionSettings| Extension {
        whose: whose(it, &marks.roster),
        dates: explain::extension(it, settings, &marks.course.late),
        reason: it.reason.as_str().into(),
    };
    of_assignment.map(in_words).collect()
}

/// Returns whose extension it is: a student, or a group with its members.
fn whose(extension: &ExtensionSettings, roster: &Roster) -> String {
    let students = roster.students();
    if let Some(name) = &extension.student {
        let student = roster.student(name.get_ref()).ok().flatten();
        let student = student.and_then(|at| students.get(at));
        return student.map_or_else(|| name.get_ref().escape_debug().to_string(), label);
    }
    let name = extension.group.as_ref().map(Spanned::get_ref);
    let Some(group) = name.and_then(|name| roster.group(name)) else { return String::new() };
    let members = group.members.iter().filter_map(|at| students.get(*at));
    let ids: Vec<String> = members.map(|student| student.id.to_string()).collect();
    format!("group {} ({})", group.name, ids.join(", "))
}

/// Returns the name of a student: the id, and the full name and the group if there are any.
fn label(student: &Student) -> String {
    let (Student { id, name, .. }, group) = (student, student.group_names());
    let more = [name, &group].into_iter().filter(|text| !text.is_empty() && *text != id);
    let more: Vec<String> = more.map(ToString::to_string).collect();
    if more.is_empty() { id.to_string() } else { format!("{id} ({})", more.join(", ")) }
}

/// Returns assignment and points of a submission of nobody.
fn described(hand_in: &HandIn) -> String {
    let points = hand_in.mark.points().map(|(points, _)| format!(", {points}")).unwrap_or_default();
    let assignment = hand_in.assignment.to_string();
    let assignment = if assignment.is_empty() { "assignment unknown" } else { &assignment };
    format!("{assignment}{points}")
}

/// Document of `--format json`.
#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    title: &'a str,
    time_zone: Option<String>,
    roster: &'a str,
    assignments: Vec<AssignmentDocument<'a>>,
    unknown: Vec<UnknownDocument<'a>>,
    /// Names in `[submissions]` of the course's file that no submission has.
    unused_names: &'a [Untrusted],
}

#[derive(Serialize)]
struct AssignmentDocument<'a> {
    id: &'a str,
    release: Option<String>,
    due: Option<String>,
    hard_stop: Option<String>,
    /// Day after which answers are shown.
    answers: Option<String>,
    extensions: Vec<Extension>,
    policy: Vec<String>,
    examples: Vec<String>,
    students: Vec<StudentDocument<'a>>,
}

#[derive(Serialize)]
struct StudentDocument<'a> {
    id: &'a Untrusted,
    name: &'a Untrusted,
    group: Untrusted,
    submission: Option<&'a Untrusted>,
    submitted: Option<String>,
    extended_to: Option<String>,
    outcome: &'static str,
    points: Option<Points>,
    max_points: Option<Points>,
    late_days: u32,
    late_days_before: u32,
    explanation: String,
}

#[derive(Serialize)]
struct UnknownDocument<'a> {
    submission: &'a Untrusted,
    assignment: &'a Untrusted,
    points: Option<Points>,
}

impl<'a> Document<'a> {
    fn of(marks: &'a CourseMarks) -> Self {
        let assignments = marks.standings.assignments.iter();
        let unknown = marks.standings.unknown.iter().map(|hand_in| UnknownDocument {
            submission: &hand_in.submission,
            assignment: &hand_in.assignment,
            points: hand_in.mark.points().map(|(points, _)| points),
        });
        Self {
            format_version: 1,
            title: &marks.course.title,
            time_zone: marks.course.time_zone.as_ref().map(ToString::to_string),
            roster: &marks.roster_source,
            assignments: assignments.map(|of| AssignmentDocument::of(of, marks)).collect(),
            unknown: unknown.collect(),
            unused_names: &marks.standings.unused,
        }
    }
}

impl<'a> AssignmentDocument<'a> {
    fn of(of: &'a AssignmentStandings, marks: &'a CourseMarks) -> Self {
        let students = of.rows.iter().zip(marks.roster.students());
        let settings = marks.course.assignments.get(&of.id);
        let release = settings.and_then(|it| it.release.as_ref());
        let answers = settings.and_then(|it| it.answers.as_ref());
        Self {
            id: &of.id,
            release: release.map(|it| it.get_ref().to_string()),
            answers: answers.map(|it| it.get_ref().to_string()),
            extensions: extensions(marks, &of.id),
            due: of.due.as_ref().map(|due| due.moment().to_string()),
            hard_stop: of.stop.as_ref().map(|stop| stop.moment().to_string()),
            policy: explain::policy(of),
            examples: explain::examples(of, marks.points_of(&of.id).unwrap_or(EXAMPLE)),
            students: students.map(|(row, it)| StudentDocument::of(of, row, it)).collect(),
        }
    }
}

impl<'a> StudentDocument<'a> {
    fn of(of: &AssignmentStandings, row: &'a StudentRow, student: &'a Student) -> Self {
        Self {
            id: &student.id,
            name: &student.name,
            group: student.group_names(),
            submission: row.submission.as_ref(),
            submitted: row.submitted.as_ref().map(|it| it.moment().to_string()),
            extended_to: row.extended_to.as_ref().map(|it| it.moment().to_string()),
            outcome: outcome(row.outcome),
            points: row.points(),
            max_points: row.max_points,
            late_days: row.late_days(),
            late_days_before: row.late_days_before,
            explanation: explain::row(of, row),
        }
    }
}

fn outcome(outcome: RowOutcome) -> &'static str {
    match outcome {
        RowOutcome::Missing => "missing",
        RowOutcome::NoGrade => "no_grade",
        RowOutcome::Unmarked(_) => "unmarked",
        RowOutcome::Undecided(_) => "undecided",
        RowOutcome::NoSuchMarked => "no_such_marked",
        RowOutcome::LateByUnknown => "late_by_unknown",
        RowOutcome::Counted(_) => "counted",
    }
}
