//! The log of changes.

use maud::html;

use crate::serve::answer::Answer;
use crate::serve::layout::{Section, page};
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Most entries that are shown: two for each change, and so the changes of some days. The file has all.
const MOST: usize = 500;

/// Shows the log.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let read = visit.shared.audit.last(MOST);
    let (entries, unread) = read.map_err(|error| Problem::broken(&error))?;
    let body = html! {
        h1 { "Log of changes" }
        @if unread > 0 { p.notice { (unread) " lines of the log cannot be read." } }
        div.scroll #live data-live tabindex="0" role="region" aria-label="Log of changes" {
            table {
                caption { "What was asked for on these pages, and what came of it, the newest first" }
                thead { tr {
                    @for head in ["Time", "User", "Change", "Fields", "Outcome"] { th scope="col" { (head) } }
                } }
                tbody {
                    @for entry in &entries {
                        tr {
                            th scope="row" { (entry.at) }
                            td { (entry.user) } td { code { (entry.action) } }
                            td { @for (name, value) in &entry.fields { div { small { (name) ": " } (value) } } }
                            td { (entry.outcome) }
                        }
                    }
                }
            }
        }
    };
    Ok(Answer::Page(page(visit, Section::Log, "Log of changes", &body)))
}
