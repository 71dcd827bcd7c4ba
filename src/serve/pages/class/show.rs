//! The page.

use maud::html;

use super::figures;
use super::filter::Filter;
use super::filter_form::filter_form;
use super::table::{Selection, table};
use crate::report::text::count;
use crate::serve::answer::Answer;
use crate::serve::class::Row;
use crate::serve::layout::{Section, page};
use crate::serve::markup::{csv_error, roster_error};
use crate::serve::route::Answered;
use crate::serve::visit::Visit;

/// Most rows of a page: a browser lays a hundred out at once, and a class mostly has fewer.
const PER_PAGE: usize = 100;

/// Shows the class.
pub(in crate::serve) fn show(visit: &Visit<'_>) -> Answered {
    let class = visit.shared.class()?;
    let filter = Filter::of(visit.query);
    let rows: Vec<&Row> =
        class.rows.iter().filter(|row| filter.fits(row, &class.overrides)).collect();
    let pages = rows.len().div_ceil(PER_PAGE).max(1);
    let at = visit.query.text("page").parse().unwrap_or(1_usize).clamp(1, pages);
    let shown: Vec<&Row> = rows.iter().skip((at - 1) * PER_PAGE).take(PER_PAGE).copied().collect();
    let selection = Selection { filter: &filter, page: at, pages };
    let all = class.rows.len();
    let body = html! {
        h1 { "Class" }
        (filter_form(&class, &filter))
        div #live data-live {
            (csv_error(visit, class.csv_error.as_deref()))
            (roster_error(visit, class.roster_error.as_deref()))
            p role="status" { (count(rows.len(), "submission", "submissions")) " of " (all) }
            (figures::summary(&class, &rows))
            (table(&class, &shown, &selection))
        }
    };
    Ok(Answer::Page(page(visit, Section::Class, "Class", &body)))
}
