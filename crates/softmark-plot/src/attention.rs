//! Heat maps of attention weights.

use crate::grid::Grid;
use crate::picture::{Picture, PlotError};

/// Draws attention weights `weights[query][key]`, from 0 to 1, as a heat map with the tokens at its sides.
/// Small heat maps show each weight as a number; a weight that is not finite is marked `NaN`.
///
/// # Errors
///
/// Fails if there are no tokens, or there is not one weight for each pair.
pub fn attention(
    heading: &str,
    weights: &[&[f64]],
    queries: &[&str],
    keys: &[&str],
) -> Result<Picture, PlotError> {
    check(weights, queries, keys)?;
    let written = queries.len().max(keys.len()) <= 16;
    let cell = if written { 44 } else { 22 };
    let (rows_are, columns_are) = ("query", "key");
    let grid = Grid { heading, rows: queries, rows_are, columns: keys, columns_are, cell };
    grid.draw(("0", "1"), |query, key| {
        let row = weights.get(query).copied().unwrap_or_default();
        cell_of(row.get(key).copied().unwrap_or(f64::NAN), written)
    })
}

/// Returns the darkness and the text of a weight's cell.
fn cell_of(weight: f64, written: bool) -> (f64, String) {
    if !weight.is_finite() {
        return (0.0, "NaN".to_owned());
    }
    (weight, if written { format!("{weight:.2}") } else { String::new() })
}

/// Checks that there are tokens, and one weight for each pair of them.
pub(crate) fn check(weights: &[&[f64]], queries: &[&str], keys: &[&str]) -> Result<(), PlotError> {
    if queries.is_empty() || keys.is_empty() {
        return Err(PlotError::Empty { what: "there are no tokens" });
    }
    let fits = |what: String, got: usize, wanted: usize| {
        if got == wanted { Ok(()) } else { Err(PlotError::Shape { what, got, wanted }) }
    };
    fits("rows of weights".to_owned(), weights.len(), queries.len())?;
    let mut rows = weights.iter().enumerate();
    rows.try_for_each(|(row, of)| fits(format!("weights in row {row}"), of.len(), keys.len()))
}
