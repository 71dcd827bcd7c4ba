//! Changes since the last grading: the difference of the last two runs, and the list of runs.

use maud::{Markup, html};

use crate::ledger::{Diff, Entry, words};
use crate::model::Points;
use crate::report::outcome_words;
use crate::serve::answer::Answer;
use crate::serve::class::{Class, SubmissionKey};
use crate::serve::layout::{Section, page};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::SavedRun;

/// Most submissions that are listed: as many as a page of the class. `grade diff` lists all.
const MOST: usize = 100;

/// Shows the changes.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let class = visit.shared.class()?;
    let runs = visit.shared.stores.with(|store| Ok(store.runs()?))?;
    let diff = visit.shared.last_change()?;
    let body = html! {
        h1 { "Changes since the last grading" }
        div #live data-live {
            @match diff.as_ref() {
                Some(diff) => (difference(&class, diff)),
                None => { p { "There was one grading only." } },
            }
            (list(&runs))
        }
    };
    Ok(Answer::Page(page(visit, Section::Changes, "Changes", &body)))
}

fn difference(class: &Class, diff: &Diff) -> Markup {
    let more = diff.entries.len().saturating_sub(MOST);
    html! {
        section {
            h2 { (diff.before) " → " (diff.after) }
            section.figures {
                dl {
                    div { dt { "lost points" } dd { (diff.lost()) } }
                    div { dt { "gained points" } dd { (diff.gains()) } }
                    div { dt { "unchanged" } dd { (diff.unchanged) } }
                    div { dt { "new" } dd { (diff.only_after.len()) } }
                }
            }
            @if !diff.entries.is_empty() {
                div.scroll tabindex="0" role="region" aria-label="Submissions that moved" {
                    table {
                        caption { "Submissions that moved, the largest losses first" }
                        thead { tr {
                            th scope="col" { "Submission" } th.number scope="col" { "Before" }
                            th.number scope="col" { "After" } th.number scope="col" { "Change" } th scope="col" { "Why" }
                        } }
                        tbody { @for entry in diff.entries.iter().take(MOST) { (row(class, entry)) } }
                    }
                }
                @if more > 0 { p.soft { "… and " (more) " more: " code { "grade diff" } " lists all" } }
            }
        }
        (by_check(diff))
    }
}

fn row(class: &Class, entry: &Entry) -> Markup {
    let points =
        |points: Option<Points>| points.map_or_else(|| "–".to_owned(), |it| it.to_string());
    let (submission, assignment) = (entry.submission.clone(), entry.assignment.clone());
    let number = class.number(&SubmissionKey { submission, assignment });
    html! {
        tr {
            th scope="row" {
                @match number {
                    Some(number) => { a href={ "/submission/" (number) } { (entry.submission) } },
                    None => (entry.submission),
                }
                div { small { (entry.assignment) } }
            }
            td.number { (points(entry.before)) }
            td.number { (points(entry.after)) }
            td.number { @match entry.delta() { Some(delta) => (delta), None => "–" } }
            td {
                @if entry.outcome_before != entry.outcome_after {
                    div { (outcome_words(entry.outcome_before)) " → " (outcome_words(entry.outcome_after)) }
                }
                (entry.change.words())
                ul.moves {
                    @for check in &entry.change.checks {
                        li { strong { (check.delta()) } " " code { (check.check) } " " small { (words::check(check)) } }
                    }
                }
            }
        }
    }
}

fn by_check(diff: &Diff) -> Markup {
    html! {
        @if !diff.checks.is_empty() {
            section {
                h2 { "By check" }
                div.scroll tabindex="0" role="region" aria-label="By check" {
                    table {
                        caption { "Number of submissions that a check moved" }
                        thead { tr {
                            th scope="col" { "Check" } th.number scope="col" { "Gained" }
                            th.number scope="col" { "Lost" } th.number scope="col" { "Points" }
                        } }
                        tbody {
                            @for (check, total) in &diff.checks {
                                tr {
                                    th scope="row" { code { (check) } }
                                    td.number { (total.gained) } td.number { (total.lost) } td.number { (total.sum) }
                                }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn list(runs: &[SavedRun]) -> Markup {
    html! {
        section {
            h2 { "Runs" }
            div.scroll tabindex="0" role="region" aria-label="Runs" {
                table {
                    caption { "All gradings, the newest first" }
                    thead { tr {
                        @for head in ["Run", "Started", "Submissions", "Grader", "Seed", "Device", "Isolation"] { th scope="col" { (head) } }
                    } }
                    tbody {
                        @for run in runs.iter().rev() {
                            tr {
                                th scope="row" { (run.id) }
                                td { (run.started_at) } td { (run.submissions) } td { (run.grader.version) }
                                td { @if let Some(seed) = run.grader.seed { (seed) } }
                                td { (run.grader.device) } td { (run.grader.sandbox) }
                            }
                        }
                    }
                }
            }
        }
    }
}
