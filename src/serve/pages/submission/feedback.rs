//! Student view: the page that `grade feedback` writes for the student, in a frame of its own.

use maud::html;

use super::frame::{Tab, frame};
use super::subject::Subject;
use crate::course::{Course, Moment};
use crate::model::Run;
use crate::report::{self, Answers, Audience};
use crate::serve::answer::Answer;
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Shows the frame.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let source = format!("{}?attempt={}", subject.path("/feedback"), subject.id);
    let body = html! {
        p.soft { "The page that " code { "grade feedback" } " writes for this student today." }
        iframe.student src=(source) title="Page of the student" sandbox="" {}
    };
    Ok(Answer::Page(frame(visit, &subject, Tab::Student, &body)))
}

/// Returns the page of the student.
pub(in crate::serve) fn document(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let run = Run { grader: subject.grader, records: vec![subject.record] };
    let view = audience(visit)?.view(&run);
    let mut html = Vec::new();
    report::html::feedback::write(&view, visit.shared.config.catalog, &mut html)
        .map_err(|error| Problem::broken(&error))?;
    Ok(Answer::Document(html))
}

/// Returns the students of the course today.
fn audience(visit: &Visit<'_>) -> Result<Audience, Problem> {
    let shown = Course::answers_shown_in(&visit.shared.config.home, Moment::now());
    let shown = shown.map_err(|error| Problem::broken(&error))?;
    Ok(Audience::Students(Answers::Of(shown)))
}
