//! Marks as pages show them.

use maud::{Markup, html};

use super::context::{ClassAnswer, MarkingContext, State};
use crate::marking::Marked;
use crate::model::{Delta, Points};
use crate::serve::text::Lines;

/// Returns a number of points for a field: without a plus, and empty for none.
pub(super) fn field(points: Delta) -> String {
    if points == Delta::ZERO {
        return String::new();
    }
    points.to_string().trim_start_matches('+').to_owned()
}

/// Returns the state of an answer in words, with its points.
pub(super) fn state(context: &MarkingContext, at: &ClassAnswer) -> Markup {
    let most = at.entry.answer.max_points;
    html! {
        @match context.state(&at.entry) {
            State::Open => span.open { "open" },
            State::Changed => span.open { "changed since it was marked" },
            State::Marked { points, by: None } => { (of(points, most)) " " small { "in marks.csv" } },
            State::Marked { points, by: Some(by) } => { (of(points, most)) " " small { "by " (by) } },
        }
        @if context.has_conflict(&at.entry) { " " strong.problem { "two marks" } }
    }
}

/// Returns points beside the most that there are.
pub(super) fn of(points: Points, most: Points) -> Markup {
    html! { b { (points.to_string()) } " of " (most.to_string()) }
}

/// Returns the items and the comment of a mark.
pub(super) fn content(marked: &Marked<'_>) -> Markup {
    html! {
        @if let Some(given) = marked.content() {
            ul.items {
                @for item in &marked.items {
                    li { (item.text) " " small { (item.points.to_string()) } }
                }
                @if given.free != Delta::ZERO {
                    li { "free points " small { (given.free.to_string()) } }
                }
            }
            @if !given.comment.is_empty() { p.comment { (Lines(&given.comment)) } }
        }
    }
}
