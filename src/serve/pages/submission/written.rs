//! Written answers with their marks.

use maud::{Markup, html};

use crate::model::Record;
use crate::serve::text::Lines;

/// Returns the written answers.
pub(super) fn written(record: &Record) -> Markup {
    html! {
        @if !record.written.is_empty() {
            section {
                h2 { "Written answers" }
                @for answer in &record.written {
                    h3.task {
                        span { (answer.title) }
                        span.points {
                            @match answer.points {
                                Some(points) => (points),
                                None => { span.badge.todo { "to mark" } },
                            }
                            " " small { "of " (answer.max_points) }
                        }
                    }
                    @if !answer.rubric.is_empty() {
                        ul {
                            @for item in &answer.rubric { li { (item.text) " " small { (item.points) } } }
                        }
                    }
                    @if !answer.comment.is_empty() { p.message { (Lines(&answer.comment)) } }
                    @if answer.text.is_empty() { p.soft { "There is no answer." } }
                    @else { pre tabindex="0" { (Lines(&answer.text)) } }
                }
            }
        }
    }
}
