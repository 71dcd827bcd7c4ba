//! Figures of the chosen submissions.

use maud::{Markup, html};

use crate::model::{Points, RecordOutcome};
use crate::serve::class::{Class, Row};
use crate::serve::markup::written_by_grader;
use crate::statistics::{Distribution, histogram};

/// Returns mean, median and histogram of the graded submissions, if they are of one assignment.
pub(super) fn summary(class: &Class, rows: &[&Row]) -> Markup {
    let graded = rows.iter().filter(|row| row.entry.newest.outcome == RecordOutcome::Graded);
    let points: Vec<Points> = graded.clone().filter_map(|row| row.points).collect();
    let most = graded.clone().map(|row| row.entry.newest.max_points).max().unwrap_or_default();
    let mut assignments: Vec<_> = rows.iter().map(|row| &row.entry.place.assignment).collect();
    assignments.dedup();
    let unmarked: usize = rows.iter().map(|row| row.unmarked()).sum();
    let open: usize = rows.iter().map(|row| row.appeals).sum();
    let Some(points) = Distribution::of(&points, most) else { return html! {} };
    html! {
        section.figures aria-label="Figures" {
            dl {
                div { dt { "graded" } dd { (graded.count()) } }
                div { dt { "mean" } dd { (format!("{:.2}", points.mean)) } }
                div { dt { "median" } dd { (format!("{:.2}", points.median())) } }
                div { dt { "out of" } dd { (points.max_points) } }
                div { dt { "answers to mark" } dd { (unmarked) } }
                div { dt { "open appeals" } dd { (open) } }
            }
            @if class.gradings.parts.len() == 1 || assignments.len() == 1 {
                (written_by_grader(histogram(&points)))
            }
        }
    }
}
