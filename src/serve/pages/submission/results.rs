//! Results of the checks, with their evidence, and what else the record holds.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::checks::task;
use super::curves::curves;
use super::frame::{Tab, frame};
use super::subject::Subject;
use super::written::written;
use crate::model::{Record, RecordOutcome};
use crate::report::{model_lines, overridden_lines};
use crate::serve::answer::Answer;
use crate::serve::markup::outcome;
use crate::serve::route::Answered;
use crate::serve::text::Lines;
use crate::serve::visit::Visit;

/// Shows the results.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let record = &subject.record;
    let body = html! {
        @if record.outcome == RecordOutcome::Graded {
            @for (place, it) in record.tasks.iter().enumerate() {
                (task(visit, &subject, place, it))
            }
        } @else {
            (reason(record))
        }
        (decided(record))
        (written(record))
        (models(record))
        (notes(record))
        (settings(&subject))
    };
    Ok(Answer::Page(frame(visit, &subject, Tab::Results, &body)))
}

/// Returns the reason why no check has a result.
fn reason(record: &Record) -> Markup {
    html! {
        section {
            h2 { "What happened" }
            p { (outcome(record.outcome)) }
            @if let Some(reason) = &record.reason { pre { (Lines(reason)) } }
        }
    }
}

fn decided(record: &Record) -> Markup {
    let lines = overridden_lines(record);
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "Points that a person decided" }
                ul { @for line in &lines { li { (line) } } }
            }
        }
    }
}

fn models(record: &Record) -> Markup {
    let lines = model_lines(record);
    html! {
        @if !lines.is_empty() {
            section {
                h2 { "Trained models" }
                ul { @for line in &lines { li { (line) } } }
                div.pictures { @for training in &record.trainings { (curves(training)) } }
            }
        }
    }
}

fn notes(record: &Record) -> Markup {
    html! {
        @if !record.notes.is_empty() {
            section {
                h2 { "Notes of the grader" }
                ul { @for note in &record.notes { li { (note) } } }
            }
        }
        @if !record.log.is_empty() {
            section {
                h2 { "Output of the code" }
                details {
                    summary { "What the code printed" }
                    pre tabindex="0" { (Lines(&record.log)) }
                }
            }
        }
    }
}

/// Returns what the record was graded with.
fn settings(subject: &Subject) -> Markup {
    let grader = &subject.grader;
    let digest: Untrusted = subject.record.sha256.clone();
    html! {
        section.soft {
            h2 { "Graded with" }
            dl.pairs {
                dt { "grader" } dd { (grader.version) }
                @if let Some(seed) = grader.seed { dt { "seed" } dd { (seed) } }
                dt { "device" } dd { (grader.device) }
                dt { "isolation" } dd { (grader.sandbox) }
                dt { "files" } dd { code { "sha256 " (digest) } }
            }
        }
    }
}
