//! Task 2, attention weights in numbers: properties of every correct implementation.

use softmark_checks::array::Array;
use softmark_checks::case::Case;
use softmark_checks::check::{Check, CheckError, Stop};
use softmark_checks::outcome::Outcome;
use softmark_checks::search::search;
use softmark_checks::subject::{Subject, compare};
use softmark_common::compare::Tolerance;

use crate::cases::{WeightsShape, weights_shapes};

/// Public checks of the task, from the simplest to the most telling.
pub const CHECKS: &[Check] = &[
    Check {
        id: "statistics/all-alike",
        title: "a head that looks at all real tokens alike has entropy ln n and no distance",
        run: all_alike,
    },
    Check {
        id: "statistics/one-key",
        title: "a head that looks at one token has entropy 0 and distance 1 - 1/n",
        run: one_key,
    },
    Check {
        id: "statistics/on-padding",
        title: "the share of weight on padding is the one that was put there",
        run: on_padding,
    },
];

const CASES: usize = 6;

/// The three numbers of each head, in the order of the documentation.
pub const NUMBERS: [&str; 3] = ["entropy", "from_uniform", "on_padding"];

/// Returns the statistics of the heads, one array `[H]` per statistic.
///
/// # Errors
///
/// Fails with the verdict if there is no answer of that shape.
pub fn read(subject: &mut Subject<'_>, case: &Case) -> Result<[Array; 3], Stop> {
    let answer = subject.forward(case)?;
    let heads = case.get("weights").dim(1);
    let get = |name: &str| answer.get(case, name, &[heads]);
    Ok([get("entropy")?, get("from_uniform")?, get("on_padding")?])
}

/// Returns the tolerance for statistics that are computed in `f32`.
///
/// Each key contributes a product with a logarithm, at most four roundings. A mean may be one running sum over
/// all `B · T · T` weights, each addition of which rounds relative to the sum so far, and a division by the
/// number of queries: in all, `B · T · T + 6` roundings of a number that is at most `max(ln T, 1)`.
#[must_use]
pub fn tolerance(case: &Case) -> Tolerance {
    let weights = case.get("weights");
    let (b, t) = (weights.dim(0), weights.dim(3));
    Tolerance::f32(b * t * t + 6, (t as f64).ln().max(1.0))
}

/// Hints for each of the [numbers](NUMBERS), in their order.
const LOOKS: [&str; 3] = [
    "Look at which logarithm is taken, at what a weight of 0 adds, at which keys the sum runs over, at which \
     queries the mean counts, and at the precision of the weights.",
    "Look at what `n` counts, at which keys the sum runs over, at the factor in front of it, and at which \
     queries the mean counts.",
    "Look at which keys the sum runs over, and at which queries the mean counts.",
];

/// Compares the statistics of each head with the expected ones.
fn judge(subject: &mut Subject<'_>, case: &Case, want: [f64; 3], claim: &str) -> Result<(), Stop> {
    let heads = case.get("weights").dim(1);
    let got = read(subject, case)?;
    for (((name, got), want), look) in NUMBERS.into_iter().zip(&got).zip(want).zip(LOOKS) {
        let want = Array::full(&[heads], want);
        compare(case, name, (got, &want), tolerance(case), (claim, look))?;
    }
    Ok(())
}

/// The same number of real tokens in every text.
fn even(shape: &WeightsShape) -> (WeightsShape, usize) {
    let n = shape.texts.first().copied().unwrap_or(1).max(2);
    let texts = vec![n; shape.texts.len()];
    (WeightsShape { texts, t: shape.t.max(n), ..*shape }, n)
}

fn all_alike(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("statistics/all-alike", seed), CASES, weights_shapes(), |subject, shape| {
        let (shape, n) = even(shape);
        let case = shape.of(|at| match *at {
            [_, _, _, key] if key < n => 1.0 / n as f64,
            _ => 0.0,
        });
        let claim = "Every query looks at all real tokens alike, so its entropy is ln n, its distance \
                     to uniform 0 and its share on padding 0";
        judge(subject, &case, [(n as f64).ln(), 0.0, 0.0], claim)
    })
}

fn one_key(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("statistics/one-key", seed), CASES, weights_shapes(), |subject, shape| {
        let (shape, n) = even(shape);
        let case = shape.of(|at| match *at {
            [_, _, _, 0] => 1.0,
            _ => 0.0,
        });
        let claim = "Every query looks at the first token alone, so its entropy is 0, its distance to \
                     uniform 1 - 1/n and its share on padding 0";
        judge(subject, &case, [0.0, 1.0 - 1.0 / n as f64, 0.0], claim)
    })
}

fn on_padding(subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
    search(subject, ("statistics/on-padding", seed), CASES, weights_shapes(), |subject, shape| {
        let (shape, n) = even(shape);
        let shape = WeightsShape { t: n + 2, ..shape };
        // 3/8 on the two places of padding, and the rest on the first token.
        let case = shape.of(|at| match *at {
            [_, _, _, 0] => 0.625,
            [_, _, _, key] if key == n => 0.25,
            [_, _, _, key] if key > n => 0.125,
            _ => 0.0,
        });
        let entropy: f64 = [0.625_f64, 0.25, 0.125].iter().map(|w| -w * w.ln()).sum();
        let even = 1.0 / n as f64;
        let distance = 0.5 * ((0.625 - even).abs() + (n as f64 - 1.0) * even);
        let claim = "Every query has 5/8 of its weight on the first token and 3/8 on padding";
        judge(subject, &case, [entropy, distance, 0.375], claim)
    })
}
