//! Decisions of people: open and closed appeals, and overrides that hold.

use maud::{Markup, html};

use super::submission::steps;
use crate::ledger::appeals::{Thread, subject};
use crate::serve::answer::Answer;
use crate::serve::class::{Class, SubmissionKey};
use crate::serve::layout::{Section, page};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::Override;

/// Most closed appeals that are listed: those of a term of a large class. `grade appeal list --all` lists all.
const MOST_CLOSED: usize = 200;

/// Shows appeals and overrides.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let class = visit.shared.class()?;
    let open: Vec<&Thread> = class.appeals.iter().filter(|it| it.is_open()).collect();
    let closed = class.appeals.iter().rev().filter(|it| !it.is_open()).take(MOST_CLOSED);
    let closed: Vec<&Thread> = closed.collect();
    let body = html! {
        h1 { "Appeals and overrides" }
        div #live data-live {
            (appeals(&class, "Open appeals", &open))
            (overrides(&class, &class.overrides.in_force()))
            @if !closed.is_empty() { (appeals(&class, "Closed appeals", &closed)) }
        }
    };
    Ok(Answer::Page(page(visit, Section::Decisions, "Appeals and overrides", &body)))
}

fn appeals(class: &Class, title: &str, threads: &[&Thread]) -> Markup {
    html! {
        section {
            h2 { (title) " (" (threads.len()) ")" }
            @for thread in threads {
                @if let Some(first) = thread.first() {
                    @let key = SubmissionKey { submission: first.submission.clone(), assignment: first.assignment.clone() };
                    article.card {
                        h3 { (link(class, &key, if first.check.is_empty() { "/history" } else { "" })) ": " (subject(&first.check)) }
                        (steps(thread))
                    }
                }
            }
        }
    }
}

fn overrides(class: &Class, held: &[&Override]) -> Markup {
    html! {
        section {
            h2 { "Overrides that hold (" (held.len()) ")" }
            @if !held.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Overrides" {
                    table {
                        caption { "Points that a person decided" }
                        thead { tr {
                            @for head in ["Submission", "Check", "Points", "Reason", "By", "Time"] { th scope="col" { (head) } }
                        } }
                        tbody {
                            @for given in held {
                                @let key = SubmissionKey { submission: given.submission.clone(), assignment: given.assignment.clone() };
                                tr {
                                    th scope="row" { (link(class, &key, "")) }
                                    td { code { (given.check) } }
                                    td.number { @if let Some(points) = given.points { (points) } }
                                    td { (given.reason) } td { (given.by) } td { (given.given_at) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn link(class: &Class, key: &SubmissionKey, page: &str) -> Markup {
    html! {
        @match class.number(key) {
            Some(number) => { a href={ "/submission/" (number) (page) } { (key.submission) } },
            None => (key.submission),
        }
    }
}
