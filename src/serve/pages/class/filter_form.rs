//! The form of the filters.

use std::collections::{BTreeMap, BTreeSet};

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

/// Assignment, and what its submissions have.
type OfAssignment<'a> = (&'a Untrusted, &'a Parts);

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
    let chosen: Vec<OfAssignment<'_>> = chosen.collect();
    let mut mistakes: Vec<&Untrusted> = chosen.iter().flat_map(|(_, it)| &it.mistakes).collect();
    let mut groups: Vec<&Untrusted> = class.rows.iter().flat_map(|row| &row.groups).collect();
    for ids in [&mut mistakes, &mut groups] {
        ids.sort();
        ids.dedup();
    }
    let statuses =
        STATUSES.map(|it| Choice { value: it.as_str(), shown: status_words(it).to_owned() });
    let outcomes =
        OUTCOMES.map(|it| Choice { value: it.as_str(), shown: outcome_words(it).to_owned() });
    let needs = [(Needs::Marking, "marking"), (Needs::Answer, "an answer to an appeal")];
    let needs = needs.map(|(it, shown)| Choice { value: it.as_str(), shown: shown.to_owned() });
    html! {
        form.filters method="get" action="/" role="search" aria-label="Filter submissions" {
            @if parts.len() > 1 {
                (select("assignment", "Assignment", &filter.assignment, &named(parts.keys())))
            }
            div {
                label for="f-name" { "Name" }
                input #f-name name="name" type="search" value=(Untrusted::from(filter.name.as_str()));
            }
            (select("task", "Points lost in task", &filter.task, &titled(class, &chosen, |it| &it.tasks)))
            (select("check", "Check not passed", &filter.check, &titled(class, &chosen, |it| &it.checks)))
            (select("status", "Result of a check", filter.status.map_or("", Status::as_str), &statuses))
            (select("mistake", "Mistake", &filter.mistake, &named(mistakes.into_iter())))
            (select("outcome", "Outcome", filter.outcome.map_or("", RecordOutcome::as_str), &outcomes))
            @if !groups.is_empty() {
                (select("group", "Group", &filter.group, &named(groups.into_iter())))
            }
            (select("needs", "Needs", filter.needs.as_str(), &needs))
            div.buttons {
                button { "Filter" }
                a href="/" { "Show all" }
            }
        }
    }
}

/// Returns the choices of ids. An id that does not print as it is cannot be chosen: no check and no mistake of a course has one.
fn named<'a>(ids: impl Iterator<Item = &'a Untrusted>) -> Vec<Choice<'a>> {
    let ids = ids.filter(|id| prints_as_it_is(id));
    ids.map(|id| Choice { value: id.as_raw(), shown: id.to_string() }).collect()
}

/// Returns the choices of tasks or checks with their titles, each id once: assignments may have the same one under different titles.
fn titled<'a>(
    class: &Class,
    chosen: &[OfAssignment<'a>],
    ids: impl Fn(&'a Parts) -> &'a [Untrusted],
) -> Vec<Choice<'a>> {
    let mut all: Vec<&'a Untrusted> = Vec::new();
    let mut titles: BTreeMap<&'a Untrusted, BTreeSet<String>> = BTreeMap::new();
    for &(assignment, parts) in chosen {
        for id in ids(parts).iter().filter(|id| prints_as_it_is(id)) {
            let title = class.gradings.title(assignment, id);
            let of_id = titles.entry(id).or_default();
            of_id.extend((title != id).then(|| title.to_string()));
            if !all.contains(&id) {
                all.push(id);
            }
        }
    }
    let shown = |id: &Untrusted| match titles.get(id).filter(|titles| !titles.is_empty()) {
        Some(titles) => {
            let titles: Vec<String> = titles.iter().cloned().collect();
            format!("{id}: {}", titles.join(" / "))
        }
        None => id.to_string(),
    };
    all.into_iter().map(|id| Choice { value: id.as_raw(), shown: shown(id) }).collect()
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
