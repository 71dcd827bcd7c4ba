//! The marking pages of `grade serve`: over sockets, and by keyboard in a browser.

mod anonymous;
mod browser;
mod concurrent;
mod keys;
mod marker;
mod pages;
mod roles;
mod rubric;
mod spreadsheet;

use softmark::model::Record;
use softmark::store::{GivenMark, MarkingStep, SavedMarking};

use crate::support::served::{Page, Served, Visitor, with_answer};

/// Path of the question's page.
const QUESTION: &str = "/marking/debugging/explanation";

/// A class of so many students with different answers.
fn class(size: usize) -> Vec<Record> {
    let answer = |at: usize| {
        let text =
            format!("The residual connection of layer {at} is missing, so gradients vanish.");
        with_answer(&format!("student-{at:02}"), &text)
    };
    (0..size).map(answer).collect()
}

/// The paths of all answers, in the order of marking.
fn answers(visitor: &Visitor) -> Vec<String> {
    visitor.get(QUESTION).links(&format!("{QUESTION}/answers/"))
}

/// Sends the form of a page with these values beside its hidden ones.
fn send(visitor: &Visitor, path: &str, page: &Page, values: &[(&str, &str)]) -> Page {
    let hidden = ["form_token", "role", "saw"].map(|name| (name, page.hidden(name)));
    let mut fields: Vec<(&str, &str)> =
        hidden.iter().map(|(name, value)| (*name, value.as_str())).collect();
    fields.extend(values);
    visitor.post_until_answered(path, &fields)
}

/// Marks an answer as the marker sees it now.
fn mark(visitor: &Visitor, path: &str, values: &[(&str, &str)]) -> Page {
    send(visitor, path, &visitor.get(path), values)
}

/// Returns the points, items and comment of a marking that is no withdrawal.
fn given(marking: &SavedMarking) -> &GivenMark {
    match &marking.step {
        MarkingStep::Mark(given) => given,
        MarkingStep::Withdrawal(_) => panic!("{marking:?} takes a mark back"),
    }
}

/// The points of a submission's answer on its record and in the gradebook.
fn points(served: &Served, submission: &str) -> String {
    let shown = served.folder().grade(&format!("show {submission} --format json")).exit(0).stdout;
    let shown: serde_json::Value = serde_json::from_str(&shown).unwrap();
    shown["records"][0]["written"][0]["points"].to_string()
}

/// Returns the id of the first item of the rubric in a form.
fn first_item(body: &str) -> String {
    let rest = body.split("name=\"item\" value=\"").nth(1).unwrap();
    rest.split('"').next().unwrap().to_owned()
}
