//! Head of the pages of a submission: name, points, and links between the pages.

use maud::{Markup, html};

use super::subject::Subject;
use crate::model::RecordOutcome;
use crate::serve::layout::{Section, page};
use crate::serve::markup::{csv_error, outcome, points};
use crate::serve::visit::Visit;

/// Page of a submission.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tab {
    /// Results of the checks.
    Results,
    /// Code.
    Code,
    /// Attempts and their differences.
    Attempts,
    /// History.
    History,
    /// Page that the student gets.
    Student,
}

/// Pages with the ends of their paths.
const TABS: [(Tab, &str, &str); 5] = [
    (Tab::Results, "", "Results"),
    (Tab::Code, "/code", "Code"),
    (Tab::Attempts, "/attempts", "Attempts"),
    (Tab::History, "/history", "History"),
    (Tab::Student, "/student", "Student view"),
];

/// Returns a page of a submission.
pub(super) fn frame(visit: &Visit<'_>, subject: &Subject, tab: Tab, body: &Markup) -> Markup {
    let record = &subject.record;
    let name = record.submission.to_string();
    let content = html! {
        div.title {
            h1 { (name) }
            p.total {
                (outcome(record.outcome)) " "
                @if record.outcome != RecordOutcome::NoGrade { (points(record.points, record.max_points)) }
            }
        }
        p.soft {
            (record.assignment)
            @if let Some(submitted) = &record.submitted { ", handed in " (submitted) }
            ", run " (subject.run)
        }
        (csv_error(visit, subject.class.csv_error.as_deref()))
        @if !subject.is_newest() {
            p.notice role="note" {
                "This is an earlier result. "
                a href=(subject.path("")) { "Show the newest" }
            }
        }
        nav.tabs aria-label="Submission" {
            ul {
                @for (other, path, text) in TABS {
                    @let current = (other == tab).then_some("page");
                    li { a href=(subject.path(path)) aria-current=[current] { (text) } }
                }
            }
        }
        (body)
    };
    page(visit, Section::Class, &name, &content)
}
