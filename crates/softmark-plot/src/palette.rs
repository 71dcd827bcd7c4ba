//! Colors that differ in lightness as well as in hue.

use plotters::style::RGBColor;

/// Colors of series, each lighter than the one before: indigo, wine, green, rose, teal, ocher.
///
/// Neighbors differ by at least 8 in CIE lightness, so that they stay distinct in a grey print, and the
/// lightest is still visible on white.
pub const SERIES: [RGBColor; 6] = [
    RGBColor(0x2a, 0x1a, 0x72),
    RGBColor(0x8c, 0x1c, 0x4e),
    RGBColor(0x1f, 0x7a, 0x3d),
    RGBColor(0xcf, 0x60, 0x6c),
    RGBColor(0x3d, 0xac, 0x9c),
    RGBColor(0xe5, 0xb2, 0x3c),
];

/// Returns the color of a series; colors repeat after six series.
pub fn series(number: usize) -> RGBColor {
    SERIES.get(number % SERIES.len()).copied().unwrap_or(RGBColor(0, 0, 0))
}

/// Color stops of [`shade`], evenly spaced from 0 to 1.
const SHADES: [[f64; 3]; 4] =
    [[255.0, 255.0, 255.0], [158.0, 198.0, 226.0], [52.0, 118.0, 176.0], [12.0, 38.0, 84.0]];

/// Returns a blue for a number from 0 (white) to 1 (dark); larger numbers are darker.
pub fn shade(of: f64) -> RGBColor {
    let of = if of.is_finite() { of.clamp(0.0, 1.0) } else { 0.0 };
    let at = of * (SHADES.len() - 1) as f64;
    let pair = SHADES.windows(2).zip(0..).take_while(|(_, i)| f64::from(*i) <= at).last();
    let ([from, to], low) = match pair {
        Some(([from, to], i)) => ([*from, *to], f64::from(i)),
        _ => ([SHADES[0], SHADES[0]], 0.0),
    };
    let mix = |channel: usize| {
        let ends = from.get(channel).zip(to.get(channel));
        ends.map_or(0.0, |(from, to)| from + (to - from) * (at - low))
    };
    RGBColor(byte(mix(0)), byte(mix(1)), byte(mix(2)))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a mix of numbers from 0 to 255 is one"
)]
fn byte(of: f64) -> u8 {
    of.round() as u8
}

/// Returns the CIE 1976 lightness `L*` of a color, from 0 (black) to 100 (white).
pub fn lightness(of: RGBColor) -> f64 {
    let linear = |channel: u8| {
        let x = f64::from(channel) / 255.0;
        if x <= 0.040_45 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
    };
    let luminance = 0.2126 * linear(of.0) + 0.7152 * linear(of.1) + 0.0722 * linear(of.2);
    if luminance > 0.008_856 { 116.0 * luminance.cbrt() - 16.0 } else { 903.3 * luminance }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_differ_in_grey_and_stand_out_from_white() {
        let greys: Vec<f64> = SERIES.into_iter().map(lightness).collect();
        assert!(greys.windows(2).all(|pair| pair[1] - pair[0] >= 8.0), "{greys:?}");
        assert!(greys[5] < 77.0, "{greys:?}");
    }

    #[test]
    fn a_larger_number_is_darker() {
        let greys: Vec<f64> = (0..=100).map(|i| lightness(shade(f64::from(i) / 100.0))).collect();
        assert!(greys.windows(2).all(|pair| pair[1] < pair[0]), "{greys:?}");
        assert_eq!(shade(0.0), RGBColor(255, 255, 255));
        assert_eq!(shade(1.0), RGBColor(12, 38, 84));
        assert_eq!([shade(-1.0), shade(f64::NAN)], [shade(0.0); 2]);
        assert_eq!(shade(7.0), shade(1.0));
    }
}
