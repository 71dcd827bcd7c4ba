//! Style sheet and script.

use crate::serve::answer::Answer;
use crate::serve::route::Answered;
use crate::serve::visit::Arrival;

/// Returns the style sheet.
#[expect(clippy::unnecessary_wraps, reason = "all pages have one type")]
pub(in crate::serve) fn style(_: &Arrival<'_>) -> Answered {
    let content = include_str!("../assets/style.css");
    Ok(Answer::Asset { media_type: "text/css; charset=utf-8", content })
}

/// Returns the script.
#[expect(clippy::unnecessary_wraps, reason = "all pages have one type")]
pub(in crate::serve) fn script(_: &Arrival<'_>) -> Answered {
    let content = include_str!("../assets/script.js");
    Ok(Answer::Asset { media_type: "text/javascript; charset=utf-8", content })
}
