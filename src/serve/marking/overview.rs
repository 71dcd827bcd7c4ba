//! Page of a question: progress, rubric and all answers.

use maud::{Markup, html};

use super::assets::marking_page;
use super::disagreements::disagreements;
use super::mark_view;
use super::place::{At, Place};
use crate::marking::{AnswerCode, next_where};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::MarkerRole;

/// Shows a question.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let place = Place::of(visit)?;
    let title = place.written.title.to_string();
    Ok(marking_page(visit, &title, &page(visit, &place)))
}

/// Leads to an open answer. Markers begin at different places, so that they rarely meet.
pub(super) fn next_open(visit: &Visit<'_>) -> Answered {
    let place = Place::of(visit)?;
    let start = AnswerCode::start_of(&visit.user().name);
    let open = next_where(&place.written.answers, start, |entry| place.is_open(entry));
    let path = open.map_or_else(|| place.path(), |code| place.path_of(code));
    Ok(Answer::SeeOther(path))
}

fn page(visit: &Visit<'_>, place: &Place) -> Markup {
    let (marked, all) = (place.marked(), place.written.answers.len());
    let is_first = place.role == MarkerRole::First;
    html! {
        p.crumbs { a href="/marking" { "Marking" } }
        h1 { (place.written.title) }
        p.progress {
            label { progress value=(marked) max=(all) {} " " (marked) " of " (all) " marked" }
        }
        @if marked == all { p role="status" { "All answers are marked." } }
        (actions(place))
        @if is_first { (rubric(place)) }
        (answers(visit, place))
    }
}

fn actions(place: &Place) -> Markup {
    let path = place.path();
    let (groups, disagreements) = (place.written.groups().len(), disagreements(place).len());
    html! {
        ul.actions {
            @if place.may_mark {
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

fn rubric(place: &Place) -> Markup {
    let written = &place.written;
    let question =
        place.snapshot.book.question(&written.assignment, &written.id, written.max_points);
    let items: Vec<_> = question.rubric.items().collect();
    html! {
        section aria-labelledby="rubric" {
            h2 #rubric { "Rubric" }
            @if items.is_empty() {
                p.soft { "There are no items yet; they are added while answers are marked." }
            } @else {
                ol.items { @for item in items {
                    @let edit = format!("{}/rubric/{}", place.path(), item.id.number());
                    li {
                        (item.text) " " small { (item.points.to_string()) }
                        @if place.may_mark { " " a href=(edit) { "Edit" span.hidden { " " (item.text) } } }
                    }
                } }
            }
        }
    }
}

fn answers(visit: &Visit<'_>, place: &Place) -> Markup {
    let only_open = visit.query.text("show") == "open";
    let shown = place.written.answers.iter().enumerate();
    let shown = shown.filter(|(_, (_, entry))| !only_open || place.is_open(entry));
    html! {
        section aria-labelledby="answers" {
            h2 #answers { "Answers" }
            p {
                @if only_open { a href=(place.path()) { "Show all answers" } }
                @else { a href="?show=open" { "Show open answers only" } }
            }
            div.scroll { table {
                caption { "Answers in the order of marking" }
                thead { tr {
                    th scope="col" { "Answer" } th.number scope="col" { "Words" } th scope="col" { "Mark" }
                } }
                tbody { @for (place_in_order, (code, entry)) in shown {
                    @let at = At::new(*code, entry);
                    tr {
                        th scope="row" { a href=(place.path_of(*code)) {
                            (place_in_order + 1)
                            @if !place.is_anonymous { ": " (entry.submission) }
                        } }
                        td.number { (entry.words) }
                        td { (mark_view::state(place, &at)) }
                    }
                } }
            } }
        }
    }
}
