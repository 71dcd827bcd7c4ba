//! Scaled dot-product attention by changeable rules.

use softmark_checks::{Array, Case};

use crate::suite::Given;
use crate::suite::attention::truth::is_beyond_limits;

/// Over which axis the softmax runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Softmax {
    /// The keys, as it should.
    OverKeys,
    /// The queries.
    OverQueries,
    /// The heads.
    OverHeads,
    /// There is none: the scores themselves are the weights.
    Missing,
}

/// What a mask does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Masking {
    /// Hidden keys take no part.
    Hides,
    /// Keys that may be seen take no part.
    Inverted,
    /// Nothing.
    Ignored,
    /// The first number is added to the score of a visible key, the second to that of a hidden one.
    Adds(f64, f64),
    /// Weights are set to zero after the softmax, and the others left as they are.
    AfterSoftmax,
    /// The weights that are returned are right; those that mix the values never saw a mask.
    WeightsOnly,
}

/// What becomes of a query that may look at nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum EmptyRow {
    /// Zeros, as it should.
    Zeros,
    /// `NaN`.
    NotANumber,
    /// Equal weights.
    Uniform,
    /// What the numbers come to.
    AsComputed,
}

/// What is returned as the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returned {
    /// The weights, as it should.
    Weights,
    /// The scores before any mask.
    Scores,
    /// The scores with something very negative where they are hidden.
    MaskedScores,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// What a score is multiplied with, by the width of a head.
    pub(crate) scale: fn(f64) -> f64,
    pub(crate) softmax: Softmax,
    pub(crate) masking: Masking,
    pub(crate) empty_row: EmptyRow,
    pub(crate) returned: Returned,
    /// Whether the exponential is taken as it comes, and overflows in `f32`.
    pub(crate) overflows: bool,
    /// Whether views that are not contiguous are refused.
    pub(crate) refuses_strided: bool,
    /// Whether a misfit is answered, and what that is.
    pub(crate) misfit: Given,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    scale: |k| 1.0 / k.sqrt(),
    softmax: Softmax::OverKeys,
    masking: Masking::Hides,
    empty_row: EmptyRow::Zeros,
    returned: Returned::Weights,
    overflows: false,
    refuses_strided: false,
    misfit: Given::Refused,
};

/// What attention by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Given {
    if is_beyond_limits(case) {
        return rules.misfit.clone();
    }
    if rules.refuses_strided && case.inputs.iter().any(|input| input.strided) {
        return Given::Refused;
    }
    let mask = case.find("mask");
    let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
    let (output, weights) = attend(rules, &query, &key, &value, mask.as_ref());
    Given::attended(output, weights)
}

/// Output and weights by these rules.
pub(crate) fn attend(
    rules: &Rules,
    query: &Array,
    key: &Array,
    value: &Array,
    mask: Option<&Array>,
) -> (Array, Array) {
    let bit = |at: &[usize]| match (mask, at) {
        (Some(m), &[b, h, i, j]) => m.at(&[b, h.min(m.dim(1) - 1), i, j]) != 0.0,
        _ => true,
    };
    let scores = scores(rules, query, key);
    let scored = match rules.masking {
        Masking::Adds(seen, hidden) if mask.is_some() => {
            by_index(&scores, |at, s| s + if bit(at) { seen } else { hidden })
        }
        _ => scores.clone(),
    };
    let takes_part = |at: &[usize]| match rules.masking {
        Masking::Hides | Masking::WeightsOnly => bit(at),
        Masking::Inverted => mask.is_none() || !bit(at),
        Masking::Ignored | Masking::Adds(..) | Masking::AfterSoftmax => true,
    };
    let mut weights = normalize(rules, &scored, &takes_part);
    if rules.masking == Masking::AfterSoftmax {
        weights = by_index(&weights, |at, w| if bit(at) { w } else { 0.0 });
    }
    let empty = |b, h, i| mask.is_some() && (0..key.dim(2)).all(|j| !bit(&[b, h, i, j]));
    let keys = key.dim(2) as f64;
    weights = by_index(&weights, |at, w| match *at {
        [b, h, i, _] if empty(b, h, i) => match rules.empty_row {
            EmptyRow::Zeros => 0.0,
            EmptyRow::NotANumber => f64::NAN,
            EmptyRow::Uniform => 1.0 / keys,
            EmptyRow::AsComputed => w,
        },
        _ => w,
    });
    let mixing = if rules.masking == Masking::WeightsOnly {
        normalize(rules, &scores, &|_| true)
    } else {
        weights.clone()
    };
    let output = mix(&mixing, value);
    let returned = match rules.returned {
        Returned::Weights => weights,
        Returned::Scores => scores,
        Returned::MaskedScores => {
            by_index(&scores, |at, s| if bit(at) { s } else { f64::NEG_INFINITY })
        }
    };
    (output, returned)
}

fn by_index(array: &Array, f: impl Fn(&[usize], f64) -> f64) -> Array {
    Array::from_fn(array.shape(), |at| f(at, array.at(at)))
}

fn scores(rules: &Rules, query: &Array, key: &Array) -> Array {
    let width = query.dim(3);
    let scale = (rules.scale)(width as f64);
    Array::from_fn(&[query.dim(0), query.dim(1), query.dim(2), key.dim(2)], |at| match *at {
        [b, h, i, j] => {
            let dot: f64 =
                (0..width).map(|c| query.at(&[b, h, i, c]) * key.at(&[b, h, j, c])).sum();
            dot * scale
        }
        _ => f64::NAN,
    })
}

/// The softmax along its axis over those that take part; 0 for the others.
fn normalize(rules: &Rules, scores: &Array, takes_part: &dyn Fn(&[usize]) -> bool) -> Array {
    let axis = match rules.softmax {
        Softmax::OverKeys => 3,
        Softmax::OverQueries => 2,
        Softmax::OverHeads => 1,
        Softmax::Missing => {
            return by_index(scores, |at, s| if takes_part(at) { s } else { 0.0 });
        }
    };
    by_index(scores, |at, score| {
        if !takes_part(at) {
            return 0.0;
        }
        let line: Vec<f64> = (0..scores.dim(axis))
            .map(|n| {
                let mut other = at.to_vec();
                other.iter_mut().skip(axis).take(1).for_each(|place| *place = n);
                other
            })
            .filter(|other| takes_part(other))
            .map(|other| scores.at(&other))
            .collect();
        if rules.overflows {
            return in_f32(score) / line.iter().map(|s| in_f32(*s)).sum::<f64>();
        }
        let most = line.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        (score - most).exp() / line.iter().map(|s| (s - most).exp()).sum::<f64>()
    })
}

/// The exponential as `f32` has it: infinite beyond 88.7, 0 below −104.
fn in_f32(score: f64) -> f64 {
    #[expect(clippy::cast_possible_truncation, reason = "the overflow is what is imitated")]
    f64::from((score as f32).exp())
}

fn mix(weights: &Array, value: &Array) -> Array {
    let shape = [weights.dim(0), weights.dim(1), weights.dim(2), value.dim(3)];
    Array::from_fn(&shape, |at| match *at {
        [b, h, i, c] => {
            (0..weights.dim(3)).map(|j| weights.at(&[b, h, i, j]) * value.at(&[b, h, j, c])).sum()
        }
        _ => f64::NAN,
    })
}
