//! Drawing primitives shared by all pictures: area, text, lines and markers.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::picture::{Picture, PlotError};

/// Drawing area backed by an SVG.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Color of text.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Color of axes and secondary text.
pub(crate) const FAINT: RGBColor = RGBColor(0x66, 0x66, 0x66);
/// Color of the lines behind the data.
pub(crate) const MESH: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

/// The height of a line of text, and the approximate width of a letter, in pixels.
pub(crate) const TEXT: i32 = 15;
pub(crate) const LETTER: i32 = 8;

/// Maximum number of characters of a name beside a picture, and of one in a row below it; the rest is cut off.
const LONGEST: usize = 28;
const LONGEST_BELOW: usize = 60;

/// Draws a picture with a heading on a white background; `size` is width and height in pixels.
pub(crate) fn draw(
    heading: &str,
    size: (i32, i32),
    on: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> Result<Picture, PlotError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (length(size.0), length(size.1)));
        let area = area.into_drawing_area();
        area.fill(&WHITE).map_err(PlotError::drawing)?;
        title(&area, heading, size.0)?;
        on(&area)?;
        area.present().map_err(PlotError::drawing)?;
    }
    Ok(Picture::new(svg))
}

/// Returns a length in pixels, at least 1.
pub(crate) fn length(of: i32) -> u32 {
    u32::try_from(of).unwrap_or_default().max(1)
}

/// Converts a count to pixels; counts that do not fit are capped.
pub(crate) fn pixels(of: usize) -> i32 {
    i32::try_from(of).unwrap_or(i32::MAX / 1024)
}

/// Returns a name shortened to fit beside a picture, without control characters.
pub(crate) fn label(name: &str) -> String {
    shortened(name, LONGEST)
}

/// Returns a name shortened to fit in a row below a picture.
pub(crate) fn entry(name: &str) -> String {
    shortened(name, LONGEST_BELOW)
}

fn shortened(name: &str, longest: usize) -> String {
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    if name.chars().count() <= longest {
        return name.chars().map(shown).collect();
    }
    name.chars().take(longest - 1).map(shown).chain(['…']).collect()
}

/// Returns the approximate width of the longest name, in pixels.
pub(crate) fn widest(names: &[&str]) -> i32 {
    names.iter().map(|name| pixels(label(name).chars().count()) * LETTER).max().unwrap_or_default()
}

/// Layout of a piece of text.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) size: i32,
    pub(crate) color: RGBColor,
    pub(crate) across: HPos,
    pub(crate) bold: bool,
    /// True if the text runs from the bottom to the top.
    pub(crate) upright: bool,
}

impl Setting {
    /// Plain text that starts at its point and is centered vertically.
    pub(crate) const PLAIN: Self =
        Self { size: TEXT, color: INK, across: HPos::Left, bold: false, upright: false };
}

/// Draws a text at a point.
pub(crate) fn write(
    area: &Area<'_>,
    text: &str,
    at: (i32, i32),
    setting: Setting,
) -> Result<(), PlotError> {
    let font = ("sans-serif", setting.size).into_font();
    let font = if setting.bold { font.style(FontStyle::Bold) } else { font };
    let font = if setting.upright { font.transform(FontTransform::Rotate270) } else { font };
    let style =
        TextStyle::from(font).color(&setting.color).pos(Pos::new(setting.across, VPos::Center));
    area.draw(&Text::new(text.to_owned(), at, style)).map_err(PlotError::drawing)
}

/// Draws a title centered over an area `width` pixels wide.
fn title(area: &Area<'_>, text: &str, width: i32) -> Result<(), PlotError> {
    let setting = Setting { size: 20, bold: true, across: HPos::Center, ..Setting::PLAIN };
    let shown: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
    write(area, &shown, (width / 2, 20), setting)
}

/// Returns the outline of a series' marker: one of five shapes around a point.
pub(crate) fn marker(number: usize, (x, y): (i32, i32)) -> Vec<(i32, i32)> {
    let r = 5;
    let of = |points: &[(i32, i32)]| points.iter().map(|(dx, dy)| (x + dx, y + dy)).collect();
    match number % 5 {
        0 => of(&[(-4, -4), (4, -4), (4, 4), (-4, 4)]),
        1 => of(&[(0, -r), (r, 4), (-r, 4)]),
        2 => of(&[(0, -6), (6, 0), (0, 6), (-6, 0)]),
        3 => of(&[(0, r), (r, -4), (-r, -4)]),
        _ => of(&[
            (-2, -r),
            (2, -r),
            (2, -2),
            (r, -2),
            (r, 2),
            (2, 2),
            (2, r),
            (-2, r),
            (-2, 2),
            (-r, 2),
            (-r, -2),
            (-2, -2),
        ]),
    }
}
