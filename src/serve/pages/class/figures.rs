//! Figures of the chosen submissions.

use maud::{Markup, html};

use crate::model::{Points, RecordOutcome};
use crate::serve::class::{Class, Row};
use crate::serve::markup::written_by_grader;
use crate::statistics::{Distribution, histogram};

/// Returns how many of the submissions are graded and need a person; and mean, median and histogram, if they are of one
/// assignment: points of different assignments have no mean.
pub(super) fn summary(class: &Class, rows: &[&Row]) -> Markup {
    let graded = rows.iter().filter(|row| row.entry.newest.outcome == RecordOutcome::Graded);
    let points: Vec<Points> = graded.clone().filter_map(|row| row.points).collect();
    let most = graded.clone().map(|row| row.entry.newest.max_points).max().unwrap_or_default();
    let mut assignments: Vec<_> = rows.iter().map(|row| &row.entry.key.assignment).collect();
    assignments.dedup();
    let is_one = class.gradings.parts.len() == 1 || assignments.len() == 1;
    let unmarked: usize = rows.iter().map(|row| row.unmarked()).sum();
    let open: usize = rows.iter().map(|row| row.appeals).sum();
    let points = Distribution::of(&points, most).filter(|_| is_one);
    html! {
        section.figures aria-label="Figures" {
            dl {
                div { dt { "graded" } dd { (graded.count()) } }
                @if let Some(points) = &points {
                    div { dt { "mean" } dd { (format!("{:.2}", points.mean)) } }
                    div { dt { "median" } dd { (format!("{:.2}", points.median())) } }
                    div { dt { "out of" } dd { (points.max_points) } }
                }
                div { dt { "answers to mark" } dd { (unmarked) } }
                div { dt { "open appeals" } dd { (open) } }
            }
            @if let Some(points) = &points {
                (written_by_grader(histogram(points)))
            }
        }
    }
}
