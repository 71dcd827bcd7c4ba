//! Scaled dot-product attention, written in ways of its own.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::names::hold;

/// A variant of attention, by its deviations from the right one.
struct Way {
    /// Factor of the products of query and key, by the width of a head.
    scale: fn(f64) -> f64,
    /// A score, and whether the mask shows it; a mask that is not there shows everything.
    masked: fn(f64, bool) -> f64,
    /// A weight after the softmax, and whether the mask shows it.
    after: fn(f64, bool) -> f64,
    /// True if query `i` may see key `j`, apart from the mask.
    sees: fn(usize, usize) -> bool,
    /// True if the rows of fully masked queries become zeros.
    zeroes: bool,
}

const RIGHT: Way = Way {
    scale: |k| k.powf(-0.5),
    masked: |score, shown| if shown { score } else { f64::NEG_INFINITY },
    after: |weight, _| weight,
    sees: |_, _| true,
    zeroes: true,
};

/// The exponentials' shares; `NaN` where no score is finite.
fn shares(row: &[f64]) -> Vec<f64> {
    let top = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let powers: Vec<f64> = row.iter().map(|score| (score - top).exp()).collect();
    let total: f64 = powers.iter().sum();
    powers.into_iter().map(|power| power / total).collect()
}

/// For each key, whether query `i` in head `h` of example `b` may see it.
fn shown(case: &Case, [b, h, i]: [usize; 3], keys: usize) -> Vec<bool> {
    let Some(mask) = case.find("mask") else { return vec![true; keys] };
    let h = if mask.dim(1) == 1 { 0 } else { h };
    (0..keys).map(|j| mask.at(&[b, h, i, j]) > 0.5).collect()
}

fn fits(case: &Case) -> bool {
    let keys = case.get("key").dim(2);
    case.get("value").dim(2) == keys && case.find("mask").is_none_or(|mask| mask.dim(3) == keys)
}

/// The weights, and then what they make of the values.
fn attend(way: &Way, case: &Case) -> (Array, Array) {
    let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
    let [b, h, tq, k] = [0, 1, 2, 3].map(|axis| query.dim(axis));
    let (keys, out) = (key.dim(2), value.dim(3));
    let mut weights = Array::full(&[b, h, tq, keys], 0.0);
    let mut output = Array::full(&[b, h, tq, out], 0.0);
    for at in 0..b * h * tq {
        let [b, h, i] = [at / (h * tq), at / tq % h, at % tq];
        let shown = shown(case, [b, h, i], keys);
        let scores = (0..keys).map(|j| {
            let dot: f64 = (0..k).map(|c| query.at(&[b, h, i, c]) * key.at(&[b, h, j, c])).sum();
            let score = (way.masked)(dot * (way.scale)(k as f64), shown[j]);
            if (way.sees)(i, j) { score } else { f64::NEG_INFINITY }
        });
        let scores: Vec<f64> = scores.collect();
        let blind = shown.iter().all(|it| !it);
        for (j, share) in shares(&scores).into_iter().enumerate() {
            let share = if blind && way.zeroes { 0.0 } else { (way.after)(share, shown[j]) };
            weights.set(&[b, h, i, j], share);
        }
        for c in 0..out {
            let sum = (0..keys).map(|j| weights.at(&[b, h, i, j]) * value.at(&[b, h, j, c])).sum();
            output.set(&[b, h, i, c], sum);
        }
    }
    (output, weights)
}

fn answer(way: &Way, case: &Case) -> Response {
    if !fits(case) {
        return Response::Refused;
    }
    let (output, weights) = attend(way, case);
    Response::attended(output, weights)
}

#[test]
fn mistakes_in_attention_are_named_however_they_are_written() {
    hold(
        "attention",
        "scaled-dot-product",
        &[
            (
                &["missing-scale"],
                ("no scale", |case| answer(&Way { scale: |_| 1.0, ..RIGHT }, case)),
            ),
            (
                &["scale-by-width"],
                ("K", |case| answer(&Way { scale: |k| k.recip(), ..RIGHT }, case)),
            ),
            (
                &["scale-inverted"],
                ("√K", |case| answer(&Way { scale: |k| k.powf(0.5), ..RIGHT }, case)),
            ),
            (
                &["always-causal"],
                ("a causal mask beside the other", |case| {
                    answer(&Way { sees: |i, j| j <= i, ..RIGHT }, case)
                }),
            ),
            (
                &["always-causal"],
                ("a causal mask where there is none", |case| {
                    let causal = Way { sees: |i, j| j <= i, ..RIGHT };
                    answer(if case.find("mask").is_some() { &RIGHT } else { &causal }, case)
                }),
            ),
        ],
    );
}

