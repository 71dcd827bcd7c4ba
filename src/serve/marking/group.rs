//! Pages of groups of similar answers, which may be marked together.

use maud::{Markup, html};

use super::assets::marking_page;
use super::choice::{Choice, NewItem, SeenAnswer};
use super::form::fields;
use super::mark_view;
use super::place::{At, Place};
use super::save::{check_second, save};
use crate::marking::{Group, Member, NEAR};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::text::Lines;
use crate::serve::visit::Visit;
use crate::store::NewMarking;

/// Lists the groups of a question.
pub(super) fn list(visit: &Visit<'_>) -> Answered {
    let place = Place::of(visit)?;
    let groups = place.written.groups();
    let body = html! {
        (crumbs(&place))
        h1 { "Similar answers" }
        p {
            "Answers are equal if they differ in white space and case alone, and near if they have at least "
            (NEAR) " % of their sequences of three words in common."
        }
        @if groups.is_empty() { p { "No two answers are equal or near." } }
        @else { div.scroll { table {
            caption { "Groups, the largest first" }
            thead { tr {
                th scope="col" { "First words" } th.number scope="col" { "Answers" }
                th.number scope="col" { "Equal" } th.number scope="col" { "Open" }
            } }
            tbody { @for group in groups { (row(&place, group)) } }
        } } }
    };
    Ok(marking_page(visit, "Similar answers", &body))
}

fn row(place: &Place, group: &Group) -> Markup {
    let members = members(place, group);
    let open = members.iter().filter(|(_, at)| place.is_open(&at.entry)).count();
    let equal = group.members.iter().filter(|member| member.is_equal).count();
    html! {
        @if let Some((first, at)) = members.first() {
            tr {
                th scope="row" { a href={ (place.path()) "/groups/" (first.code) } { (beginning(at)) } }
                td.number { (members.len()) }
                td.number { (equal) }
                td.number { (open) }
            }
        }
    }
}

/// Returns the first words of an answer.
fn beginning(at: &At) -> String {
    let line = at.entry.answer.text.to_string();
    let words: Vec<&str> = line.split_whitespace().take(10).collect();
    if words.is_empty() { "(nothing was handed in)".to_owned() } else { words.join(" ") }
}

/// Shows a group with a form that marks the chosen answers.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let place = Place::of(visit)?;
    let first = place.at(visit)?;
    let group = place.written.group_of(first.code).ok_or(Problem::NotFound)?;
    let question = place.question(&first.entry);
    let members = members(&place, group);
    let body = html! {
        (crumbs(&place))
        h1 { (count(members.len(), "similar answer", "similar answers")) }
        @if !visit.query.text("saved").is_empty() { p role="status" { "Saved." } }
        form.mark method="post" {
            (visit.token_field())
            input type="hidden" name="role" value=(place.role.as_str());
            div.columns {
                section.answer aria-labelledby="members" {
                    h2 #members { "Answers to mark together" }
                    @for (member, at) in &members { (member_field(&place, member, at)) }
                }
                section.give aria-labelledby="give" {
                    h2 #give { "Mark" }
                    (fields(&place, &question, &Choice::of(None)))
                    p.actions {
                        button { "Mark the chosen answers" }
                        button.quiet name="quick" value="none" { "No points" }
                        button.quiet name="quick" value="full" { "Full points" }
                    }
                }
            }
        }
    };
    Ok(marking_page(visit, "Similar answers", &body))
}

fn member_field(place: &Place, member: &Member, at: &At) -> Markup {
    let value = format!("{} {}", member.code, SeenAnswer::now(place, at).write());
    // What is marked already is not marked again unless somebody wants it.
    let is_chosen = member.is_equal && place.is_open(&at.entry);
    html! {
        div.member {
            label {
                input type="checkbox" name="member" value=(value) checked[is_chosen];
                " " (place.name(at)) " "
                small { @if member.is_equal { "equal" } @else { (member.percent) " % in common" } }
            }
            " " (mark_view::state(place, at))
            pre tabindex="0" { (Lines(&at.entry.answer.text)) }
        }
    }
}

/// Gives the chosen answers of a group the same mark, in one transaction.
pub(super) fn mark(visit: &Visit<'_>) -> Answered {
    let place = Place::of(visit)?;
    let first = place.at(visit)?;
    let group = place.written.group_of(first.code).ok_or(Problem::NotFound)?;
    let mut choice = Choice::read(visit.form, &place)?;
    let mut chosen = Vec::new();
    for member in visit.form.all("member") {
        let (code, seen) = member.split_once(' ').ok_or(Problem::NotFound)?;
        let (at, seen) = (place.find(code)?, SeenAnswer::read(seen)?);
        if !group.members.iter().any(|member| member.code == at.code) {
            return Err(Problem::NotFound);
        }
        check_second(visit, &place, &at)?;
        chosen.push((at, seen));
    }
    if chosen.is_empty() {
        return Err(Problem::Invalid("no answer is chosen; nothing was changed".to_owned()));
    }
    if let Some(item) = NewItem::read(visit.form)? {
        choice.items.insert(item.add(visit, &place)?);
    }
    let by = &visit.user().name;
    let markings: Vec<NewMarking> =
        chosen.iter().map(|(at, seen)| choice.marking(&place, (at, seen), by)).collect();
    save(visit, &markings)?;
    let role = place.role.as_str();
    Ok(Answer::SeeOther(format!("{}?role={role}&saved={}", visit.path, markings.len())))
}

fn members<'a>(place: &Place, group: &'a Group) -> Vec<(&'a Member, At)> {
    let at = |member: &'a Member| {
        Some((member, At::new(member.code, place.written.answers.get(&member.code)?)))
    };
    group.members.iter().filter_map(at).collect()
}

fn crumbs(place: &Place) -> Markup {
    html! {
        p.crumbs { a href="/marking" { "Marking" } " › " a href=(place.path()) { (place.written.title) } }
    }
}
