//! Curves of loss and accuracy over epochs.

use std::ops::RangeInclusive;

use plotters::prelude::*;

use crate::canvas::{
    Area, FAINT, INK, LETTER, MESH, Setting, TEXT, draw, entry, marker, pixels, write,
};
use crate::palette::series;
use crate::picture::{Picture, PlotError};

/// The numbers of one training run, one per epoch from the first. Empty lists are not drawn.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Run {
    /// Name of the run in the legend.
    pub name: String,
    /// Mean loss over the training examples.
    pub train_loss: Vec<f64>,
    /// Mean loss over the validation examples.
    pub validation_loss: Vec<f64>,
    /// Share of the training examples that are predicted correctly.
    pub train_accuracy: Vec<f64>,
    /// Share of the validation examples that are predicted correctly.
    pub validation_accuracy: Vec<f64>,
}

const WIDTH: i32 = 1000;
const TITLE: i32 = 40;
const PANEL: i32 = 360;
const LEGEND_ROW: i32 = 24;

/// Draws the loss of each run on the left and its accuracy on the right; training is dashed, validation
/// solid. Numbers that are not finite leave gaps, as do accuracies outside of 0 to 1.
///
/// # Errors
///
/// Fails if there is no finite number to draw.
pub fn training_curves(heading: &str, runs: &[Run]) -> Result<Picture, PlotError> {
    let losses = |run: &Run| [run.train_loss.clone(), run.validation_loss.clone()];
    let accuracies = |run: &Run| [run.train_accuracy.clone(), run.validation_accuracy.clone()];
    let losses: Vec<_> = runs.iter().map(losses).collect();
    let accuracies: Vec<_> = runs.iter().map(accuracies).collect();
    let finite = |of: &[[Vec<f64>; 2]]| of.iter().flatten().flatten().any(|x| x.is_finite());
    if !finite(&losses) && !finite(&accuracies) {
        return Err(PlotError::Empty { what: "no run has an epoch with a number" });
    }
    let rows = legend(runs);
    let height = TITLE + PANEL + 2 * LEGEND_ROW + pixels(rows.len()) * LEGEND_ROW;
    draw(heading, (WIDTH, height), |area| {
        let (panels, notes) = area.split_vertically(TITLE).1.split_vertically(PANEL);
        draw_panels(&panels, &losses, &accuracies)?;
        write_legend(&notes, runs, &rows)
    })
}

fn draw_panels(
    area: &Area<'_>,
    losses: &[[Vec<f64>; 2]],
    accuracies: &[[Vec<f64>; 2]],
) -> Result<(), PlotError> {
    let (left, right) = area.split_horizontally(WIDTH / 2);
    panel(&left, "loss", losses, None)?;
    panel(&right, "accuracy", accuracies, Some((0.0, 1.0)))
}

/// Returns a range slightly wider than the numbers; it starts at 0 if all of them are positive.
fn range(of: &[[Vec<f64>; 2]], fixed: Option<(f64, f64)>) -> (f64, f64) {
    if let Some(range) = fixed {
        return range;
    }
    let values = || of.iter().flatten().flatten().copied().filter(|x| x.is_finite());
    let high = values().fold(f64::NEG_INFINITY, f64::max);
    let low = values().fold(0.0, f64::min);
    if high > low { (low, high + (high - low) * 0.05) } else { (low, low + 1.0) }
}

