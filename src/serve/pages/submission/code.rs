//! Code of a submission.

use maud::{Markup, html};

use super::frame::{Tab, frame};
use super::subject::Subject;
use crate::serve::answer::Answer;
use crate::serve::code::{Code, CodeFile, highlight};
use crate::serve::problem::Problem;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Shows the code.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let subject = Subject::of(visit)?;
    let code = read(visit, &subject)?;
    let body = match &code {
        Code::Missing(reason) => html! {
            p.notice { "The code cannot be shown: " (reason) "." }
        },
        Code::Files { files, are_graded } => html! {
            @if !are_graded {
                p.notice { "These files have changed since they were graded." }
            }
            (contents(files))
            @for (at, file) in files.iter().enumerate() {
                section aria-labelledby={ "file" (at) } {
                    h2 id={ "file" (at) } { code { (file.path) } }
                    (highlight(&file.text, &format!("f{at}")))
                }
            }
        },
    };
    Ok(Answer::Page(frame(visit, &subject, Tab::Code, &body)))
}

/// Reads the code of a subject.
pub(super) fn read(visit: &Visit<'_>, subject: &Subject) -> Result<Code, Problem> {
    let wanted = crate::serve::code::Wanted {
        run: subject.run,
        submission: &subject.record.submission,
        assignment: &subject.record.assignment,
        sha256: &subject.record.sha256,
    };
    visit.shared.code(&wanted)
}

fn contents(files: &[CodeFile]) -> Markup {
    html! {
        @if files.len() > 1 {
            nav aria-label="Files" {
                ul.inline {
                    @for (at, file) in files.iter().enumerate() {
                        li { a href={ "#file" (at) } { code { (file.path) } } }
                    }
                }
            }
        }
    }
}
