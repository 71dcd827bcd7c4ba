//! Warnings about what a course's file and its results say together.

use crate::cli::printer::Printer;
use crate::course::{AssignmentStandings, Course};
use crate::model::Points;
use crate::report::text::{count, first_few};

/// Most submissions that a warning names.
const MOST_NAMED: usize = 5;

/// Warns of submissions that were graded for other points than the assignment has: with some of its checks, or before it changed.
pub(crate) fn warn_of_other_points(
    of: &AssignmentStandings,
    points: Points,
    printer: &mut Printer<'_>,
) {
    let other = of.rows.iter().filter_map(|row| {
        let most = row.max_points.filter(|most| *most != points && *most > Points::ZERO)?;
        Some(format!("{} ({most})", row.submission.as_ref()?))
    });
    let other: Vec<String> = other.collect();
    if other.is_empty() {
        return;
    }
    printer.warning(format_args!(
        "{} graded for other points than the {points} of `{}`: {}",
        count(other.len(), "submission was", "submissions were"),
        of.id,
        first_few(&other, MOST_NAMED)
    ));
    printer.hint("grade them again, with all checks");
}

/// Warns of extensions of students who would see the answers before they hand in.
pub(crate) fn warn_of_long_extensions(course: &Course, printer: &mut Printer<'_>) {
    for extension in &course.extensions {
        let id = extension.assignment.get_ref();
        let Some(settings) = course.assignments.get(id) else { continue };
        let last = course.last_day_of(extension);
        let answers = settings.answers.as_ref().map(|it| it.get_ref().clone());
        if let (Some(last), Some(answers)) = (last, answers)
            && answers < last
        {
            let who = extension.student.as_ref().or(extension.group.as_ref());
            let who = who.map_or("", |who| who.get_ref());
            printer.warning(format_args!(
                "`{who}` may hand in `{id}` through {last}, and its answers are shown after {answers}"
            ));
        }
    }
}
