//! Style sheet and script of the marking pages.

use maud::{Markup, html};

use crate::serve::answer::Answer;
use crate::serve::layout::{Section, page};
use crate::serve::route::Answered;
use crate::serve::visit::{Arrival, Visit};

/// Returns the style sheet.
#[expect(clippy::unnecessary_wraps, reason = "all pages have one type")]
pub(super) fn style(_: &Arrival<'_>) -> Answered {
    let content = include_str!("../assets/marking.css");
    Ok(Answer::Asset { media_type: "text/css; charset=utf-8", content })
}

/// Returns the script.
#[expect(clippy::unnecessary_wraps, reason = "all pages have one type")]
pub(super) fn script(_: &Arrival<'_>) -> Answered {
    let content = include_str!("../assets/marking.js");
    Ok(Answer::Asset { media_type: "text/javascript; charset=utf-8", content })
}

/// Returns a marking page.
pub(super) fn marking_page(visit: &Visit<'_>, title: &str, body: &Markup) -> Answer {
    let body = html! {
        link rel="stylesheet" href="/assets/marking.css";
        (body)
    };
    Answer::Page(page(visit, Section::Marking, title, &body))
}
