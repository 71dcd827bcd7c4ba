//! Mistakes in the sinusoidal positional encoding.

use softmark_exam::{Mistake, Response, mistake};

use crate::imitate::position::{
    Combine, RIGHT, Row, Rules, TooLong, alternate, angle, imitate, wave,
};

/// An encoding with another base.
macro_rules! of_base {
    ($base:expr, $case:expr) => {
        imitate(&Rules { wave: |t, c, d| wave(t, c, d, $base), ..RIGHT }, $case)
    };
}

/// The more telling first.
pub(super) const MISTAKES: &[Mistake] = &[
    mistake!("encoding-by-batch", &[|case| imitate(&Rules { row: Row::Example, ..RIGHT }, case)]),
    mistake!(
        "encoding-multiplied",
        &[|case| imitate(&Rules { combine: Combine::Multiply, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-never-added",
        &[|case| imitate(&Rules { combine: Combine::Omit, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-padded-to-max-len",
        &[|case| imitate(&Rules { combine: Combine::AddToPadded, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-replaces",
        &[|case| imitate(&Rules { combine: Combine::Replace, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-row-zero-only",
        &[|case| imitate(&Rules { row: Row::First, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-rows-from-end",
        &[|case| imitate(&Rules { row: Row::FromEnd, ..RIGHT }, case)]
    ),
    mistake!(
        "encoding-rows-begin-again",
        &[
            |case| imitate(&Rules { row: Row::AgainAfter(64), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(100), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(128), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(256), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(512), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(1000), ..RIGHT }, case),
            |case| imitate(&Rules { row: Row::AgainAfter(1024), ..RIGHT }, case),
        ]
    ),
    mistake!(
        "encoding-rows-reversed",
        &[|case| imitate(&Rules { row: Row::Backwards, ..RIGHT }, case)]
    ),
    mistake!(
        "frequencies-fall-too-fast",
        &[|case| {
            imitate(
                &Rules { wave: |t, c, d| alternate(c, angle(t, c - c % 2, d, 10_000.0)), ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "input-scaled",
        &[|case| imitate(&Rules { combine: Combine::AddToScaled, ..RIGHT }, case)]
    ),
    mistake!(
        "integer-exponent",
        &[|case| imitate(&Rules { wave: |t, c, _| alternate(c, t as f64), ..RIGHT }, case)]
    ),
    mistake!(
        "positions-from-one",
        &[|case| imitate(&Rules { row: Row::NextPosition, ..RIGHT }, case)]
    ),
    mistake!(
        "sine-cosine-concatenated",
        &[
            |case| imitate(&Rules { wave: halves, ..RIGHT }, case),
            |case| imitate(&Rules { wave: other_halves, ..RIGHT }, case),
        ]
    ),
    mistake!(
        "sine-cosine-swapped",
        &[|case| {
            imitate(
                &Rules { wave: |t, c, d| alternate(c + 1, angle(t, c / 2, d, 10_000.0)), ..RIGHT },
                case,
            )
        }]
    ),
    mistake!(
        "wrong-base",
        &[
            |case| of_base!(10.0, case),
            |case| of_base!(50.0, case),
            |case| of_base!(100.0, case),
            |case| of_base!(500.0, case),
            |case| of_base!(1_000.0, case),
            |case| of_base!(2_000.0, case),
            |case| of_base!(5_000.0, case),
            |case| of_base!(8_000.0, case),
            |case| of_base!(12_000.0, case),
            |case| of_base!(20_000.0, case),
            |case| of_base!(50_000.0, case),
            |case| of_base!(100_000.0, case),
            |case| of_base!(500_000.0, case),
            |case| of_base!(1e6, case),
            |case| of_base!(1e7, case),
            |case| of_base!(1e9, case),
        ]
    ),
    mistake!(
        "wrong-exponent",
        &[|case| {
            imitate(&Rules { wave: |t, c, d| alternate(c, each(t, c, d)), ..RIGHT }, case)
        }]
    ),
    mistake!("sinusoidal-in-f64", &[|case| in_f64(imitate(&RIGHT, case))]),
    mistake!("sinusoidal-detached", &[|case| imitate(&RIGHT, case)], &[|_, _, _| true]),
    mistake!(
        "odd-width-accepted",
        &[|case| imitate(&Rules { refuses_odd_width: false, ..RIGHT }, case)]
    ),
    mistake!(
        "too-long-goes-on",
        &[|case| imitate(&Rules { too_long: TooLong::GoesOn, ..RIGHT }, case)]
    ),
    mistake!(
        "too-long-panics",
        &[|case| imitate(&Rules { too_long: TooLong::Panics, ..RIGHT }, case)]
    ),
    mistake!(
        "too-long-wraps",
        &[|case| imitate(&Rules { too_long: TooLong::Wraps, ..RIGHT }, case)]
    ),
    mistake!(
        "too-long-clamped",
        &[|case| imitate(&Rules { too_long: TooLong::Clamped, ..RIGHT }, case)]
    ),
];

/// Sines in the first half of the channels, cosines in the second.
fn halves(t: usize, c: usize, d: usize) -> f64 {
    let half = d / 2;
    let angle = angle(t, c % half.max(1), d, 10_000.0);
    if c < half { angle.sin() } else { angle.cos() }
}

/// Cosines in the first half of the channels, sines in the second.
fn other_halves(t: usize, c: usize, d: usize) -> f64 {
    let half = d / 2;
    halves(t, if c < half { c + half } else { c - half }, d)
}

/// The angle of channel `c` at position `t`, by a frequency that is the channel's alone.
fn each(t: usize, c: usize, d: usize) -> f64 {
    t as f64 * 10_000_f64.powf(-(c as f64) / d as f64)
}

/// An answer whose outputs are of another type than `f32`.
fn in_f64(response: Response) -> Response {
    match response {
        Response::Outputs(_) => Response::OtherType,
        Response::OtherType
        | Response::Gradients(_)
        | Response::Refused
        | Response::Panicked
        | Response::Nothing => response,
    }
}
