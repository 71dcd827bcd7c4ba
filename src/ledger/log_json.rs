//! Writes the history of a submission as JSON: a list of events, each with its kind.

use std::io;

use serde::Serialize;
use softmark_untrusted::Untrusted;

use super::json::{ChangeOf, FORMAT_VERSION};
use super::log::{Event, History, Logged};
use crate::marks::MarkEvent;
use crate::model::{Grader, Points};
use crate::store::{Appeal, Override};

#[derive(Serialize)]
struct Document<'a> {
    format_version: u32,
    submission: &'a Untrusted,
    events: Vec<EventOf<'a>>,
}

#[derive(Serialize)]
struct EventOf<'a> {
    at: &'a Untrusted,
    points_before: Option<f64>,
    points_after: Option<f64>,
    #[serde(flatten)]
    kind: Kind<'a>,
}

#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Kind<'a> {
    Grading(GradingOf<'a>),
    Override(OverrideOf<'a>),
    Withdrawal(OverrideOf<'a>),
    Mark(MarkOf<'a>),
    Appeal(AppealOf<'a>),
}

#[derive(Serialize)]
struct GradingOf<'a> {
    run: i64,
    assignment: &'a Untrusted,
    sha256: &'a Untrusted,
    outcome: &'static str,
    graded_points: f64,
    max_points: f64,
    grader: &'a Grader,
    change: Option<ChangeOf<'a>>,
}

#[derive(Serialize)]
struct OverrideOf<'a> {
    assignment: &'a Untrusted,
    check: &'a Untrusted,
    points: Option<f64>,
    reason: &'a Untrusted,
    by: &'a Untrusted,
    sha256: &'a Untrusted,
}

#[derive(Serialize)]
struct MarkOf<'a> {
    question: &'a Untrusted,
    role: &'static str,
    points: Option<&'a Untrusted>,
    comment: &'a Untrusted,
    by: &'a Untrusted,
}

#[derive(Serialize)]
struct AppealOf<'a> {
    assignment: &'a Untrusted,
    check: Option<&'a Untrusted>,
    step: &'static str,
    text: &'a Untrusted,
    by: &'a Untrusted,
}

/// Writes the history.
pub(super) fn write(history: &History, out: &mut dyn io::Write) -> io::Result<()> {
    let document = Document {
        format_version: FORMAT_VERSION,
        submission: &history.submission,
        events: history.events.iter().map(event_of).collect(),
    };
    out.write_all(crate::store::document::pretty(&document)?.as_bytes())
}

fn event_of(logged: &Logged) -> EventOf<'_> {
    let kind = match &logged.event {
        Event::Grading { graded, change } => {
            let grading = &graded.grading;
            Kind::Grading(GradingOf {
                run: grading.run.number(),
                assignment: &grading.assignment,
                sha256: &grading.sha256,
                outcome: grading.outcome.as_str(),
                graded_points: grading.points.to_f64(),
                max_points: grading.max_points.to_f64(),
                grader: &graded.grader,
                change: change.as_ref().map(ChangeOf::of),
            })
        }
        Event::Override(given) if given.points.is_none() => Kind::Withdrawal(override_of(given)),
        Event::Override(given) => Kind::Override(override_of(given)),
        Event::Marking(mark) => Kind::Mark(mark_of(mark)),
        Event::Appeal(step) => Kind::Appeal(appeal_of(step)),
    };
    EventOf {
        at: &logged.at,
        points_before: logged.before.map(Points::to_f64),
        points_after: logged.after.map(Points::to_f64),
        kind,
    }
}

fn override_of(given: &Override) -> OverrideOf<'_> {
    OverrideOf {
        assignment: &given.assignment,
        check: &given.check,
        points: given.points.map(Points::to_f64),
        reason: &given.reason,
        by: &given.by,
        sha256: &given.sha256,
    }
}

fn mark_of(mark: &MarkEvent) -> MarkOf<'_> {
    let MarkEvent { question, comment, by, .. } = mark;
    let points = mark.points.as_ref();
    MarkOf { question, role: mark.role.as_str(), points, comment, by }
}

fn appeal_of(step: &Appeal) -> AppealOf<'_> {
    AppealOf {
        assignment: &step.assignment,
        check: Some(&step.check).filter(|check| !check.is_empty()),
        step: step.step.as_str(),
        text: &step.text,
        by: &step.by,
    }
}
