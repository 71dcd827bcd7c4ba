//! Layers in which the texts of a batch attend to one another.
//!
//! Each is a right layer on a batch that was laid out otherwise. The weights of such a layer have other
//! shapes than `Observed::weights` documents; what is returned is folded into the documented one: the weight
//! of a query on a position, in whichever text, so that rows still sum to one.

use encoder_exam::imitate::algebra::turned;
use encoder_exam::imitate::layer::{RIGHT, observed};
use softmark_checks::{Array, Case};

/// The layer that attends along the batch: each token to the tokens at its place in all texts.
pub(super) fn along_the_batch(case: &Case) -> (Array, Array) {
    let (x, mask) = (case.get("x"), case.get("mask"));
    let all = Array::full(&[x.dim(1), x.dim(0)], 1.0);
    let (output, weights) = observed(&RIGHT, &case.with("x", turned(&x)).with("mask", all));
    let (texts, t) = (mask.dim(0), mask.dim(1));
    let folded = Array::from_fn(&[texts, weights.dim(1), t, t], |at| match *at {
        [b, h, i, j] if i == j => (0..texts).map(|other| weights.at(&[i, h, b, other])).sum(),
        [_, _, _, _] => 0.0,
        _ => f64::NAN,
    });
    (turned(&output), folded)
}

/// The layer that takes a batch for one long text: each token attends to the real tokens of all texts.
pub(super) fn as_one_text(case: &Case) -> (Array, Array) {
    let (x, mask) = (case.get("x"), case.get("mask"));
    let (texts, t, d) = (x.dim(0), x.dim(1), x.dim(2));
    let flat_x = Array::new(&[1, texts * t, d], x.values().to_vec());
    let flat_mask = Array::new(&[1, texts * t], mask.values().to_vec());
    let (output, weights) = observed(&RIGHT, &case.with("x", flat_x).with("mask", flat_mask));
    let folded = Array::from_fn(&[texts, weights.dim(1), t, t], |at| match *at {
        [b, h, i, j] => (0..texts).map(|other| weights.at(&[0, h, b * t + i, other * t + j])).sum(),
        _ => f64::NAN,
    });
    (Array::new(&[texts, t, d], output.values().to_vec()), folded)
}
