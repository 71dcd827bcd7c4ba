//! Attempts: all gradings of a submission, and how the newest differs from the one before.

use std::collections::BTreeSet;

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::frame::{Tab, frame};
use super::subject::Subject;
use crate::model::RecordOutcome;
use crate::serve::answer::Answer;
use crate::serve::code::{Code, CodeFile, Difference, Wanted, difference};
use crate::serve::markup::outcome;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::Grading;

/// Shows the attempts.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let gradings = subject.gradings();
    let at = gradings.iter().position(|it| it.id == subject.id);
    let earlier = at.and_then(|at| gradings.get(..at)).unwrap_or_default();
    let is_other = |it: &&&std::sync::Arc<Grading>| it.sha256 != subject.record.sha256;
    let before = earlier.iter().rev().find(is_other).map(AsRef::as_ref);
    let body = html! {
        (list(&subject, &gradings))
        @if let Some(before) = before { (changes(visit, &subject, before)?) }
    };
    Ok(Answer::Page(frame(visit, &subject, Tab::Attempts, &body)))
}

fn list(subject: &Subject, gradings: &[&std::sync::Arc<Grading>]) -> Markup {
    let mut versions: Vec<&Untrusted> = Vec::new();
    for grading in gradings {
        if !versions.contains(&&grading.sha256) {
            versions.push(&grading.sha256);
        }
    }
    html! {
        section {
            h2 { "Gradings" }
            div.scroll tabindex="0" role="region" aria-label="Gradings" {
                table {
                    caption { "All gradings, the oldest first; a version is what was handed in" }
                    thead { tr {
                        th scope="col" { "Run" } th scope="col" { "Version" } th.number scope="col" { "Points" }
                        th scope="col" { "Outcome" } th scope="col" { "Files" }
                    } }
                    tbody {
                        @for grading in gradings {
                            tr {
                                th scope="row" {
                                    a href={ (subject.path("")) "?attempt=" (grading.id) } { "run " (grading.run) }
                                    @if grading.id == subject.id { " " small { "shown" } }
                                }
                                td { (version(&versions, &grading.sha256)) }
                                td.number { (points(grading)) }
                                td { @if grading.outcome == RecordOutcome::Graded { "graded" } @else { (outcome(grading.outcome)) } }
                                td { a href={ (subject.path("/attempts")) "?attempt=" (grading.id) } { "changes" span.hidden { " before run " (grading.run) } } }
                            }
                        }
                    }
                }
            }
        }
    }
}

fn version(versions: &[&Untrusted], sha256: &Untrusted) -> usize {
    versions.iter().position(|it| *it == sha256).map_or(0, |at| at + 1)
}

fn points(grading: &Grading) -> String {
    if grading.outcome == RecordOutcome::NoGrade {
        return "–".to_owned();
    }
    format!("{} of {}", grading.points, grading.max_points)
}

/// Returns the difference of the files of an attempt and of the version before it.
fn changes(visit: &Visit<'_>, subject: &Subject, before: &Grading) -> Result<Markup, Problem> {
    let wanted = Wanted {
        run: before.run,
        submission: &before.submission,
        assignment: &subject.record.assignment,
        sha256: &before.sha256,
    };
    let (old, new) = (visit.shared.code(&wanted)?, super::code::read(visit, subject)?);
    Ok(html! {
        section {
            h2 { "Changes since run " (before.run) }
            @match (&old, &new) {
                (Code::Files { files: old, are_graded: true }, Code::Files { files: new, are_graded: true }) => {
                    (files(old, new))
                },
                _ => { p.notice {
                    "The files of both versions are not there any more: the ledger keeps results, and no files. "
                    "Keep each hand-in in a folder of its own, and their differences can be shown here."
                } },
            }
        }
    })
}

fn files(old: &[CodeFile], new: &[CodeFile]) -> Markup {
    let paths: BTreeSet<&Untrusted> = old.iter().chain(new).map(|file| &file.path).collect();
    let text = |files: &[CodeFile], path: &Untrusted| {
        files
            .iter()
            .find(|file| file.path == *path)
            .map(|file| file.text.clone())
            .unwrap_or_default()
    };
    html! {
        @for path in paths {
            @match difference(&text(old, path), &text(new, path)) {
                Difference::None => {},
                Difference::Lines(changes) => {
                    h3 { code { (path) } }
                    (changes)
                },
                Difference::TooLong => {
                    h3 { code { (path) } }
                    p.notice { "More lines differ than can be shown: compare the two files with another program." }
                },
            }
        }
    }
}
