//! The form of the filters.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::filter::{Filter, Needs};
use crate::model::{RecordOutcome, Status};
use crate::report::{outcome_words, status_words};
use crate::serve::class::{Class, Parts};

/// Choice in a list: its value, and what is shown.
struct Choice<'a> {
    value: &'a str,
    shown: String,
}

/// Results of checks, as filters have them.
const STATUSES: [Status; 5] =
    [Status::Pass, Status::Wrong, Status::NotImplemented, Status::Fault, Status::Blocked];

/// Outcomes.
const OUTCOMES: [RecordOutcome; 4] = [
    RecordOutcome::Graded,
    RecordOutcome::BuildFailed,
    RecordOutcome::Rejected,
    RecordOutcome::NoGrade,
];

/// Returns the form.
pub(super) fn filter_form(class: &Class, filter: &Filter) -> Markup {
    let parts = &class.gradings.parts;
    let chosen =
        parts.iter().filter(|(id, _)| filter.assignment.is_empty() || **id == *filter.assignment);
    let chosen: Vec<&Parts> = chosen.map(|(_, parts)| parts).collect();
    let mut mistakes: Vec<&Untrusted> = chosen.iter().flat_map(|it| &it.mistakes).collect();
    let mut groups: Vec<&Untrusted> = class.rows.iter().map(|row| &row.group).collect();
    for ids in [&mut mistakes, &mut groups] {
        ids.sort();
        ids.dedup();
    }
    let titled = |id: &Untrusted| match class.gradings.titles.get(id) {
        Some(title) if !title.is_empty() => format!("{id}: {title}"),
        Some(_) | None => id.to_string(),
    };
    let statuses =
        STATUSES.map(|it| Choice { value: it.as_str(), shown: status_words(it).to_owned() });
    let outcomes =
        OUTCOMES.map(|it| Choice { value: it.as_str(), shown: outcome_words(it).to_owned() });
    let needs = [(Needs::Marking, "marking"), (Needs::Answer, "an answer to an appeal")];
    let needs = needs.map(|(it, shown)| Choice { value: it.as_str(), shown: shown.to_owned() });
    html! {
        form.filters method="get" action="/" role="search" aria-label="Filter submissions" {
            @if parts.len() > 1 {
                (select("assignment", "Assignment", &filter.assignment, &named(parts.keys(), &plain)))
            }
            div {
                label for="f-name" { "Name" }
                input #f-name name="name" type="search" value=(Untrusted::from(filter.name.as_str()));
            }
            (select("task", "Points lost in task", &filter.task, &named(chosen.iter().flat_map(|it| &it.tasks), &titled)))
            (select("check", "Check not passed", &filter.check, &named(chosen.iter().flat_map(|it| &it.checks), &titled)))
            (select("status", "Result of a check", filter.status.map_or("", Status::as_str), &statuses))
            (select("mistake", "Mistake", &filter.mistake, &named(mistakes.into_iter(), &plain)))
            (select("outcome", "Outcome", filter.outcome.map_or("", RecordOutcome::as_str), &outcomes))
            @if groups.iter().any(|group| !group.is_empty()) {
                (select("group", "Group", &filter.group, &named(groups.into_iter().filter(|it| !it.is_empty()), &plain)))
            }
            (select("needs", "Needs", filter.needs.as_str(), &needs))
            div.buttons {
                button { "Filter" }
                a href="/" { "Show all" }
            }
        }
    }
}

fn plain(id: &Untrusted) -> String {
    id.to_string()
}

/// Returns the choices of ids. An id that does not print as it is cannot be chosen: no check and no mistake of a course has one.
fn named<'a>(
    ids: impl Iterator<Item = &'a Untrusted>,
    shown: &dyn Fn(&Untrusted) -> String,
) -> Vec<Choice<'a>> {
    let ids = ids.filter(|id| prints_as_it_is(id));
    ids.map(|id| Choice { value: id.as_raw(), shown: shown(id) }).collect()
}

/// True if nothing of an id is escaped when it is printed.
fn prints_as_it_is(id: &Untrusted) -> bool {
    !id.as_raw().chars().any(softmark_untrusted::is_unprintable)
}

fn select(name: &str, label: &str, current: &str, choices: &[Choice<'_>]) -> Markup {
    let id = format!("f-{name}");
    html! {
        div {
            label for=(id) { (label) }
            select id=(id) name=(name) {
                option value="" { "any" }
                @for choice in choices {
                    option value=(choice.value) selected[choice.value == current] { (choice.shown) }
                }
            }
        }
    }
}
