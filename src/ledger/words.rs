//! Changes in words, for every format that people read.

use softmark_untrusted::Untrusted;

use super::appeals::subject;
use super::change::{Change, CheckChange, Mark};
use super::log::{Event, Logged};
use crate::marks::MarkEvent;
use crate::report::{outcome_words, status_words};
use crate::store::{MarkerRole, Step};

/// Returns what happened to a check: `wrong → pass`, or `0.00 → 0.50 by an override`.
pub(crate) fn check(change: &CheckChange) -> String {
    let (Some(before), Some(after)) = (change.before, change.after) else {
        let (what, mark) = match (change.before, change.after) {
            (None, Some(mark)) => ("new check", mark),
            (Some(mark), _) => ("check removed", mark),
            (None, None) => return String::new(),
        };
        return format!("{what}: {}", status_words(mark.status));
    };
    let mut words = Vec::new();
    if before.status != after.status {
        words.push(format!("{} → {}", status_words(before.status), status_words(after.status)));
    }
    if before.max_points != after.max_points {
        words.push(format!("worth {} → {}", before.max_points, after.max_points));
    }
    if before.status == after.status && before.max_points == after.max_points {
        words.push(format!("{} {} → {}", status_words(after.status), before.points, after.points));
    }
    words.extend(decided(before, after).map(str::to_owned));
    words.join(", ")
}

/// Returns what overrides did to a check; `None` if there is none.
fn decided(before: Mark, after: Mark) -> Option<&'static str> {
    match (before.is_overridden, after.is_overridden) {
        (false, false) => None,
        (false, true) => Some("now overridden"),
        (true, false) => Some("no longer overridden"),
        (true, true) => Some("an override holds"),
    }
}

/// Returns the points after an event, of those available: `19.25 / 30.00`.
pub(crate) fn points(logged: &Logged) -> String {
    let max_points = match &logged.event {
        Event::Grading { graded, .. } => format!(" / {}", graded.grading.max_points),
        Event::Override(_) | Event::Appeal(_) | Event::Marking(_) => String::new(),
    };
    let is_grading = !max_points.is_empty();
    match logged.after {
        Some(points) => format!("{points}{max_points}"),
        None if is_grading => "no grade".to_owned(),
        None => String::new(),
    }
}

/// Returns the difference that an event made; empty if it made none or cannot be told.
pub(crate) fn delta(logged: &Logged) -> String {
    let delta = logged.delta().filter(|delta| delta.hundredths() != 0);
    delta.map(|delta| delta.to_string()).unwrap_or_default()
}

/// Returns what happened, in a few words.
pub(crate) fn event(event: &Event) -> String {
    match event {
        Event::Grading { graded, .. } => {
            let grading = &graded.grading;
            let assignment = match &grading.assignment {
                unknown if unknown.is_empty() => "assignment unknown".to_owned(),
                known => known.to_string(),
            };
            format!("run {}: {assignment}, {}", grading.run, outcome_words(grading.outcome))
        }
        Event::Override(given) => match given.points {
            Some(points) => format!("override: {points} for {}", given.check),
            None => format!("override withdrawn: {}", given.check),
        },
        Event::Marking(mark) => marked(mark),
        Event::Appeal(step) => {
            let about = subject(&step.check);
            let step = match step.step {
                Step::Open => "opened",
                Step::Answer => "answered",
                Step::Close => "closed",
            };
            format!("appeal {step}: {about}")
        }
    }
}

fn marked(mark: &MarkEvent) -> String {
    let role = match mark.role {
        MarkerRole::First => "mark",
        MarkerRole::Second => "second mark",
        MarkerRole::Agreed => "agreed mark",
    };
    match &mark.points {
        Some(points) => format!("{role}: {points} for {}", mark.question),
        None => format!("{role} taken back: {}", mark.question),
    }
}

/// Returns why it happened: what changed since the grading before, or what a person wrote; `None` if there is nothing.
pub(crate) fn details(event: &Event) -> Option<String> {
    let said = |text: &Untrusted, by: &Untrusted| match (text.is_empty(), by.is_empty()) {
        (true, true) => None,
        (true, false) => Some(format!("by {by}")),
        (false, true) => Some(text.to_string()),
        (false, false) => Some(format!("{by}: {text}")),
    };
    match event {
        Event::Grading { change, .. } => {
            Some(change.as_ref().map_or_else(|| "first grading".to_owned(), Change::words))
        }
        Event::Override(given) => said(&given.reason, &given.by),
        Event::Marking(mark) => said(&mark.comment, &mark.by),
        Event::Appeal(step) => said(&step.text, &step.by),
    }
}
