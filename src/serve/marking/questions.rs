//! Page of all written questions.

use maud::html;

use super::assets::marking_page;
use super::context::MarkingContext;
use super::snapshot::Written;
use crate::serve::markup::csv_error;
use crate::serve::route::Answered;
use crate::serve::visit::Visit;
use crate::store::MarkerRole;

/// Shows all written questions, and how many answers are marked.
pub(super) fn show(visit: &Visit<'_>) -> Answered {
    let snapshot = visit.shared.snapshot()?;
    let context =
        |written| MarkingContext::new(visit, snapshot.clone(), (written, MarkerRole::First));
    let places: Vec<MarkingContext> = snapshot.questions.values().cloned().map(context).collect();
    let body = html! {
        h1 { "Marking" }
        (csv_error(visit, snapshot.csv_error.as_deref()))
        @if places.is_empty() {
            p { "No assignment that was graded has a written question." }
        } @else {
            div.scroll { table {
                caption { "Written questions" }
                thead { tr {
                    th scope="col" { "Assignment" } th scope="col" { "Question" }
                    th.number scope="col" { "Points" } th.number scope="col" { "Answers" }
                    th.number scope="col" { "Marked" } th.number scope="col" { "Open" }
                } }
                tbody { @for context in &places {
                    @let Written { assignment, title, max_points, answers, .. } = &*context.written;
                    @let marked = context.marked();
                    tr {
                        td { (assignment) }
                        th scope="row" { a href=(context.path("")) { (title) } }
                        td.number { (max_points.to_string()) }
                        td.number { (answers.len()) }
                        td.number { (marked) }
                        td.number { (answers.len() - marked) }
                    }
                } }
            } }
        }
    };
    Ok(marking_page(visit, "Marking", &body))
}
