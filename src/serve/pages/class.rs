//! The class: all submissions in a table.

use maud::html;

use crate::serve::answer::Answer;
use crate::serve::layout::{Section, page};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Shows the class.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let submissions = visit.shared.stores.with(|store| Ok(store.submissions()?))?;
    let body = html! {
        h1 { "Class" }
        ul #live {
            @for submission in &submissions { li { (submission) } }
        }
    };
    Ok(Answer::Page(page(visit, Section::Class, "Class", &body)))
}
