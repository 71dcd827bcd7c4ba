//! Bar chart that compares one number per configuration across several sources.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::canvas::{
    Area, FAINT, LETTER, MESH, Setting, draw, entry, label, pixels, widest, write,
};
use crate::palette::series;
use crate::picture::{Picture, PlotError};

/// A column of results, such as ours or the published ones: one number per configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Column {
    /// Name of the column in the legend.
    pub name: String,
    /// One number from 0 to 1 for each configuration; a number that is not finite is drawn as missing.
    pub values: Vec<f64>,
}

const BAR: i32 = 20;
const GAP: i32 = 14;
const TOP: i32 = 50;
const PLOT: i32 = 560;

/// Draws one bar from 0 to 1 for each configuration and column, labeled with its number.
///
/// # Errors
///
/// Fails if there is nothing to draw, or a column has not one number for each configuration.
pub fn comparison(
    heading: &str,
    configurations: &[&str],
    columns: &[Column],
) -> Result<Picture, PlotError> {
    if configurations.is_empty() || columns.is_empty() {
        return Err(PlotError::Empty { what: "no configuration, or no column" });
    }
    for Column { name, values } in columns {
        if values.len() != configurations.len() {
            let what = format!("numbers in `{name}`");
            let (got, wanted) = (values.len(), configurations.len());
            return Err(PlotError::Shape { what, got, wanted });
        }
    }
    let left = widest(configurations) + 30;
    let group = pixels(columns.len()) * BAR + GAP;
    let bottom = TOP + pixels(configurations.len()) * group;
    draw(heading, (left + PLOT + 90, bottom + 70), |area| {
        axis(area, left, bottom)?;
        bars(area, configurations, columns, (left, group))?;
        legend(area, columns, (left, bottom))
    })
}

/// Draws the bars of each configuration beside its name; `group` is the height of a configuration.
fn bars(
    area: &Area<'_>,
    configurations: &[&str],
    columns: &[Column],
    (left, group): (i32, i32),
) -> Result<(), PlotError> {
    for (row, name) in (0..).zip(configurations) {
        let y = TOP + row * group;
        let setting = Setting { across: HPos::Right, ..Setting::PLAIN };
        write(area, &label(name), (left - 10, y + (group - GAP) / 2), setting)?;
    }
    for (number, column) in columns.iter().enumerate() {
        for (row, &value) in (0..).zip(&column.values) {
            bar(area, number, value, (left, TOP + row * group + pixels(number) * BAR))?;
        }
    }
    Ok(())
}

/// Writes the names of the columns beside their colors, below the bars.
fn legend(
    area: &Area<'_>,
    columns: &[Column],
    (left, bottom): (i32, i32),
) -> Result<(), PlotError> {
    let mut x = left;
    for (number, Column { name, .. }) in columns.iter().enumerate() {
        let corners = [(x, bottom + 44), (x + 16, bottom + 58)];
        let swatch = Rectangle::new(corners, color(number).filled());
        area.draw(&swatch).map_err(PlotError::drawing)?;
        write(area, &entry(name), (x + 24, bottom + 51), Setting::PLAIN)?;
        x += 54 + pixels(entry(name).chars().count()) * LETTER;
    }
    Ok(())
}

/// Draws grid lines and labels at every tenth.
fn axis(area: &Area<'_>, left: i32, bottom: i32) -> Result<(), PlotError> {
    for tenth in 0..=10 {
        let x = left + PLOT * tenth / 10;
        let line = PathElement::new([(x, TOP - 6), (x, bottom - 4)], MESH);
        area.draw(&line).map_err(PlotError::drawing)?;
        if tenth % 2 == 0 {
            let setting = Setting { color: FAINT, across: HPos::Center, ..Setting::PLAIN };
            let text = format!("{:.1}", f64::from(tenth) / 10.0);
            write(area, &text, (x, bottom + 12), setting)?;
        }
    }
    Ok(())
}

fn bar(area: &Area<'_>, number: usize, value: f64, (x, y): (i32, i32)) -> Result<(), PlotError> {
    let middle = y + BAR / 2;
    if !value.is_finite() {
        let setting = Setting { color: FAINT, ..Setting::PLAIN };
        return write(area, "no number", (x + 8, middle), setting);
    }
    let end = x + along(value);
    let shape = Rectangle::new([(x, y + 1), (end, y + BAR - 1)], color(number).filled());
    area.draw(&shape).map_err(PlotError::drawing)?;
    // Clear the background behind the number, so that no grid line crosses it.
    let behind = Rectangle::new([(end + 4, y + 1), (end + 58, y + BAR - 1)], WHITE.filled());
    area.draw(&behind).map_err(PlotError::drawing)?;
    write(area, &format!("{value:.4}"), (end + 8, middle), Setting::PLAIN)
}

/// Returns the color of a column; neighboring columns differ more than neighboring series do.
fn color(column: usize) -> RGBColor {
    series([0, 4, 2, 5, 1, 3].get(column % 6).copied().unwrap_or_default())
}

#[expect(clippy::cast_possible_truncation, reason = "a share of PLOT")]
fn along(value: f64) -> i32 {
    (value.clamp(0.0, 1.0) * f64::from(PLOT)).round() as i32
}
