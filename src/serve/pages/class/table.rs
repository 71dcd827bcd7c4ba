//! The table of submissions.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::filter::Filter;
use crate::model::Points;
use crate::serve::class::{Class, Row};
use crate::serve::markup::{outcome, points};

/// Choice of the rows that are shown.
pub(super) struct Selection<'a> {
    /// Filter.
    pub(super) filter: &'a Filter,
    /// Number of this page, from 1 on.
    pub(super) page: usize,
    /// Number of pages.
    pub(super) pages: usize,
}

/// Returns the table, and links to its other pages.
pub(super) fn table(class: &Class, rows: &[&Row], selection: &Selection<'_>) -> Markup {
    let parts = &class.gradings.parts;
    let one = match parts.len() {
        1 => parts.iter().next(),
        _ => parts.iter().find(|(id, _)| **id == *selection.filter.assignment),
    };
    let tasks: &[Untrusted] = one.map(|(_, parts)| parts.tasks.as_slice()).unwrap_or_default();
    let title = |task| one.map_or(task, |(id, _)| class.gradings.title(id, task));
    let has_groups = class.rows.iter().any(|row| !row.groups.is_empty());
    html! {
        div.scroll tabindex="0" role="region" aria-label="Submissions" {
            table {
                caption { "Submissions with the points that count" }
                thead {
                    tr {
                        th scope="col" { "Submission" }
                        @if one.is_none() { th scope="col" { "Assignment" } }
                        @if has_groups { th scope="col" { "Group" } }
                        th scope="col" { "Points" }
                        @for task in tasks { th.number scope="col" { (title(task)) } }
                        th scope="col" { "State" }
                    }
                }
                tbody {
                    @for row in rows { (table_row(class, row, tasks, (one.is_none(), has_groups))) }
                }
            }
        }
        (pages(selection))
    }
}

fn table_row(
    class: &Class,
    row: &Row,
    tasks: &[Untrusted],
    (has_assignment, has_group): (bool, bool),
) -> Markup {
    let (entry, grading) = (&row.entry, &row.entry.newest);
    let name = &entry.key.submission;
    html! {
        tr {
            th.name scope="row" {
                a href={ "/submission/" (entry.number) } { @if name.is_empty() { "(no name)" } @else { (name) } }
            }
            @if has_assignment { td { (entry.key.assignment) } }
            @if has_group { td { (groups(row)) } }
            td.total {
                @match row.points {
                    Some(got) => (points(got, grading.max_points)),
                    None => "–",
                }
            }
            @for task in tasks {
                td.number {
                    @if let Some(task) = row.task(task, &class.overrides).filter(|_| row.has_grade()) {
                        span.full[task.points == task.max_points].none[task.points == Points::ZERO] { (task.points) }
                    }
                }
            }
            td.state { (state(row)) }
        }
    }
}

fn groups(row: &Row) -> Markup {
    html! { @for (at, group) in row.groups.iter().enumerate() { @if at > 0 { ", " } (group) } }
}

/// Returns what a person should know of a submission.
fn state(row: &Row) -> Markup {
    let unmarked = row.unmarked();
    html! {
        (outcome(row.entry.newest.outcome))
        @if row.entry.record.is_none() { span.badge.no_grade { "record cannot be read" } }
        @if unmarked > 0 { span.badge.todo { (unmarked) " to mark" } }
        @if row.appeals > 0 { span.badge.todo { "appeal" } }
        @if row.overridden > 0 { span.badge { "override" } }
    }
}

fn pages(selection: &Selection<'_>) -> Markup {
    let Selection { filter, page, pages } = selection;
    let link = |page: usize| {
        let page = page.to_string();
        let fields = filter.fields().into_iter().chain([("page", page.as_str())]);
        let query = serde_urlencoded::to_string(fields.collect::<Vec<_>>()).unwrap_or_default();
        format!("/?{query}")
    };
    html! {
        @if *pages > 1 {
            nav.pages aria-label="Pages of the table" {
                @if *page > 1 { a href=(link(page - 1)) rel="prev" { "Previous" } }
                span { "page " (page) " of " (pages) }
                @if page < pages { a href=(link(page + 1)) rel="next" { "Next" } }
            }
        }
    }
}
