//! Hidden checks of sinusoidal positions.

use attention_checks::cases::{PositionShape, position_shapes};
use attention_checks::fixed::{self, with_full_mantissas};
use attention_checks::sinusoidal_position::{changes_something, encode};
use proptest::prelude::*;
use softmark_checks::check::if_passed;
use softmark_checks::subject::{compare, refuses};
use softmark_checks::{Array, Case, Check, CheckError, Judged, Outcome, Subject, search};
use softmark_common::compare::Tolerance;
use softmark_exam::check::{LossyOperations, answers_again, expected_output, matches_oracle};

use crate::checks::{refuses_other_widths, slopes};
use crate::oracle::oracle;

/// Hidden checks of the task.
pub(crate) const CHECKS: &[Check] = &[
    Check {
        id: "sinusoidal-position/matches-reference",
        title: "the sines and cosines are those of the formula",
        run: matches_reference,
    },
    Check {
        id: "sinusoidal-position/far-positions",
        title: "they still are, thousands of positions on",
        run: far_positions,
    },
    Check {
        id: "sinusoidal-position/refuses-odd-width",
        title: "an odd width is an error",
        run: refuses_odd_width,
    },
    Check {
        id: "sinusoidal-position/refuses-too-long",
        title: "a sequence longer than the table is an error",
        run: refuses_too_long,
    },
    Check {
        id: "sinusoidal-position/refuses-misfits",
        title: "an input of another width is an error",
        run: refuses_misfits,
    },
    Check {
        id: "sinusoidal-position/gradients",
        title: "the gradient passes through unchanged",
        run: gradients,
    },
];

/// For positions below `t`.
///
/// A frequency that is computed in `f32`, as `exp(−ln 10000 · 2i/D)`, has an exponent of up to 9.2
/// and so a relative error of about 12 roundings; the angle is `t` times that, and an angle's error
/// is the sine's. Eight more for the addition and the sine.
fn tolerance(t: usize) -> Tolerance {
    Tolerance::f32(12 * t + 8, 1.0) + Tolerance::f32(2, 3.0)
}

const FORMULA: (&str, &str) = (
    "The output should be x plus the sines and cosines of the formula",
    "Write out the first three rows for D = 4 on paper and hold your table against them.",
);

fn matches_reference(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/matches-reference", seed);
    let shapes = (position_shapes(), any::<bool>());
    let found = search(subject, run, 12, shapes, |subject, (shape, strided)| {
        let case = PositionShape { strided: *strided, ..*shape }.sinusoidal(seed);
        matches_oracle(subject, &case, oracle, tolerance(shape.t), FORMULA)
    })?;
    if_passed(found, || {
        // Wider, and of more examples, than any random one.
        let shape = PositionShape { b: 17, t: 19, half: 33, spare: 3, strided: false, data: 0 };
        let case = with_full_mantissas(&shape.sinusoidal(fixed::SEED));
        matches_oracle(subject, &case, oracle, tolerance(shape.t), FORMULA)?;
        let other = PositionShape { t: 17, spare: 5, ..shape }.sinusoidal(fixed::SEED);
        // The shorter one first: rows that are kept from it do not suffice for the longer one.
        let x = case.get("x");
        answers_again(subject, (&other, &case), ("output", x.shape()), tolerance(shape.t))
    })
}

const FAR: (&str, &str) = (
    "The encoding should still be right hundreds and thousands of positions on, up to max_len itself",
    "Look at the frequencies: a small error in one grows with the position.",
);

/// A sequence of 400: far enough for every wrong frequency to come apart. And one of 5001, in which what is
/// added up position by position drifts away.
fn far_positions(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/far-positions", seed);
    let far = |t, half| PositionShape { b: 1, t, half, spare: 0, strided: false, data: 0 };
    let found = search(subject, run, 2, 2..=6_usize, |subject, half| {
        let shape = far(400, *half);
        matches_oracle(subject, &shape.sinusoidal(seed), oracle, tolerance(shape.t), FAR)
    })?;
    if_passed(found, || each_frequency_is_right(subject, &far(5001, 6).sinusoidal(fixed::SEED)))
}

