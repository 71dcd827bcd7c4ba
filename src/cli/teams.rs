//! Students of the submissions that `grade similar` compares.

use softmark_untrusted::Untrusted;

use crate::cli::course_marks::{roster_of_course, times, unmatched};
use crate::cli::failure::Failure;
use crate::cli::site::Site;
use crate::course::roster::Prefixes;
use crate::course::{CourseInputs, StandingsError};
use crate::similar::Class;

/// Finds the students of this year's submissions in the roster of the course. Those of submissions whose names do not tell remain
/// unknown, and so do all if the course has no roster.
///
/// # Errors
///
/// Fails if a file cannot be read or is not valid.
pub(crate) fn find_students(site: &Site, classes: &mut [Class]) -> Result<(), Failure> {
    let course = site.check()?;
    let Some(roster) = roster_of_course(&site.home, &course)? else { return Ok(()) };
    let times = times(&site.home, &course, &roster)?;
    let inputs = CourseInputs { course: &course, roster: &roster, times: &times, hand_ins: &[] };
    for class in classes {
        let names: Vec<&Untrusted> = class.this_year.iter().map(|it| &it.name).collect();
        let prefixes = Prefixes::of(&class.assignment.as_str().into(), &names);
        for material in &mut class.this_year {
            material.students = match inputs.owners(&class.assignment, &material.name, &prefixes) {
                Ok(owners) => owners.all,
                Err(StandingsError::Ambiguous(_)) => continue,
                Err(error) => return Err(unmatched(&error, &site.home)),
            };
        }
    }
    Ok(())
}
