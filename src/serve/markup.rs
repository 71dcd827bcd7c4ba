//! Pieces that several pages have.

use maud::{Markup, PreEscaped, html};

use crate::model::{Points, RecordOutcome, Status};
use crate::report::{outcome_words, status_sign, status_words};
use crate::serve::access::Role;
use crate::serve::visit::Visit;

/// Returns markup that another module of the grader wrote, which escapes whatever it prints.
pub(super) fn written_by_grader(html: String) -> Markup {
    PreEscaped(html)
}

/// Returns what to do about an error in `marks.csv`, if it has one.
pub(super) fn csv_error(visit: &Visit<'_>, error: Option<&str>) -> Markup {
    html! {
        @if let Some(error) = error {
            p.note {
                "A line of marks.csv is not valid. It counts for nothing, and the gradebook is not written until somebody mends it. "
                @if visit.shared.config.is_anonymous { code { "grade mark" } " says which line it is." }
                @else { (error) }
            }
        }
    }
}

/// Returns what to do about a roster that cannot be read. The reason may name students, and paths of the machine: it is for owners.
pub(super) fn roster_error(visit: &Visit<'_>, error: Option<&str>) -> Markup {
    html! {
        @if let Some(error) = error {
            p.note {
                "The roster cannot be read, so groups are those of an earlier one. "
                @if visit.user().role == Role::Owner { (error) }
                @else { "Owners see why." }
            }
        }
    }
}

/// Returns points and those available, with a bar.
pub(super) fn points(points: Points, max_points: Points) -> Markup {
    html! {
        span.points { (points) " " small { "of " (max_points) } }
        (bar(points, max_points))
    }
}

/// Returns a bar that is filled by the share that `points` are of `max_points`. The numbers stand beside it.
pub(super) fn bar(points: Points, max_points: Points) -> Markup {
    let width = u64::from(points.hundredths()) * 100 / u64::from(max_points.hundredths().max(1));
    html! {
        svg.bar viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true" {
            rect.all width="100" height="8" {}
            rect.share width=(width.min(100)) height="8" {}
        }
    }
}

/// Returns the sign of a result with its name.
pub(super) fn status(status: Status) -> Markup {
    html! { span class={ "status " (status.as_str()) } { span aria-hidden="true" { (status_sign(status)) } " " (status_words(status)) } }
}

/// Returns the outcome of a submission; nothing if it is graded.
pub(super) fn outcome(outcome: RecordOutcome) -> Markup {
    match outcome {
        RecordOutcome::Graded => html! {},
        RecordOutcome::Rejected | RecordOutcome::BuildFailed | RecordOutcome::NoGrade => {
            html! { span class={ "badge " (outcome.as_str()) } { (outcome_words(outcome)) } }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_shows_a_share_of_the_points() {
        let of = |points, all| {
            bar(Points::from_hundredths(points), Points::from_hundredths(all)).into_string()
        };
        assert!(of(50, 200).contains("width=\"25\""));
        assert!(of(0, 0).contains("width=\"0\""));
        assert!(of(300, 200).matches("width=\"100\"").count() == 2);
    }
}
