//! Page of a question: progress, rubric and all answers.

use maud::{Markup, html};

use super::answer::role_note;
use super::assets::marking_page;
use super::context::{ClassAnswer, MarkingContext};
use super::disagreements::disagreements;
use super::mark_view;
use crate::marking::{AnswerCode, Item, next_where};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::markup::csv_error;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::MarkerRole;

/// Shows a question.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let title = context.written.title.to_string();
    Ok(marking_page(visit, &title, &page(visit, &context)))
}

/// Leads to an open answer. Markers begin at different places, so that they rarely meet.
pub(super) fn next_open(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let start = AnswerCode::start_of(&visit.user().name);
    let open = next_where(&context.written.answers, start, |entry| context.is_offered(entry));
    let path = open.map_or_else(|| context.path(""), |code| context.path_of(code));
    Ok(Answer::SeeOther(path))
}

fn page(visit: &Visit<'_>, context: &MarkingContext) -> Markup {
    let (marked, all) = (context.marked(), context.written.answers.len());
    let is_first = context.role == MarkerRole::First;
    let is_offered = context.written.answers.values().any(|entry| context.is_offered(entry));
    html! {
        p.crumbs { a href="/marking" { "Marking" } }
        h1 { (context.written.title) }
        (csv_error(visit, context.snapshot.csv_error.as_deref()))
        (role_note(context))
        p.progress {
            label { progress value=(marked) max=(all) {} " " (marked) " of " (all) " marked" }
        }
        @if marked == all {
            p role="status" { "All answers are marked." }
        } @else if !is_offered {
            p role="status" { "You gave the other mark of all open answers: another person marks them in this role." }
        }
        (actions(context))
        @if is_first { (rubric(context)) }
        (answers(visit, context))
    }
}

fn actions(context: &MarkingContext) -> Markup {
    let to = |page| context.path(page);
    let (groups, disagreements) = (context.written.groups().len(), disagreements(context).len());
    html! {
        ul.actions {
            @if context.may_mark {
                li { a.button href=(to("/next")) { "Mark open answers" } }
                @if context.role == MarkerRole::First {
                    li { a href={ (to("/next")) "?role=second" } { "Mark as second marker" } }
                }
            }
            li { a href=(to("/groups")) { (count(groups, "group", "groups")) " of similar answers" } }
            li { a href=(to("/disagreements")) {
                (count(disagreements, "disagreement", "disagreements"))
            } }
        }
    }
}

fn rubric(context: &MarkingContext) -> Markup {
    let written = &context.written;
    let question =
        context.snapshot.book.question(&written.assignment, &written.id, written.max_points);
    let items: Vec<_> = question.rubric.items().collect();
    let retired: Vec<_> = question.rubric.retired().collect();
    html! {
        section aria-labelledby="rubric" {
            h2 #rubric { "Rubric" }
            @if items.is_empty() {
                p.soft { "There are no items yet; they are added while answers are marked." }
            } @else {
                ol.items { @for item in items { li { (rubric_item(context, item)) } } }
            }
            @if !retired.is_empty() {
                h3 { "Not in use" }
                ul.items { @for item in retired { li { (rubric_item(context, item)) } } }
            }
        }
    }
}

fn rubric_item(context: &MarkingContext, item: &Item) -> Markup {
    let edit = context.path(&format!("/rubric/{}", item.id.number()));
    html! {
        (item.text) " " small { (item.points.to_string()) }
        @if context.may_mark { " " a href=(edit) { "Edit" span.hidden { " " (item.text) } } }
    }
}

fn answers(visit: &Visit<'_>, context: &MarkingContext) -> Markup {
    let only_open = visit.query.text("show") == "open";
    let shown = context.written.answers.iter().enumerate();
    let shown = shown.filter(|(_, (_, entry))| !only_open || context.is_open(entry));
    html! {
        section aria-labelledby="answers" {
            h2 #answers { "Answers" }
            p {
                @if only_open { a href=(context.path("")) { "Show all answers" } }
                @else { a href={ "?role=" (context.role.as_str()) "&show=open" } { "Show open answers only" } }
            }
            div.scroll { table {
                caption { "Answers in the order of marking" }
                thead { tr {
                    th scope="col" { "Answer" } th.number scope="col" { "Words" } th scope="col" { "Mark" }
                } }
                tbody { @for (place_in_order, (code, entry)) in shown {
                    @let at = ClassAnswer::new(*code, entry);
                    tr {
                        th scope="row" { a href=(context.path_of(*code)) {
                            (place_in_order + 1)
                            @if !context.is_anonymous { ": " (entry.submission) }
                        } }
                        td.number { (entry.words) }
                        td { (mark_view::state(context, &at)) }
                    }
                } }
            } }
        }
    }
}
