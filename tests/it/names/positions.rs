//! Positional encodings, written in ways of their own.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::names::{Simulated, hold, panicking};

/// The output for each position, by the input's value and its place; `None` where there is no row.
fn encoded(case: &Case, length: usize, value: impl Fn([usize; 3], f64) -> Option<f64>) -> Response {
    let x = case.get("x");
    if x.dim(1) > case.get_size("max_len") {
        return Response::Refused;
    }
    let mut missing = false;
    let output = Array::from_fn(&[x.dim(0), length, x.dim(2)], |at| {
        let [b, t, c] = *at else { return f64::NAN };
        let here = if t < x.dim(1) { x.at(at) } else { 0.0 };
        value([b, t, c], here).unwrap_or_else(|| {
            missing = true;
            f64::NAN
        })
    });
    if missing { Response::Refused } else { Response::output(output) }
}

/// Sine or cosine of an angle, by the channel.
fn turn(c: usize, angle: f64) -> f64 {
    if c.is_multiple_of(2) { angle.sin() } else { angle.cos() }
}

/// The formula, with the exponential of a logarithm as much code has it.
fn wave(t: usize, c: usize, d: usize, base: f64) -> f64 {
    turn(c, t as f64 * (-(base.ln()) * (2 * (c / 2)) as f64 / d as f64).exp())
}

fn sines(case: &Case, value: impl Fn(usize, [usize; 3], f64) -> f64) -> Response {
    let d = case.get("x").dim(2);
    if d % 2 == 1 {
        return Response::Refused;
    }
    encoded(case, case.get("x").dim(1), |at, x| Some(value(d, at, x)))
}

