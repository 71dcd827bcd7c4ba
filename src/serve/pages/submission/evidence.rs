//! Evidence of a failed check.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::heat_map::{self, heat_map};
use crate::model::CheckRecord;
use crate::report::evidence_rows;
use crate::report::text::number;
use crate::serve::text::Lines;
use crate::serve::visit::Visit;

/// Rows of the evidence that stand in a table of their own.
const IN_TABLE: [&str; 5] = ["inputs", "where", "got", "expected", "allowed"];

/// Returns the case, the inputs, the values, the mistake and the command that runs the check again.
pub(super) fn evidence(visit: &Visit<'_>, check: &CheckRecord) -> Markup {
    let rows = evidence_rows(check);
    html! {
        div.evidence {
            (values(check))
            @if let Some(maps) = compared(check) { div.maps { (maps) } }
            div.maps { @for (name, text) in &check.evidence.inputs { (input(name, text)) } }
            dl.pairs {
                dt { "check" } dd { code { (check.id) } }
                @for (label, lines) in rows.iter().filter(|(label, _)| !IN_TABLE.contains(label)) {
                    dt { (label) } dd { @for line in lines { code { (line) } br; } }
                }
                @if let Some(id) = &check.mistake {
                    dt { "mistake" } dd { (mistake(visit, id)) }
                }
                @if let Some(replay) = &check.replay {
                    dt { "replay" } dd { code.replay { (replay) } }
                }
            }
        }
    }
}

/// Returns the value that was got, the expected one, and their difference.
fn values(check: &CheckRecord) -> Markup {
    let evidence = &check.evidence;
    let (got, expected) = (evidence.got, evidence.expected);
    let difference = got.zip(expected).map(|(got, expected)| got - expected);
    let index = evidence.index.as_ref().map(|index| format!("{index:?}")).unwrap_or_default();
    html! {
        @if got.is_some() || expected.is_some() {
            div.scroll tabindex="0" role="region" aria-label={ "Numbers of " (check.id) } {
                table.values {
                    caption { "Where it differs: " code { @if let Some(output) = &evidence.output { (output) } (index) } }
                    thead { tr {
                        th scope="col" { "got" } th scope="col" { "expected" }
                        th scope="col" { "difference" } th scope="col" { "allowed" }
                    } }
                    tbody { tr {
                        td.got { @if let Some(it) = got { (number(it)) } }
                        td { @if let Some(it) = expected { (number(it)) } }
                        td { @if let Some(it) = difference { (number(it)) } }
                        td { @if let Some(it) = evidence.allowed { "± " (number(it)) } }
                    } }
                }
            }
        } @else if evidence.output.is_some() || evidence.index.is_some() {
            p { "Where it differs: " code { @if let Some(output) = &evidence.output { (output) } (index) } }
        }
    }
}

/// Returns the whole output beside the expected one, if the record has them.
fn compared(check: &CheckRecord) -> Option<Markup> {
    let evidence = &check.evidence;
    heat_map::compared(evidence.compared.as_ref()?, evidence.index.as_deref())
}

/// Returns an input, as heat maps if it is an array of numbers.
fn input(name: &Untrusted, text: &Untrusted) -> Markup {
    html! {
        @match heat_map(name, text) {
            Some(map) => (map),
            None => { dl.pairs { dt { (name) } dd { code { (Lines(text)) } } } },
        }
    }
}

/// Returns the id of a mistake, and what is known of it.
fn mistake(visit: &Visit<'_>, id: &Untrusted) -> Markup {
    let known = visit.shared.config.catalog.mistake(id.as_raw());
    html! {
        code.mistake { (id) }
        @if let Some(known) = known {
            " " (known.summary)
            details {
                summary { "What students are told" span.hidden { " about " (id) } }
                pre { (known.page) }
            }
        }
    }
}
