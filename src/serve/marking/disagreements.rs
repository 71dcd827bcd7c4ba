//! Page of answers for which two markers gave different points.

use maud::html;

use super::assets::marking_page;
use super::context::{ClassAnswer, MarkingContext};
use crate::marking::disagreement;
use crate::model::{Delta, Points};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use softmark_untrusted::Untrusted;

/// Disagreement about an answer.
pub(super) struct Row {
    at: ClassAnswer,
    first: (Untrusted, Points),
    second: (Untrusted, Points),
    difference: Delta,
}

/// Returns the disagreements about a question, the largest first.
pub(super) fn disagreements(context: &MarkingContext) -> Vec<Row> {
    let mut rows = Vec::new();
    for (code, entry) in &context.written.answers {
        let question = context.question(entry);
        let Some(marks) = context.marks(entry) else { continue };
        let Some(found) = disagreement(marks, &entry.digest, &question) else { continue };
        rows.push(Row {
            at: ClassAnswer::new(*code, entry),
            first: (found.first.by.clone(), found.first_points),
            second: (found.second.by.clone(), found.second_points),
            difference: found.difference(),
        });
    }
    rows.sort_by_key(|row| (std::cmp::Reverse(row.difference.hundredths().abs()), row.at.code));
    rows
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
                        td { (row.first.1.to_string()) " " small { (row.first.0) } }
                        td { (row.second.1.to_string()) " " small { (row.second.0) } }
                        td.number { (row.difference.to_string()) }
                    }
                } }
            } }
        }
    };
    Ok(marking_page(visit, "Disagreements", &body))
}
