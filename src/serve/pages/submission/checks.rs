//! A task with its checks.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::decisions::{appeal_form, override_form};
use super::evidence::evidence;
use super::kill_matrix::kill_matrix;
use super::subject::Subject;
use crate::model::{CheckRecord, Status, TaskRecord, Visibility};
use crate::serve::access::Role;
use crate::serve::markup::{points, status};
use crate::serve::text::Lines;
use crate::serve::visit::Visit;

/// Returns a task and its checks.
pub(super) fn task(
    visit: &Visit<'_>,
    subject: &Subject,
    place: usize,
    task: &TaskRecord,
) -> Markup {
    html! {
        section aria-labelledby={ "t" (place) } {
            h2.task id={ "t" (place) } {
                span { (title(&task.title, &task.id)) }
                span.total { (points(task.points, task.max_points)) }
            }
            ul.checks {
                @for (at, it) in task.checks.iter().enumerate() {
                    (check(visit, subject, &format!("c{place}-{at}"), it))
                }
            }
        }
    }
}

fn title<'a>(title: &'a Untrusted, id: &'a Untrusted) -> &'a Untrusted {
    if title.is_empty() { id } else { title }
}

fn check(visit: &Visit<'_>, subject: &Subject, anchor: &str, check: &CheckRecord) -> Markup {
    let fails = matches!(check.status, Status::Wrong | Status::Fault);
    html! {
        li.check id=(anchor) {
            div.head {
                (status(check.status))
                span.claim {
                    (title(&check.title, &check.id))
                    @if check.visibility == Visibility::Hidden { " " small { "hidden" } }
                    @if check.overridden.is_some() { " " span.badge { "override" } }
                }
                span.points { (check.points) " " small { "of " (check.max_points) } }
            }
            @if !check.message.is_empty() { p.message { (Lines(&check.message)) } }
            @if fails {
                (evidence(visit, check))
            }
            @if let Some(matrix) = &check.matrix { (kill_matrix(matrix)) }
            @if subject.is_newest() && visit.user().role >= Role::Marker {
                details.decide {
                    summary { "Decide" span.hidden { " about " (check.id) } }
                    @if visit.user().role >= Role::Owner { (override_form(visit, subject, anchor, check)) }
                    (appeal_form(visit, subject, anchor, &check.id))
                }
            }
        }
    }
}
