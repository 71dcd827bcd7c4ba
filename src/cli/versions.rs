//! Earlier versions in a download that are graded: those that may count by the policy of the course.

use crate::course::Course;
use crate::pipeline::{Entry, Survey};

/// Leaves out the earlier versions that cannot count.
pub(crate) fn leave_out_what_cannot_count(survey: &mut Survey, course: &Course) {
    for entry in &mut survey.entries {
        let may_count = may_count(entry, course);
        entry.earlier.drain(..entry.earlier.len().saturating_sub(may_count));
    }
}

/// Returns how many of the earlier versions may count, counted from the newest.
fn may_count(entry: &Entry, course: &Course) -> usize {
    let versions = || entry.earlier.iter().chain([entry]);
    let Some(assigned) = versions().rev().find_map(Entry::assigned) else { return 0 };
    let times: Vec<Option<&str>> = versions().map(|it| it.candidate.submitted.as_deref()).collect();
    course.earlier_that_may_count(&assigned.assignment.id, &times)
}
