//! Mistakes in the sinusoidal positional encoding.

use softmark_exam::rules::{Catalog, RuleMistake};
use softmark_exam::{Response, mistake, rule_mistake};

use crate::imitate::position::{
    Combine, RIGHT, Row, Rules, TooLong, alternate, angle, imitate, wave,
};

/// Mistakes of the task, with the rules that they change.
pub(super) const CATALOG: Catalog<Rules> = Catalog { right: RIGHT, imitate, mistakes: MISTAKES };

/// The more telling first.
const MISTAKES: &[RuleMistake<Rules>] = &[
    rule_mistake!("encoding-by-batch", [|it| it.row = Row::Example]),
    rule_mistake!("encoding-multiplied", [|it| it.combine = Combine::Multiply]),
    rule_mistake!("encoding-never-added", [alone(|it| it.combine = Combine::Omit)]),
    rule_mistake!("encoding-padded-to-max-len", [|it| it.combine = Combine::AddToPadded]),
    rule_mistake!("encoding-replaces", [|it| it.combine = Combine::Replace]),
    rule_mistake!("encoding-row-zero-only", [|it| it.row = Row::First]),
    rule_mistake!("encoding-rows-from-end", [|it| it.row = Row::FromEnd]),
    rule_mistake!(
        "encoding-rows-begin-again",
        [
            alone(|it| it.row = Row::AgainAfter(64)),
            alone(|it| it.row = Row::AgainAfter(100)),
            alone(|it| it.row = Row::AgainAfter(128)),
            alone(|it| it.row = Row::AgainAfter(256)),
            alone(|it| it.row = Row::AgainAfter(512)),
            |it| it.row = Row::AgainAfter(1000),
            alone(|it| it.row = Row::AgainAfter(1024)),
        ]
    ),
    rule_mistake!("encoding-rows-reversed", [|it| it.row = Row::Backwards]),
    rule_mistake!(
        "frequencies-fall-too-fast",
        [alone(|it| it.wave = |t, c, d| alternate(c, angle(t, c - c % 2, d, 10_000.0)))]
    ),
    rule_mistake!("input-scaled", [|it| it.combine = Combine::AddToScaled]),
    rule_mistake!("integer-exponent", [|it| it.wave = |t, c, _| alternate(c, t as f64)]),
    rule_mistake!("positions-from-one", [|it| it.row = Row::NextPosition]),
    rule_mistake!(
        "sine-cosine-concatenated",
        [alone(|it| it.wave = halves), alone(|it| it.wave = other_halves)]
    ),
    rule_mistake!(
        "sines-alone",
        [alone(|it| it.wave = |t, c, d| angle(t, c / 2, d, 10_000.0).sin())]
    ),
    rule_mistake!("sine-cosine-swapped", [|it| it.wave = |t, c, d| wave(t, c ^ 1, d, 10_000.0)]),
    rule_mistake!(
        "wrong-base",
        [
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 10.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 50.0)),
            |it| it.wave = |t, c, d| wave(t, c, d, 100.0),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 500.0)),
            |it| it.wave = |t, c, d| wave(t, c, d, 1_000.0),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 2_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 5_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 8_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 12_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 20_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 50_000.0)),
            |it| it.wave = |t, c, d| wave(t, c, d, 100_000.0),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 500_000.0)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 1e6)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 1e7)),
            alone(|it| it.wave = |t, c, d| wave(t, c, d, 1e9)),
        ]
    ),
    rule_mistake!("wrong-exponent", [alone(|it| it.wave = |t, c, d| alternate(c, each(t, c, d)))]),
    RuleMistake::other(mistake!("sinusoidal-in-f64", &[|case| in_f64(imitate(&RIGHT, case))])),
    rule_mistake!("sinusoidal-detached", [], &[|_, _, _| true]),
    rule_mistake!("odd-width-accepted", [|it| it.refuses_odd_width = false]),
    rule_mistake!("too-long-goes-on", [|it| it.too_long = TooLong::GoesOn]),
    rule_mistake!("too-long-panics", [|it| it.too_long = TooLong::Panics]),
    rule_mistake!("too-long-wraps", [|it| it.too_long = TooLong::Wraps]),
    rule_mistake!("too-long-clamped", [|it| it.too_long = TooLong::Clamped]),
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
