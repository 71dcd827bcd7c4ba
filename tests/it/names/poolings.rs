//! Masked pooling, written in ways of its own.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::names::{Simulated, hold};

/// Result of each way of pooling for a channel, by its values and whether each is real.
struct Way {
    mean: fn(&[(f64, bool)]) -> f64,
    max: fn(&[(f64, bool)]) -> f64,
    first: fn(&[(f64, bool)]) -> f64,
}

const RIGHT: Way = Way { mean, max, first };

fn real(line: &[(f64, bool)]) -> Vec<f64> {
    line.iter().filter(|(_, real)| *real).map(|(x, _)| *x).collect()
}

fn mean(line: &[(f64, bool)]) -> f64 {
    let real = real(line);
    real.iter().sum::<f64>() / real.len().max(1) as f64
}

fn max(line: &[(f64, bool)]) -> f64 {
    real(line).into_iter().reduce(f64::max).unwrap_or(0.0)
}

fn first(line: &[(f64, bool)]) -> f64 {
    real(line).first().copied().unwrap_or(0.0)
}

fn answer(way: &Way, case: &Case) -> Response {
    let (x, mask) = (case.get("x"), case.find("mask"));
    let pool = [way.mean, way.max, way.first][case.get_size("kind")];
    Response::output(Array::from_fn(&[x.dim(0), x.dim(2)], |at| {
        let [b, c] = *at else { return f64::NAN };
        let line: Vec<(f64, bool)> = (0..x.dim(1))
            .map(|t| (x.at(&[b, t, c]), mask.as_ref().is_none_or(|m| m.at(&[b, t]) == 1.0)))
            .collect();
        pool(&line)
    }))
}

/// The plain mean of a line.
fn mean_of_all(line: &[(f64, bool)]) -> f64 {
    line.iter().map(|(x, _)| x).sum::<f64>() / line.len() as f64
}

/// The largest of a line.
fn max_of_all(line: &[(f64, bool)]) -> f64 {
    line.iter().map(|(x, _)| *x).fold(f64::NEG_INFINITY, f64::max)
}

/// The first of a line.
fn first_of_all(line: &[(f64, bool)]) -> f64 {
    line[0].0
}

/// Padding that is multiplied with its mask.
fn max_of_zeros(line: &[(f64, bool)]) -> f64 {
    line.iter().map(|(x, real)| if *real { *x } else { 0.0 }).fold(f64::NEG_INFINITY, f64::max)
}

/// A sum that is divided by the whole length.
fn mean_by_length(line: &[(f64, bool)]) -> f64 {
    real(line).iter().sum::<f64>() / line.len() as f64
}

/// Nothing divided by nothing.
fn mean_unguarded(line: &[(f64, bool)]) -> f64 {
    let real = real(line);
    real.iter().sum::<f64>() / real.len() as f64
}

/// The largest of nothing.
fn max_unguarded(line: &[(f64, bool)]) -> f64 {
    real(line).into_iter().fold(f64::NEG_INFINITY, f64::max)
}

#[test]
fn mistakes_in_pooling_are_named_however_they_are_written() {
    let table: &[(&[&str], Simulated)] = &[
        (
            &["mean-over-padding"],
            ("mean", |case| answer(&Way { mean: mean_of_all, ..RIGHT }, case)),
        ),
        (&["max-over-padding"], ("max", |case| answer(&Way { max: max_of_all, ..RIGHT }, case))),
        (
            &["first-ignores-mask"],
            ("first", |case| answer(&Way { first: first_of_all, ..RIGHT }, case)),
        ),
        (
            &["max-zero-for-padding"],
            ("zeros", |case| answer(&Way { max: max_of_zeros, ..RIGHT }, case)),
        ),
        (
            &["mean-divided-by-length"],
            ("by length", |case| answer(&Way { mean: mean_by_length, ..RIGHT }, case)),
        ),
        (&["empty-mask-nan"], ("0/0", |case| answer(&Way { mean: mean_unguarded, ..RIGHT }, case))),
        (
            &["empty-mask-infinite"],
            ("−∞", |case| answer(&Way { max: max_unguarded, ..RIGHT }, case)),
        ),
        (
            &["last-instead-of-first"],
            ("last", |case| {
                let last = |line: &[(f64, bool)]| real(line).last().copied().unwrap_or(0.0);
                answer(&Way { first: last, ..RIGHT }, case)
            }),
        ),
        (
            &["max-over-padding", "mean-over-padding"],
            ("mean and max", |case| {
                answer(&Way { mean: mean_of_all, max: max_of_all, first }, case)
            }),
        ),
        (
            // Two mistakes, which fail the same check.
            &["empty-mask-infinite"],
            ("nothing guarded", |case| {
                answer(&Way { mean: mean_unguarded, max: max_unguarded, first }, case)
            }),
        ),
        (
            &["first-ignores-mask", "max-zero-for-padding"],
            ("zeros, and the first", |case| {
                answer(&Way { max: max_of_zeros, first: first_of_all, ..RIGHT }, case)
            }),
        ),
        (
            &["pooling-ignores-mask"],
            ("all three", |case| {
                answer(&Way { mean: mean_of_all, max: max_of_all, first: first_of_all }, case)
            }),
        ),
    ];
    hold("attention", "masked-pooling", table);
}

#[test]
fn near_misses_in_pooling_are_given_no_name() {
    let none: &[&str] = &[];
    hold(
        "attention",
        "masked-pooling",
        &[
            (
                none,
                ("a sum", |case| {
                    answer(&Way { mean: |line| real(line).iter().sum(), ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("one too many", |case| {
                    let mean = |line: &[(f64, bool)]| {
                        let real = real(line);
                        real.iter().sum::<f64>() / (real.len() + 1) as f64
                    };
                    answer(&Way { mean, ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("the second", |case| {
                    let second =
                        |line: &[(f64, bool)]| real(line).iter().copied().nth(1).unwrap_or(0.0);
                    answer(&Way { first: second, ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("the smallest", |case| {
                    let min = |line: &[(f64, bool)]| {
                        real(line).into_iter().reduce(f64::min).unwrap_or(0.0)
                    };
                    answer(&Way { max: min, ..RIGHT }, case)
                }),
            ),
            (
                none,
                ("masks refused", |case| {
                    if case.find("mask").is_some() {
                        Response::Refused
                    } else {
                        answer(&RIGHT, case)
                    }
                }),
            ),
            (
                none,
                ("a maximum of sizes", |case| {
                    let size = |line: &[(f64, bool)]| {
                        real(line).into_iter().map(f64::abs).reduce(f64::max).unwrap_or(0.0)
                    };
                    answer(&Way { max: size, ..RIGHT }, case)
                }),
            ),
        ],
    );
}