#[test]
fn mistakes_in_masks_are_named_however_they_are_written() {
    hold(
        "attention",
        "scaled-dot-product",
        &[
            (&["empty-row-nan"], ("−∞", |case| answer(&Way { zeroes: false, ..RIGHT }, case))),
            (
                &["empty-row-uniform"],
                ("a large number in the place of a score", |case| {
                    let masked = |score: f64, shown: bool| if shown { score } else { -3e38 };
                    answer(&Way { masked, zeroes: false, ..RIGHT }, case)
                }),
            ),
            (
                &["leaky-mask"],
                ("minus 10", |case| {
                    let masked = |score: f64, shown: bool| if shown { score } else { score - 10.0 };
                    answer(&Way { masked, zeroes: false, ..RIGHT }, case)
                }),
            ),
            (
                &["shallow-mask"],
                ("minus 10⁴, and empty rows cleared", |case| {
                    let masked = |score: f64, shown: bool| if shown { score } else { score - 1e4 };
                    answer(&Way { masked, ..RIGHT }, case)
                }),
            ),
            (
                &["mask-ignored"],
                ("a mask that is dropped", |case| {
                    let masked = |score: f64, _: bool| score;
                    let (output, weights) = attend(&Way { masked, zeroes: false, ..RIGHT }, case);
                    let fits = case.get("key").dim(2) == case.get("value").dim(2);
                    if fits { Response::attended(output, weights) } else { Response::Refused }
                }),
            ),
            (
                &["mask-after-softmax"],
                ("weights times mask", |case| {
                    let after = |weight: f64, shown: bool| weight * f64::from(u8::from(shown));
                    answer(&Way { masked: |score, _| score, after, ..RIGHT }, case)
                }),
            ),
            (
                &["output-without-mask"],
                ("weights alone masked", |case| {
                    if !fits(case) {
                        return Response::Refused;
                    }
                    let open = Way { masked: |score, _| score, zeroes: false, ..RIGHT };
                    Response::attended(attend(&open, case).0, attend(&RIGHT, case).1)
                }),
            ),
            (
                &["weights-without-mask"],
                ("the output alone masked", |case| {
                    if !fits(case) {
                        return Response::Refused;
                    }
                    let open = Way { masked: |score, _| score, zeroes: false, ..RIGHT };
                    Response::attended(attend(&RIGHT, case).0, attend(&open, case).1)
                }),
            ),
        ],
    );
}

#[test]
fn two_mistakes_in_attention_are_both_named() {
    hold(
        "attention",
        "scaled-dot-product",
        &[
            (
                &["mask-ignored", "missing-scale"],
                ("neither scale nor mask", |case| {
                    let way = Way { scale: |_| 1.0, masked: |s, _| s, zeroes: false, ..RIGHT };
                    let (output, weights) = attend(&way, case);
                    let fits = case.get("key").dim(2) == case.get("value").dim(2);
                    if fits { Response::attended(output, weights) } else { Response::Refused }
                }),
            ),
            (
                &["empty-row-nan", "scale-by-width"],
                ("another scale, and no zeros", |case| {
                    answer(&Way { scale: |k| 1.0 / k, zeroes: false, ..RIGHT }, case)
                }),
            ),
            (
                &["leaky-mask", "missing-scale"],
                ("no scale, minus 10", |case| {
                    let masked = |score: f64, shown: bool| if shown { score } else { score - 10.0 };
                    answer(&Way { scale: |_| 1.0, masked, ..RIGHT }, case)
                }),
            ),
        ],
    );
}

#[test]
fn near_misses_in_attention_are_given_no_name() {
    let none: &[&str] = &[];
    hold(
        "attention",
        "scaled-dot-product",
        &[
            (
                none,
                ("floored root", |case| {
                    answer(&Way { scale: |k| k.sqrt().floor().recip(), ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("rounded root", |case| {
                    answer(&Way { scale: |k| k.sqrt().round().recip(), ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("raised root", |case| {
                    answer(&Way { scale: |k| k.sqrt().ceil().recip(), ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("fourth root", |case| answer(&Way { scale: |k| k.powf(-0.25), ..RIGHT }, case)),
            ),
            (none, ("half", |case| answer(&Way { scale: |_| 0.5, ..RIGHT }, case))),
            (
                none,
                ("K − 1", |case| {
                    answer(&Way { scale: |k| 1.0 / (k - 1.0).max(1.0).sqrt(), ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("strictly causal", |case| {
                    answer(&Way { sees: |i, j| j < i || j == 0, ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("no look at oneself", |case| answer(&Way { sees: |i, j| i != j, ..RIGHT }, case)),
            ),
            (
                none,
                ("masks per head refused", |case| {
                    let per_head = case.find("mask").is_some_and(|mask| mask.dim(1) > 1);
                    if per_head { Response::Refused } else { answer(&RIGHT, case) }
                }),
            ),
            (
                none,
                ("masks dropped per head alone", |case| {
                    let per_head = case.find("mask").is_some_and(|mask| mask.dim(1) > 1);
                    let open = Way { masked: |score, _| score, ..RIGHT };
                    answer(if per_head { &open } else { &RIGHT }, case)
                }),
            ),
            (
                none,
                ("NaN wherever there is a mask", |case| {
                    let masked = |score: f64, shown: bool| if shown { score } else { f64::NAN };
                    answer(&Way { masked, ..RIGHT }, case)
                }),
            ),
        ],
    );
}
