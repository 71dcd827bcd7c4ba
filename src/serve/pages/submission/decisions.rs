//! Forms with which people decide points, and ask and answer about grades.

use maud::{Markup, html};
use softmark_untrusted::Untrusted;

use super::subject::Subject;
use crate::ledger::appeals::Thread;
use crate::model::{CheckRecord, Points};
use crate::results::{self, ChangeError, NewOverride, NewStep};
use crate::serve::answer::Answer;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::Step;

/// Returns the form of an override.
pub(super) fn override_form(
    visit: &Visit<'_>,
    subject: &Subject,
    anchor: &str,
    check: &CheckRecord,
) -> Markup {
    let action = subject.path("/override");
    let id = |field: &str| format!("{anchor}-{field}");
    html! {
        form.stack method="post" action=(action) {
            (hidden(visit, anchor, &check.id))
            input type="hidden" name="seen" value=(seen(subject, check));
            label for=(id("points")) { "Points in place of " (check.points) ", at most " (check.max_points) }
            input id=(id("points")) name="points" inputmode="decimal" required size="6";
            label for=(id("reason")) { "Reason, for the student" }
            textarea id=(id("reason")) name="reason" rows="2" required {}
            button { "Decide the points" }
        }
        @if check.overridden.is_some() {
            form.stack method="post" action=(action) {
                (hidden(visit, anchor, &check.id))
                input type="hidden" name="seen" value=(seen(subject, check));
                input type="hidden" name="withdraw" value="yes";
                label for=(id("why")) { "Reason for withdrawing the override" }
                input id=(id("why")) name="reason";
                button.quiet { "Withdraw the override" }
            }
        }
    }
}

/// Returns the number of decisions about a check that the page knows.
fn seen(subject: &Subject, check: &CheckRecord) -> usize {
    let key = &subject.entry.key;
    subject.class.overrides.decisions(&key.submission, &key.assignment, &check.id)
}

fn hidden(visit: &Visit<'_>, anchor: &str, check: &Untrusted) -> Markup {
    html! {
        (visit.token_field())
        input type="hidden" name="anchor" value=(anchor);
        input type="hidden" name="check" value=(check.as_raw());
    }
}

/// Returns the open appeal about a check with its answers, and the form for the next step.
pub(super) fn appeal_form(
    visit: &Visit<'_>,
    subject: &Subject,
    anchor: &str,
    check: &Untrusted,
) -> Markup {
    let key = &subject.entry.key;
    let is_own = |it: &&Thread| {
        it.first().is_some_and(|first| {
            first.submission == key.submission
                && first.assignment == key.assignment
                && first.check == *check
        })
    };
    let open = subject.class.appeals.iter().filter(is_own).find(|it| it.is_open());
    let id = format!("{anchor}-text");
    html! {
        form.stack method="post" action=(subject.path("/appeal")) {
            (hidden(visit, anchor, check))
            @match open {
                Some(thread) => {
                    (steps(thread))
                    label for=(id) { "Answer" }
                    textarea id=(id) name="text" rows="2" {}
                    div.buttons {
                        button name="step" value="answer" { "Answer the appeal" }
                        button.quiet name="step" value="close" { "Close the appeal" }
                    }
                },
                None => {
                    label for=(id) { "Question of the student" }
                    textarea id=(id) name="text" rows="2" required {}
                    button.quiet name="step" value="open" { "Open an appeal" }
                },
            }
        }
    }
}

/// Returns the steps of an appeal.
pub(in crate::serve::pages) fn steps(thread: &Thread) -> Markup {
    html! {
        ul.thread {
            @for step in &thread.steps {
                li {
                    small { (step.given_at) " " (step.by) " " (done(step.step)) }
                    @if !step.text.is_empty() { p { (crate::serve::text::Lines(&step.text)) } }
                }
            }
        }
    }
}

fn done(step: Step) -> &'static str {
    match step {
        Step::Open => "asked",
        Step::Answer => "answered",
        Step::Close => "closed the appeal",
    }
}

/// Adds an override, or withdraws one.
pub(in crate::serve) fn decide(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let (check, form) = (visit.form.required("check")?, visit.form);
    let is_withdrawal = form.text("withdraw") == "yes";
    let points = match form.text("points").trim() {
        _ if is_withdrawal => None,
        text => Some(parse(text)?),
    };
    let seen = form.required("seen")?.parse();
    let seen = seen.map_err(|_| Problem::Invalid("`seen` is no number".to_owned()))?;
    let reason = if is_withdrawal { form.text("reason") } else { form.required("reason")? };
    let key = &subject.entry.key;
    let new = NewOverride {
        submission: key.submission.as_raw(),
        assignment: Some(key.assignment.as_raw()),
        check,
        points,
        reason,
        by: &visit.user().name,
        seen: Some(seen),
    };
    results::decide(&visit.shared.config.out, &new).map_err(|error| refused(&error))?;
    Ok(back(visit, &subject))
}

/// Adds a step to an appeal.
pub(in crate::serve) fn add_step(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let step = Step::ALL.into_iter().find(|it| it.as_str() == visit.form.text("step"));
    let step = step.ok_or_else(|| Problem::Invalid("this is no step of an appeal".to_owned()))?;
    let text = match step {
        Step::Close => visit.form.text("text"),
        Step::Open | Step::Answer => visit.form.required("text")?,
    };
    let key = &subject.entry.key;
    let new = NewStep {
        submission: key.submission.as_raw(),
        assignment: Some(key.assignment.as_raw()),
        check: visit.form.text("check"),
        step,
        text,
        by: &visit.user().name,
    };
    results::add_step(&visit.shared.config.out, &new).map_err(|error| refused(&error))?;
    Ok(back(visit, &subject))
}

fn parse(text: &str) -> Result<Points, Problem> {
    let points = text.replace(',', ".").parse().ok().and_then(Points::parse);
    points.ok_or_else(|| {
        Problem::Invalid(format!("`{text}` is no number of points, such as 0.5 or 0.25"))
    })
}

/// Returns the problem that a refused change is.
fn refused(error: &ChangeError) -> Problem {
    match error {
        ChangeError::NoRecord { .. }
        | ChangeError::NoCheck { .. }
        | ChangeError::TooManyPoints { .. } => Problem::Invalid(error.to_string()),
        ChangeError::NoOverride { .. }
        | ChangeError::DecidedMeanwhile { .. }
        | ChangeError::AppealOpen { .. }
        | ChangeError::NoAppeal { .. } => Problem::Conflict(error.to_string()),
        ChangeError::Unreadable { .. }
        | ChangeError::Unwritten { .. }
        | ChangeError::Store(_)
        | ChangeError::Marks(_) => Problem::broken(error),
    }
}

/// Returns the answer that leads back to where the form was.
fn back(visit: &Visit<'_>, subject: &Subject) -> Answer {
    let anchor: String = visit
        .form
        .text("anchor")
        .chars()
        .filter(|it| it.is_ascii_alphanumeric() || *it == '-')
        .collect();
    // The form about the whole grade is on the history.
    let page = if visit.form.text("check").is_empty() { "/history" } else { "" };
    Answer::SeeOther(format!("{}#{anchor}", subject.path(page)))
}