/// Compares the channels of each frequency with the oracle's, each with a tolerance of its own.
///
/// In `f32`, the exponent `e = ln 10000 · 2i/D` is rounded twice, its exponential once and the product
/// with the position once, which is `2e + 2` roundings of the angle; four times that is allowed, so that
/// right code stays far away from it. Where the position alone is the angle (`i = 0`), that is 0.005 at
/// position 5000.
fn each_frequency_is_right(subject: &mut Subject<'_>, case: &Case) -> Judged {
    let x = case.get("x");
    let (t, half) = (x.dim(1) as f64, x.dim(2) / 2);
    let (got, want) = (encode(subject, case)?, expected_output(case, oracle, "output")?);
    for pair in 0..half {
        let exponent = 10_000_f64.ln() * pair as f64 / half as f64;
        let angle = t * (-exponent).exp();
        let tolerance = Tolerance::f32(1, 4.0 * (exponent + 1.0) * angle + 8.0);
        // Channels of other frequencies are compared with themselves.
        let of_pair = |of: &Array| {
            Array::from_fn(x.shape(), |at| match *at {
                [_, _, c] if c / 2 == pair => of.at(at),
                _ => want.at(at),
            })
        };
        compare(case, "output", (&of_pair(&got), &want), tolerance, FAR)?;
    }
    Ok(())
}

/// The case with a model that is one channel wider.
pub(crate) fn odd(case: &Case) -> Case {
    let x = case.get("x");
    let d = x.dim(2) + 1;
    let wider = case.with("x", Array::full(&[x.dim(0), x.dim(1), d], 0.5));
    let mut odd = wider.with_size("d_model", d);
    odd.label = format!("D={d}");
    odd
}

fn refuses_odd_width(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/refuses-odd-width", seed);
    search(subject, run, 3, position_shapes(), |subject, shape| {
        let case = shape.sinusoidal(seed);
        let odd = odd(&case);
        let words = (
            "An odd width leaves a sine without its cosine, so `new` should refuse it",
            "Look at what your code makes of the last channel.",
        );
        refuses(subject, (&case, &odd), words)
    })
}

/// The case with a table that is too short by `by`.
pub(crate) fn too_long(case: &Case, by: usize) -> Case {
    let t = case.get("x").dim(1);
    let max_len = t - by.min(t - 1);
    let mut long = case.with_size("max_len", max_len);
    long.label = format!("T={t} max_len={max_len}");
    long
}

fn refuses_too_long(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/refuses-too-long", seed);
    search(subject, run, 4, (position_shapes(), 1..=3_usize), |subject, (shape, by)| {
        let case = PositionShape { t: shape.t.max(2), ..*shape }.sinusoidal(seed);
        let words = (
            "The sequence is longer than max_len, so `encode` should return an error",
            "Look at what is asked of the table, and what candle does beyond its end.",
        );
        refuses(subject, (&case, &too_long(&case, *by)), words)
    })
}

fn refuses_misfits(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/refuses-misfits", seed);
    search(subject, run, 3, position_shapes(), |subject, shape| {
        refuses_other_widths(subject, &shape.sinusoidal(seed))
    })
}

fn gradients(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    let run = ("sinusoidal-position/gradients", seed);
    search(subject, run, 3, position_shapes(), |subject, shape| {
        let case = shape.sinusoidal(seed);
        // The gradient is the cotangent itself; what differences lose (about 10⁻⁸) is below this.
        let tolerances = (tolerance(shape.t), Tolerance::f32(4, 1.0));
        slopes(subject, (&case, &case), seed, tolerances, LossyOperations::None)?;
        changes_something(subject, shape, seed)
    })
}