/// The input plus the formula with another base.
fn with_base(case: &Case, base: f64) -> Response {
    sines(case, |d, [_, t, c], x| x + wave(t, c, d, base))
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of parts")]
fn mistakes_in_sines_are_named_however_they_are_written() {
    let table: &[(&[&str], Simulated)] = &[
        (&["wrong-base"], ("10³", |case| with_base(case, 1e3))),
        (&["wrong-base"], ("5·10⁵", |case| with_base(case, 5e5))),
        (&["wrong-base"], ("half the exponent", |case| with_base(case, 1e2))),
        (&["frequencies-fall-too-fast"], ("twice the exponent", |case| with_base(case, 1e8))),
        (
            &["positions-from-one"],
            ("from one", |case| sines(case, |d, [_, t, c], x| x + wave(t + 1, c, d, 1e4))),
        ),
        (
            &["sines-alone"],
            ("sines alone", |case| sines(case, |d, [_, t, c], x| x + wave(t, c - c % 2, d, 1e4))),
        ),
        (
            &["sine-cosine-swapped"],
            ("cosines first", |case| {
                sines(case, |d, [_, t, c], x| {
                    x + wave(t, if c % 2 == 0 { c + 1 } else { c - 1 }, d, 1e4)
                })
            }),
        ),
        (
            &["sine-cosine-concatenated"],
            ("halves", |case| {
                sines(case, |d, [_, t, c], x| {
                    let pair = if c < d / 2 { 2 * c } else { 2 * (c - d / 2) + 1 };
                    x + wave(t, pair, d, 1e4)
                })
            }),
        ),
        (
            &["input-scaled"],
            ("times √D", |case| {
                sines(case, |d, [_, t, c], x| x * (d as f64).sqrt() + wave(t, c, d, 1e4))
            }),
        ),
        (&["encoding-never-added"], ("nothing", |case| sines(case, |_, _, x| x))),
        (
            &["encoding-replaces"],
            ("alone", |case| sines(case, |d, [_, t, c], _| wave(t, c, d, 1e4))),
        ),
        (
            &["encoding-rows-reversed"],
            ("backwards", |case| {
                let last = case.get("x").dim(1) - 1;
                sines(case, |d, [_, t, c], x| x + wave(last - t, c, d, 1e4))
            }),
        ),
        (
            &["encoding-rows-from-end"],
            ("from the end", |case| {
                let first = case.get_size("max_len").saturating_sub(case.get("x").dim(1));
                sines(case, |d, [_, t, c], x| x + wave(first + t, c, d, 1e4))
            }),
        ),
        (
            &["encoding-row-zero-only"],
            ("one row", |case| sines(case, |d, [_, _, c], x| x + wave(0, c, d, 1e4))),
        ),
        (
            &["encoding-by-batch"],
            ("by example", |case| sines(case, |d, [b, _, c], x| x + wave(b, c, d, 1e4))),
        ),
        (
            &["encoding-padded-to-max-len"],
            ("padded", |case| {
                let (d, length) = (case.get("x").dim(2), case.get_size("max_len"));
                if d % 2 == 1 {
                    return Response::Refused;
                }
                encoded(case, length, |[_, t, c], x| Some(x + wave(t, c, d, 1e4)))
            }),
        ),
        (
            &["odd-width-accepted"],
            ("odd widths", |case| {
                let d = case.get("x").dim(2);
                encoded(case, case.get("x").dim(1), |[_, t, c], x| Some(x + wave(t, c, d, 1e4)))
            }),
        ),
    ];
    hold("attention", "sinusoidal-position", table);
}

#[test]
fn two_mistakes_in_sines_are_both_named() {
    hold(
        "attention",
        "sinusoidal-position",
        &[(
            &["positions-from-one", "wrong-base"],
            ("from one, with another base", |case| {
                sines(case, |d, [_, t, c], x| x + wave(t + 1, c, d, 1e3))
            }),
        )],
    );
}

#[test]
fn near_misses_in_sines_are_given_no_name() {
    let none: &[&str] = &[];
    hold(
        "attention",
        "sinusoidal-position",
        &[
            (none, ("from two", |case| sines(case, |d, [_, t, c], x| x + wave(t + 2, c, d, 1e4)))),
            (
                none,
                ("in degrees", |case| sines(case, |d, [_, t, c], x| x + wave(t * 57, c, d, 1e4))),
            ),
            (
                none,
                ("half of it", |case| sines(case, |d, [_, t, c], x| x + 0.5 * wave(t, c, d, 1e4))),
            ),
            (none, ("subtracted", |case| sines(case, |d, [_, t, c], x| x - wave(t, c, d, 1e4)))),
            (
                none,
                ("a table that is too short by one", |case| {
                    if case.get("x").dim(1) == case.get_size("max_len") {
                        Response::Refused
                    } else {
                        with_base(case, 1e4)
                    }
                }),
            ),
        ],
    );
}

/// The input plus a row of the table, by the place.
fn learned(case: &Case, row: impl Fn([usize; 3]) -> usize) -> Response {
    let table = case.get_parameter("position_embedding.weight");
    encoded(case, case.get("x").dim(1), |at, x| {
        let [_, _, c] = at;
        (row(at) < table.dim(0)).then(|| x + table.at(&[row(at), c]))
    })
}

#[test]
fn mistakes_in_learned_positions_are_named_however_they_are_written() {
    let table: &[(&[&str], Simulated)] = &[
        (&["learned-from-one"], ("from one", |case| learned(case, |[_, t, _]| t + 1))),
        (&["learned-by-batch"], ("by example", |case| learned(case, |[b, _, _]| b))),
        (&["learned-row-zero-only"], ("one row", |case| learned(case, |_| 0))),
        (
            &["learned-rows-from-end"],
            ("from the end", |case| {
                let spare = case.get_size("max_len").saturating_sub(case.get("x").dim(1));
                learned(case, |[_, t, _]| spare + t)
            }),
        ),
        (
            &["learned-rows-reversed"],
            ("backwards", |case| {
                let last = case.get("x").dim(1) - 1;
                learned(case, |[_, t, _]| last - t)
            }),
        ),
        (
            &["learned-input-scaled"],
            ("times √D", |case| {
                let (d, table) =
                    (case.get("x").dim(2), case.get_parameter("position_embedding.weight"));
                encoded(case, case.get("x").dim(1), |[_, t, c], x| {
                    Some(x * (d as f64).sqrt() + table.at(&[t, c]))
                })
            }),
        ),
        (
            &["learned-never-asked"],
            ("nothing", |case| encoded(case, case.get("x").dim(1), |_, x| Some(x))),
        ),
        (&["learned-too-long-panics"], ("a slice", |case| panicking(learned(case, |[_, t, _]| t)))),
    ];
    hold("attention", "learned-position", table);
}

#[test]
fn near_misses_in_learned_positions_are_given_no_name() {
    let none: &[&str] = &[];
    hold(
        "attention",
        "learned-position",
        &[
            (none, ("from two", |case| learned(case, |[_, t, _]| t + 2))),
            (none, ("from three", |case| learned(case, |[_, t, _]| t + 3))),
            (none, ("every second row", |case| learned(case, |[_, t, _]| 2 * t))),
            (
                none,
                ("from two, or from the end", |case| {
                    let spare = case.get_size("max_len").saturating_sub(case.get("x").dim(1));
                    learned(case, |[_, t, _]| t + spare.min(2))
                }),
            ),
            (
                none,
                ("a full table refused", |case| {
                    if case.get("x").dim(1) == case.get_size("max_len") {
                        Response::Refused
                    } else {
                        learned(case, |[_, t, _]| t)
                    }
                }),
            ),
        ],
    );
}
