//! History of a submission: gradings, decisions, marks and appeals.

use maud::{Markup, html};

use super::decisions::appeal_form;
use super::frame::{Tab, frame};
use super::subject::Subject;
use crate::ledger::words;
use crate::ledger::{Event, LedgerReader, Logged};
use crate::serve::access::Role;
use crate::serve::answer::Answer;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Shows the history.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let bases = visit.shared.bases()?;
    let history = visit.shared.stores.with(|store| {
        let runs = store.runs()?;
        let reader = LedgerReader { store, runs: &runs };
        let history = reader.history(&subject.record.submission, &subject.class.marks, &bases);
        history.map_err(|error| Problem::broken(&error))
    })?;
    let events = history.map(|history| history.events).unwrap_or_default();
    let body = html! {
        section {
            h2 { "History" }
            div.scroll tabindex="0" role="region" aria-label="History" {
                table {
                    caption { "What happened, the earliest first" }
                    thead { tr {
                        th scope="col" { "Time" } th.number scope="col" { "Points" }
                        th.number scope="col" { "Change" } th scope="col" { "What" }
                    } }
                    tbody { @for logged in &events { (event(logged)) } }
                }
            }
        }
        @if visit.user().role >= Role::Marker {
            section {
                h2 { "Appeal about the whole grade" }
                (appeal_form(visit, &subject, "grade", &softmark_untrusted::Untrusted::EMPTY))
            }
        }
    };
    Ok(Answer::Page(frame(visit, &subject, Tab::History, &body)))
}

fn event(logged: &Logged) -> Markup {
    html! {
        tr {
            th scope="row" { (logged.at) }
            td.number { (words::points(logged)) }
            td.number { (words::delta(logged)) }
            td {
                (words::event(&logged.event))
                @if let Some(details) = words::details(&logged.event) { div { small { (details) } } }
                @if let Event::Grading { change: Some(change), .. } = &logged.event {
                    ul.moves {
                        @for check in &change.checks {
                            li { strong { (check.delta()) } " " code { (check.check) } " " small { (words::check(check)) } }
                        }
                    }
                }
            }
        }
    }
}
