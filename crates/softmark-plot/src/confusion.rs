//! Confusion matrices.

use crate::grid::Grid;
use crate::picture::{Picture, PlotError};

/// Draws a confusion matrix `counts[label][prediction]`. Each cell shows its count, and is as dark as the
/// count's share of its row.
///
/// # Errors
///
/// Fails if there are no classes, or the number of rows or columns is not the number of classes.
pub fn confusion_matrix(
    heading: &str,
    counts: &[&[usize]],
    classes: &[&str],
) -> Result<Picture, PlotError> {
    if classes.is_empty() {
        return Err(PlotError::Empty { what: "there are no classes" });
    }
    let fits = |what: String, got: usize| match classes.len() {
        wanted if wanted == got => Ok(()),
        wanted => Err(PlotError::Shape { what, got, wanted }),
    };
    fits("rows".to_owned(), counts.len())?;
    for (row, of) in counts.iter().enumerate() {
        fits(format!("counts in row {row}"), of.len())?;
    }
    let grid = Grid {
        heading,
        rows: classes,
        rows_are: "label",
        columns: classes,
        columns_are: "prediction",
        cell: if classes.len() > 12 { 40 } else { 56 },
    };
    grid.draw(("0 %", "100 %"), |label, prediction| {
        let row = counts.get(label).copied().unwrap_or_default();
        let (count, all) = (row.get(prediction).copied().unwrap_or_default(), row.iter().sum());
        (count as f64 / usize::max(all, 1) as f64, count.to_string())
    })
}
