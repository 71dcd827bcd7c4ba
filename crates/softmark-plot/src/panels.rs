//! Heat maps of many attention heads in one picture.

use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

use crate::attention::check;
use crate::canvas::{Area, FAINT, MESH, Setting, draw, label, pixels, widest, write};
use crate::palette::shade;
use crate::picture::{Picture, PlotError};

/// The weights of one head.
#[derive(Debug, Clone)]
pub struct Panel<'a> {
    /// Text above the panel, such as `head 0` and statistics.
    pub caption: String,
    /// `weights[query][key]`, from 0 to 1.
    pub weights: &'a [&'a [f64]],
}

const TITLE: i32 = 44;
const CAPTION: i32 = 24;
const GAP: i32 = 22;
const MARGIN: i32 = 20;

/// The approximate side length of a panel, and the largest side length of a cell, in pixels.
const PANEL: i32 = 220;
const CELL: i32 = 26;

/// Draws the heads of one layer or of all layers: `rows` from the top, each a label at the left and a row of
/// panels over the same `tokens`.
///
/// # Errors
///
/// Fails if there are no panels or no tokens, or there is not one weight for each pair.
pub fn attention_panels(
    heading: &str,
    rows: &[(&str, Vec<Panel<'_>>)],
    tokens: &[&str],
) -> Result<Picture, PlotError> {
    let across = rows.iter().map(|(_, panels)| panels.len()).max().unwrap_or(0);
    if across == 0 {
        return Err(PlotError::Empty { what: "there are no heads" });
    }
    for panel in rows.iter().flat_map(|(_, panels)| panels) {
        check(panel.weights, tokens, tokens)?;
    }
    let cell = (PANEL / pixels(tokens.len())).clamp(3, CELL);
    let side = cell * pixels(tokens.len());
    let words = widest(tokens) + 12;
    let names: Vec<&str> = rows.iter().map(|(name, _)| *name).collect();
    let layout = Layout {
        left: MARGIN + widest(&names).min(120) + words,
        top: TITLE + words,
        cell,
        side,
        // Leave room for captions.
        step: side.max(longest_caption(rows)) + GAP,
        down: CAPTION + side + GAP,
    };
    let width = layout.left + pixels(across) * layout.step + MARGIN;
    let height = layout.top + pixels(rows.len()) * layout.down + MARGIN;
    draw(heading, (width, height), |area| {
        layout.rows(area, rows, tokens)?;
        layout.keys(area, across, tokens)
    })
}

/// Positions and lengths in the picture, in pixels.
struct Layout {
    /// Position of the first panel.
    left: i32,
    top: i32,
    /// Side lengths of a cell and of a panel.
    cell: i32,
    side: i32,
    /// Distances between the panels of a row, and between rows.
    step: i32,
    down: i32,
}

impl Layout {
    /// Draws the panels, with a name and the query tokens at the left of each row.
    fn rows(
        &self,
        area: &Area<'_>,
        rows: &[(&str, Vec<Panel<'_>>)],
        tokens: &[&str],
    ) -> Result<(), PlotError> {
        let &Self { left, cell, side, .. } = self;
        for (place, (name, panels)) in (0..).zip(rows) {
            let y = self.top + place * self.down + CAPTION;
            let what = Setting { color: FAINT, ..Setting::PLAIN };
            write(area, &label(name), (MARGIN, y + side / 2), what)?;
            let beside = Setting { across: HPos::Right, size: cell.clamp(6, 14), ..Setting::PLAIN };
            for (row, token) in (0..).zip(tokens) {
                write(area, &label(token), (left - 6, y + row * cell + cell / 2), beside)?;
            }
            for (column, panel) in (0..).zip(panels) {
                let x = left + column * self.step;
                let caption = Setting { size: 13, ..Setting::PLAIN };
                write(area, &panel.caption, (x, y - CAPTION / 2), caption)?;
                cells(area, panel.weights, (x, y), cell)?;
            }
        }
        Ok(())
    }

    /// Writes the key tokens above each column of panels.
    fn keys(&self, area: &Area<'_>, across: usize, tokens: &[&str]) -> Result<(), PlotError> {
        let cell = self.cell;
        let upright = Setting { upright: true, size: cell.clamp(6, 14), ..Setting::PLAIN };
        for column in 0..pixels(across) {
            for (key, token) in (0..).zip(tokens) {
                let x = self.left + column * self.step + key * cell + cell / 2;
                write(area, &label(token), (x, self.top - 6), upright)?;
            }
        }
        Ok(())
    }
}

fn longest_caption(rows: &[(&str, Vec<Panel<'_>>)]) -> i32 {
    let captions = rows.iter().flat_map(|(_, panels)| panels);
    let lengths = captions.map(|panel| pixels(panel.caption.chars().count()));
    lengths.max().unwrap_or(0) * 7
}

fn cells(
    area: &Area<'_>,
    weights: &[&[f64]],
    (x, y): (i32, i32),
    cell: i32,
) -> Result<(), PlotError> {
    for (row, weights) in (0..).zip(weights) {
        for (column, weight) in (0..).zip(*weights) {
            let at = (x + column * cell, y + row * cell);
            let corners = [at, (at.0 + cell, at.1 + cell)];
            let filled = Rectangle::new(corners, shade(*weight).filled());
            area.draw(&filled).map_err(PlotError::drawing)?;
            if cell > 6 {
                area.draw(&Rectangle::new(corners, MESH)).map_err(PlotError::drawing)?;
            }
            if !weight.is_finite() {
                let setting = Setting { size: 10, across: HPos::Center, ..Setting::PLAIN };
                write(area, "?", (at.0 + cell / 2, at.1 + cell / 2), setting)?;
            }
        }
    }
    let side =
        (pixels(weights.len()) * cell, pixels(weights.first().map_or(0, |it| it.len())) * cell);
    let frame = Rectangle::new([(x, y), (x + side.1, y + side.0)], FAINT);
    area.draw(&frame).map_err(PlotError::drawing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_told() {
        let weights: [&[f64]; 1] = [&[1.0]];
        let rows = [("layer 0", vec![Panel { caption: String::new(), weights: &weights }])];
        assert!(attention_panels("h", &[], &["a"]).is_err());
        assert!(attention_panels("h", &[("layer 0", Vec::new())], &["a"]).is_err());
        assert!(attention_panels("h", &rows, &["a", "b"]).is_err());
        assert!(attention_panels("h", &rows, &["a"]).is_ok());
    }

    #[test]
    fn every_weight_is_a_cell() {
        let weights: [&[f64]; 2] = [&[0.5, f64::NAN]; 2];
        let panel = || Panel { caption: "head".to_owned(), weights: &weights };
        let rows = [("layer 0", vec![panel(), panel()]), ("layer 1", vec![panel()])];
        let svg = attention_panels("h", &rows, &["a", "b"]).unwrap().svg().to_owned();
        assert_eq!(svg.matches("\n?\n").count(), 6, "{svg}");
    }
}
