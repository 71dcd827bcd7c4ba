//! A grid of shaded cells with names at its sides.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::canvas::{Area, FAINT, INK, MESH, Setting, draw, label, pixels, widest, write};
use crate::palette::{lightness, shade};
use crate::picture::{Picture, PlotError};

/// The labels and the cell size of a grid.
pub(crate) struct Grid<'a> {
    pub(crate) heading: &'a str,
    /// Row labels from the top, and the title of that axis.
    pub(crate) rows: &'a [&'a str],
    pub(crate) rows_are: &'a str,
    /// Column labels from the left, and the title of that axis.
    pub(crate) columns: &'a [&'a str],
    pub(crate) columns_are: &'a str,
    /// Side length of a cell, in pixels.
    pub(crate) cell: i32,
}

const TITLE: i32 = 44;
const SIDE: i32 = 30;
const SCALE: i32 = 70;

impl Grid<'_> {
    /// Draws the grid. `cell` returns each cell's darkness, from 0 to 1, and its text; `ends` are the labels
    /// of darkness 0 and 1.
    pub(crate) fn draw(
        &self,
        ends: (&str, &str),
        cell: impl Fn(usize, usize) -> (f64, String),
    ) -> Result<Picture, PlotError> {
        let left = SIDE + widest(self.rows) + 12;
        let top = TITLE + SIDE + widest(self.columns) + 12;
        let (width, height) =
            (pixels(self.columns.len()) * self.cell, pixels(self.rows.len()) * self.cell);
        // Leave room for the heading even if the grid is small.
        let heading = pixels(self.heading.chars().count().min(100)) * 12;
        let size = ((left + width + 20 + SCALE).max(heading + 40), top + height.max(120) + 20);
        draw(self.heading, size, |area| {
            self.names(area, (left, top), (width, height))?;
            self.cells(area, (left, top), &cell)?;
            scale(area, (left + width + 20, top), ends)
        })
    }

    fn cells(
        &self,
        area: &Area<'_>,
        (left, top): (i32, i32),
        cell: &impl Fn(usize, usize) -> (f64, String),
    ) -> Result<(), PlotError> {
        for row in 0..self.rows.len() {
            for column in 0..self.columns.len() {
                let at = (left + pixels(column) * self.cell, top + pixels(row) * self.cell);
                let (dark, text) = cell(row, column);
                self.cell(area, at, dark, &text)?;
            }
        }
        Ok(())
    }

    fn names(
        &self,
        area: &Area<'_>,
        (left, top): (i32, i32),
        (width, height): (i32, i32),
    ) -> Result<(), PlotError> {
        let half = self.cell / 2;
        let right = Setting { across: HPos::Right, ..Setting::PLAIN };
        for (row, name) in (0..).zip(self.rows) {
            write(area, &label(name), (left - 8, top + row * self.cell + half), right)?;
        }
        let upright = Setting { upright: true, ..Setting::PLAIN };
        for (column, name) in (0..).zip(self.columns) {
            write(area, &label(name), (left + column * self.cell + half, top - 8), upright)?;
        }
        let what = Setting { color: FAINT, across: HPos::Center, ..Setting::PLAIN };
        write(area, self.columns_are, (left + width / 2, TITLE + 8), what)?;
        write(area, self.rows_are, (14, top + height / 2), Setting { upright: true, ..what })
    }

    fn cell(
        &self,
        area: &Area<'_>,
        at: (i32, i32),
        dark: f64,
        text: &str,
    ) -> Result<(), PlotError> {
        let corners = [at, (at.0 + self.cell, at.1 + self.cell)];
        let color = shade(dark);
        let filled = Rectangle::new(corners, color.filled());
        area.draw(&filled).map_err(PlotError::drawing)?;
        area.draw(&Rectangle::new(corners, MESH)).map_err(PlotError::drawing)?;
        if text.is_empty() {
            return Ok(());
        }
        let color = if lightness(color) < 58.0 { WHITE } else { INK };
        let setting = Setting { size: 14, color, across: HPos::Center, ..Setting::PLAIN };
        write(area, text, (at.0 + self.cell / 2, at.1 + self.cell / 2), setting)
    }
}

/// Draws the color scale, dark at the top.
fn scale(area: &Area<'_>, (x, y): (i32, i32), ends: (&str, &str)) -> Result<(), PlotError> {
    const STEPS: i32 = 24;
    for step in 0..STEPS {
        let dark = 1.0 - (f64::from(step) + 0.5) / f64::from(STEPS);
        // Each step is drawn down to the end, so that no line shows between neighboring steps.
        let corners = [(x, y + step * 5), (x + 14, y + STEPS * 5)];
        let filled = Rectangle::new(corners, shade(dark).filled());
        area.draw(&filled).map_err(PlotError::drawing)?;
    }
    let frame = Rectangle::new([(x, y), (x + 14, y + STEPS * 5)], MESH);
    area.draw(&frame).map_err(PlotError::drawing)?;
    write(area, ends.1, (x + 20, y + 6), Setting::PLAIN)?;
    write(area, ends.0, (x + 20, y + STEPS * 5 - 6), Setting::PLAIN)
}