fn panel(
    area: &Area<'_>,
    what: &str,
    curves: &[[Vec<f64>; 2]],
    fixed: Option<(f64, f64)>,
) -> Result<(), PlotError> {
    let epochs = curves.iter().flatten().map(Vec::len).max().unwrap_or_default();
    let last = epochs.max(2) as f64;
    let (low, high) = range(curves, fixed);
    let mut chart = ChartBuilder::on(area)
        .margin(10)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d(1.0..last, low..high)
        .map_err(PlotError::drawing)?;
    let font = |size| ("sans-serif", size).into_font().color(&INK);
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(MESH)
        .axis_style(FAINT)
        .x_labels(epochs.clamp(2, 10))
        .y_labels(8)
        .x_label_formatter(&|x| if x.fract() == 0.0 { format!("{x}") } else { String::new() })
        .y_label_formatter(&|y| trimmed(*y))
        .label_style(font(TEXT - 1))
        .axis_desc_style(font(TEXT))
        .x_desc("epoch")
        .y_desc(what)
        .draw()
        .map_err(PlotError::drawing)?;
    for (number, [train, validation]) in curves.iter().enumerate() {
        let color = series(number);
        for stretch in stretches(train, low..=high) {
            let dashed = DashedLineSeries::new(stretch, 5, 4, color.stroke_width(2));
            chart.draw_series(dashed).map_err(PlotError::drawing)?;
        }
        for stretch in stretches(validation, low..=high) {
            let places: Vec<(i32, i32)> =
                stretch.iter().map(|point| chart.backend_coord(point)).collect();
            let line = LineSeries::new(stretch, color.stroke_width(2));
            chart.draw_series(line).map_err(PlotError::drawing)?;
            // At most about twelve markers per curve.
            let every = epochs.div_ceil(12).max(1);
            for (_, place) in places.iter().enumerate().filter(|(i, _)| i % every == 0) {
                let origin = area.get_base_pixel();
                let place = (place.0 - origin.0, place.1 - origin.1);
                let shape = Polygon::new(marker(number, place), color.filled());
                area.draw(&shape).map_err(PlotError::drawing)?;
            }
        }
    }
    Ok(())
}

/// Splits `values` into the longest runs of numbers within `shown`, each with its epoch counted from 1.
fn stretches(values: &[f64], shown: RangeInclusive<f64>) -> Vec<Vec<(f64, f64)>> {
    let points: Vec<(f64, f64)> =
        values.iter().enumerate().map(|(i, &y)| ((i + 1) as f64, y)).collect();
    let whole = points.split(|(_, y)| !shown.contains(y));
    whole.filter(|stretch| !stretch.is_empty()).map(<[_]>::to_vec).collect()
}

/// Formats a number with at most three decimals and without trailing zeros: `0.5`, not `0.50`.
fn trimmed(y: f64) -> String {
    let text = format!("{y:.3}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text.is_empty() || text == "-" { "0".to_owned() } else { text.to_owned() }
}

/// Lays out the legend: for each row, the indices of its runs and the x position of each.
fn legend(runs: &[Run]) -> Vec<Vec<(usize, i32)>> {
    let mut rows: Vec<Vec<(usize, i32)>> = Vec::new();
    let mut x = WIDTH;
    for (number, run) in runs.iter().enumerate() {
        let width = 70 + pixels(entry(&run.name).chars().count()) * LETTER;
        if x + width > WIDTH {
            rows.push(Vec::new());
            x = 20;
        }
        if let Some(row) = rows.last_mut() {
            row.push((number, x));
        }
        x += width;
    }
    rows
}

fn write_legend(
    area: &Area<'_>,
    runs: &[Run],
    rows: &[Vec<(usize, i32)>],
) -> Result<(), PlotError> {
    let line = |from: (i32, i32), color: RGBColor| {
        PathElement::new([from, (from.0 + 36, from.1)], color.stroke_width(2))
    };
    for (y, row) in (0..).map(|i| 14 + i * LEGEND_ROW).zip(rows) {
        for &(number, x) in row {
            let Some(run) = runs.get(number) else { continue };
            let color = series(number);
            area.draw(&line((x, y), color)).map_err(PlotError::drawing)?;
            let shape = Polygon::new(marker(number, (x + 18, y)), color.filled());
            area.draw(&shape).map_err(PlotError::drawing)?;
            write(area, &entry(&run.name), (x + 44, y), Setting::PLAIN)?;
        }
    }
    let y = 14 + pixels(rows.len()) * LEGEND_ROW;
    let note = Setting { color: FAINT, ..Setting::PLAIN };
    area.draw(&line((20, y), FAINT)).map_err(PlotError::drawing)?;
    write(area, "validation", (64, y), note)?;
    let dashes = (0..4).map(|i| 180 + i * 10);
    for x in dashes {
        let dash = PathElement::new([(x, y), (x + 5, y)], FAINT.stroke_width(2));
        area.draw(&dash).map_err(PlotError::drawing)?;
    }
    write(area, "training", (224, y), note)
}
