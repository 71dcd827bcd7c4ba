//! Page of answers for which two markers gave different points.

use maud::{Markup, html};

use super::assets::marking_page;
use super::context::{ClassAnswer, MarkingContext};
use crate::marking::{Disagreement, MarkerPoints};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Disagreement about an answer.
pub(super) struct Row {
    at: ClassAnswer,
    found: Disagreement,
}

/// Returns the disagreements about a question, the largest first.
pub(super) fn disagreements(context: &MarkingContext) -> Vec<Row> {
    let mut rows = Vec::new();
    for (code, entry) in &context.written.answers {
        if let Some(found) = context.disagreement(entry) {
            rows.push(Row { at: ClassAnswer::new(*code, entry), found });
        }
    }
    let size = |row: &Row| row.found.difference().hundredths().abs();
    rows.sort_by_key(|row| (std::cmp::Reverse(size(row)), row.at.code));
    rows
}

/// Returns the points and the name of a marker; a line of `marks.csv` may have no name.
fn points(given: &MarkerPoints) -> Markup {
    html! {
        (given.points.to_string()) " "
        small { @if given.by.is_empty() { "marks.csv" } @else { (given.by) } }
    }
}

/// Shows the disagreements about a question.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let context = MarkingContext::of(visit)?;
    let rows = disagreements(&context);
    let body = html! {
        p.crumbs { a href="/marking" { "Marking" } " › " a href=(context.path("")) { (context.written.title) } }
        h1 { "Disagreements" }
        @if rows.is_empty() {
            p { "First and second markers gave the same points, or somebody has decided." }
        } @else {
            div.scroll { table {
                caption { "Answers for which two markers gave different points, the largest difference first" }
                thead { tr {
                    th scope="col" { "Answer" } th scope="col" { "First marker" } th scope="col" { "Second marker" }
                    th.number scope="col" { "Difference" }
                } }
                tbody { @for row in &rows {
                    @let path = context.path_to_agree(row.at.code);
                    tr {
                        th scope="row" { a href=(path) { (context.name(&row.at)) } }
                        td { (points(&row.found.first)) }
                        td { (points(&row.found.second)) }
                        td.number { (row.found.difference().to_string()) }
                    }
                } }
            } }
        }
    };
    Ok(marking_page(visit, "Disagreements", &body))
}
