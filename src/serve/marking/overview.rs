//! Page of a question: progress, rubric and all answers.

use maud::{Markup, html};

use super::assets::marking_page;
use super::context::{ClassAnswer, MarkingContext};
use super::disagreements::disagreements;
use super::mark_view;
use crate::marking::{AnswerCode, next_where};
use crate::report::text::count;
use crate::serve::answer::Answer;
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
    let open = next_where(&context.written.answers, start, |entry| context.is_open(entry));
    let path = open.map_or_else(|| context.path(), |code| context.path_of(code));
    Ok(Answer::SeeOther(path))
}

fn page(visit: &Visit<'_>, context: &MarkingContext) -> Markup {
    let (marked, all) = (context.marked(), context.written.answers.len());
    let is_first = context.role == MarkerRole::First;
    html! {
        p.crumbs { a href="/marking" { "Marking" } }
        h1 { (context.written.title) }
        p.progress {
            label { progress value=(marked) max=(all) {} " " (marked) " of " (all) " marked" }
        }
        @if marked == all { p role="status" { "All answers are marked." } }
        (actions(context))
        @if is_first { (rubric(context)) }
        (answers(visit, context))
    }
}

fn actions(context: &MarkingContext) -> Markup {
    let path = context.path();
    let (groups, disagreements) = (context.written.groups().len(), disagreements(context).len());
    html! {
        ul.actions {
            @if context.may_mark {
                li { a.button href={ (path) "/next" } { "Mark open answers" } }
                li { a href={ (path) "/next?role=second" } { "Mark as second marker" } }
            }
            li { a href={ (path) "/groups" } { (count(groups, "group", "groups")) " of similar answers" } }
            li { a href={ (path) "/disagreements" } {
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
    html! {
        section aria-labelledby="rubric" {
            h2 #rubric { "Rubric" }
            @if items.is_empty() {
                p.soft { "There are no items yet; they are added while answers are marked." }
            } @else {
                ol.items { @for item in items {
                    @let edit = format!("{}/rubric/{}", context.path(), item.id.number());
                    li {
                        (item.text) " " small { (item.points.to_string()) }
                        @if context.may_mark { " " a href=(edit) { "Edit" span.hidden { " " (item.text) } } }
                    }
                } }
            }
        }
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
                @if only_open { a href=(context.path()) { "Show all answers" } }
                @else { a href="?show=open" { "Show open answers only" } }
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
