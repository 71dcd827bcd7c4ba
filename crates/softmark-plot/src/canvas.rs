//! What all pictures are drawn with: an area, text, lines and markers.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

use crate::picture::{Picture, PlotError};

/// What is drawn on.
pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// Text.
pub(crate) const INK: RGBColor = RGBColor(0x22, 0x22, 0x22);
/// Axes and what is less important.
pub(crate) const FAINT: RGBColor = RGBColor(0x66, 0x66, 0x66);
/// Lines behind the data.
pub(crate) const MESH: RGBColor = RGBColor(0xdd, 0xdd, 0xdd);

/// The height of a line of text, and about the width of a letter.
pub(crate) const TEXT: i32 = 15;
pub(crate) const LETTER: i32 = 8;

/// Longer names are cut off: beside a picture, and in a row below it.
const LONGEST: usize = 28;
const LONGEST_BELOW: usize = 60;

/// Draws on white; `size` is width and height.
pub(crate) fn draw(
    size: (i32, i32),
    on: impl FnOnce(&Area<'_>) -> Result<(), PlotError>,
) -> Result<Picture, PlotError> {
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, (length(size.0), length(size.1)));
        let area = area.into_drawing_area();
        area.fill(&WHITE).map_err(PlotError::drawing)?;
        on(&area)?;
        area.present().map_err(PlotError::drawing)?;
    }
    Ok(Picture::new(svg))
}

/// Nothing is narrower than a pixel.
pub(crate) fn length(of: i32) -> u32 {
    u32::try_from(of).unwrap_or_default().max(1)
}

/// A count as pixels; more than fit are as many as fit.
pub(crate) fn pixels(of: usize) -> i32 {
    i32::try_from(of).unwrap_or(i32::MAX / 1024)
}

/// A name that fits beside a picture, with nothing in it that moves a cursor.
pub(crate) fn label(name: &str) -> String {
    shortened(name, LONGEST)
}

/// A name that fits in a row below a picture.
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

/// About how wide the longest of the names is.
pub(crate) fn widest(names: &[&str]) -> i32 {
    names.iter().map(|name| pixels(label(name).chars().count()) * LETTER).max().unwrap_or_default()
}

/// How text is set.
#[derive(Clone, Copy)]
pub(crate) struct Setting {
    pub(crate) size: i32,
    pub(crate) color: RGBColor,
    pub(crate) across: HPos,
    pub(crate) bold: bool,
    /// From the bottom to the top.
    pub(crate) upright: bool,
}

impl Setting {
    /// Plain, beginning at a point, in the middle of its height.
    pub(crate) const PLAIN: Self =
        Self { size: TEXT, color: INK, across: HPos::Left, bold: false, upright: false };
}

/// Writes a name.
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

/// Writes a title over an area `width` wide.
pub(crate) fn title(area: &Area<'_>, text: &str, width: i32) -> Result<(), PlotError> {
    let setting = Setting { size: 20, bold: true, across: HPos::Center, ..Setting::PLAIN };
    let shown: String = text.chars().filter(|c| !c.is_control()).take(100).collect();
    write(area, &shown, (width / 2, 20), setting)
}

/// The marker of a series: one of five shapes around a point.
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
