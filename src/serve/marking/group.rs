//! Pages of groups of similar answers, which may be marked together.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::assets::marking_page;
use super::choice::{Choice, NewItem, SeenAnswer};
use super::context::{ClassAnswer, MarkingContext};
use super::form::{fields, role_field};
use super::mark_view;
use super::save::{check_may_mark, save};
use crate::marking::{Group, Member, NEAR_PERCENT, first_words};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::text::Lines;
use crate::serve::visit::Visit;
use crate::store::NewMarking;

/// Words of an answer in the list of groups: about 60 characters, which fit in a line beside three columns of numbers.
const FIRST_WORDS: usize = 10;

/// Lists the groups of a question.
pub(super) fn list(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let groups = context.written.groups();
    let body = html! {
        (crumbs(&context))
        h1 { "Similar answers" }
        p {
            "Answers are equal if they differ in white space and case alone, and near if they have at least "
            (NEAR_PERCENT) " % of their sequences of three words in common."
        }
        @if groups.is_empty() { p { "No two answers are equal or near." } }
        @else { div.scroll { table {
            caption { "Groups, the largest first" }
            thead { tr {
                th scope="col" { "First words" } th.number scope="col" { "Answers" }
                th.number scope="col" { "Equal" } th.number scope="col" { "Open" }
            } }
            tbody { @for group in groups { (row(&context, group)) } }
        } } }
    };
    Ok(marking_page(visit, "Similar answers", &body))
}

fn row(context: &MarkingContext, group: &Group) -> Markup {
    let members = members(context, group);
    let open = members.iter().filter(|(_, at)| context.is_open(&at.entry)).count();
    let equal = group.members.iter().filter(|member| member.is_equal).count();
    html! {
        @if let Some((first, at)) = members.first() {
            tr {
                th scope="row" { a href=(context.path(&format!("/groups/{}", first.code))) { (beginning(at)) } }
                td.number { (members.len()) }
                td.number { (equal) }
                td.number { (open) }
            }
        }
    }
}

/// Returns the first words of an answer.
fn beginning(at: &ClassAnswer) -> Untrusted {
    let words = first_words(&at.entry.answer.text, FIRST_WORDS);
    if words.is_empty() { "(nothing was handed in)".into() } else { words }
}

/// Shows a group with a form that marks the chosen answers.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let first = context.at(visit)?;
    let group = context.written.group_of(first.code).ok_or(Problem::NotFound)?;
    let question = context.question(&first.entry);
    let members = members(&context, group);
    let body = html! {
        (crumbs(&context))
        h1 { (count(members.len(), "similar answer", "similar answers")) }
        @if !visit.query.text("saved").is_empty() { p role="status" { "Saved." } }
        form.mark method="post" {
            (visit.token_field())
            (role_field(&context))
            div.columns {
                section.answer aria-labelledby="members" {
                    h2 #members { "Answers to mark together" }
                    @for (member, at) in &members { (member_field(&context, member, at)) }
                }
                section.give aria-labelledby="give" {
                    h2 #give { "Mark" }
                    (fields(&context, &question, &Choice::of(None)))
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

fn member_field(context: &MarkingContext, member: &Member, at: &ClassAnswer) -> Markup {
    let value = format!("{} {}", member.code, SeenAnswer::now(context, at).write());
    // What is marked already is not marked again unless somebody wants it.
    let is_chosen = member.is_equal && context.is_offered(&at.entry);
    html! {
        div.member {
            label {
                input type="checkbox" name="member" value=(value) checked[is_chosen];
                " " (context.name(at)) " "
                small { @if member.is_equal { "equal" } @else { (member.percent) " % in common" } }
            }
            " " (mark_view::state(context, at))
            pre tabindex="0" { (Lines(&at.entry.answer.text)) }
        }
    }
}

/// Gives the chosen answers of a group the same mark, in one transaction.
pub(super) fn mark(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let first = context.at(visit)?;
    let group = context.written.group_of(first.code).ok_or(Problem::NotFound)?;
    let mut choice = Choice::read(visit.form, &context)?;
    let mut chosen = Vec::new();
    for member in visit.form.all("member") {
        let (code, seen) = member.split_once(' ').ok_or(Problem::NotFound)?;
        let (at, seen) = (context.find(code)?, SeenAnswer::read(seen)?);
        if !group.members.iter().any(|member| member.code == at.code) {
            return Err(Problem::NotFound);
        }
        check_may_mark(&context, &at)?;
        chosen.push((at, seen));
    }
    if chosen.is_empty() {
        return Err(Problem::Invalid("no answer is chosen; nothing was changed".to_owned()));
    }
    if let Some(item) = NewItem::read(visit.form)? {
        choice.items.insert(item.add(visit, &context)?);
    }
    let by = &visit.user().name;
    let markings: Vec<NewMarking> =
        chosen.iter().map(|(at, seen)| choice.marking(&context, (at, seen), by)).collect();
    save(visit, &markings)?;
    let role = context.role.as_str();
    Ok(Answer::SeeOther(format!("{}?role={role}&saved={}", visit.path, markings.len())))
}

fn members<'a>(context: &MarkingContext, group: &'a Group) -> Vec<(&'a Member, ClassAnswer)> {
    let at = |member: &'a Member| {
        Some((member, ClassAnswer::new(member.code, context.written.answers.get(&member.code)?)))
    };
    group.members.iter().filter_map(at).collect()
}

fn crumbs(context: &MarkingContext) -> Markup {
    html! {
        p.crumbs { a href="/marking" { "Marking" } " › " a href=(context.path("")) { (context.written.title) } }
    }
}
