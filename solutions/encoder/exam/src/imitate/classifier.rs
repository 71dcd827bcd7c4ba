//! The classifier by changeable rules, with a right encoder inside.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::limits::{has_long_texts, has_unknown_ids};

use crate::imitate::algebra::linear;
use crate::imitate::encoder;
use crate::oracle::without_stand_ins;
use crate::truth::is_beyond_limits;

/// What becomes one vector for a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pools {
    /// The mean over the real tokens, as it should.
    Mean,
    /// Their sum.
    Sum,
    /// Their sum, divided by the length.
    SumByLength,
    /// The mean over all positions.
    MeanOfAll,
    /// The mean over the padding.
    MeanOfPadding,
    /// The vector at the first position.
    First,
    /// The vector at the last position.
    Last,
    /// The largest number of each channel among the real tokens.
    Max,
    /// The mean over the examples, at each position.
    OverExamples,
}

/// What comes after the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ends {
    /// Nothing, as it should.
    Plain,
    /// A softmax over the classes.
    Softmax,
    /// The logarithm of a softmax over the classes.
    LogSoftmax,
    /// `ReLU`.
    Relu,
    /// The logistic function.
    Sigmoid,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) pools: Pools,
    pub(crate) ends: Ends,
    /// Whether the head has its bias.
    pub(crate) biased: bool,
    /// Whether `tanh` stands before the head.
    pub(crate) squashes: bool,
    /// Whether the encoder sees the mask.
    pub(crate) passes_mask: bool,
    /// What the encoder is told of training, where that is not what came in.
    pub(crate) tells: Option<bool>,
    /// Whether a mean of nothing is guarded against.
    pub(crate) guards: bool,
    /// True if an error of the encoder ends in a panic.
    pub(crate) unwraps: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    pools: Pools::Mean,
    ends: Ends::Plain,
    biased: true,
    squashes: false,
    passes_mask: true,
    tells: None,
    guards: true,
    unwraps: false,
};

#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the rules of the other parts")]
fn pooled(rules: &Rules, x: &Array, mask: &Array) -> Array {
    let (examples, length, width) = (x.dim(0), x.dim(1), x.dim(2));
    if rules.pools == Pools::OverExamples {
        return Array::from_fn(&[length, width], |at| match *at {
            [t, c] => (0..examples).map(|b| x.at(&[b, t, c])).sum::<f64>() / examples as f64,
            _ => f64::NAN,
        });
    }
    Array::from_fn(&[examples, width], |at| match *at {
        [b, c] => {
            let of = |bit: f64| -> Vec<f64> {
                let those = (0..length).filter(|&t| mask.at(&[b, t]) == bit);
                those.map(|t| x.at(&[b, t, c])).collect()
            };
            let (real, padding) = (of(1.0), of(0.0));
            let mean = |of: &[f64]| {
                let n = if rules.guards { of.len().max(1) } else { of.len() };
                of.iter().sum::<f64>() / n as f64
            };
            match rules.pools {
                Pools::Mean => mean(&real),
                Pools::Sum => real.iter().sum(),
                Pools::SumByLength => real.iter().sum::<f64>() / length as f64,
                Pools::MeanOfAll => mean(&[real, padding].concat()),
                Pools::MeanOfPadding => mean(&padding),
                Pools::First => x.at(&[b, 0, c]),
                Pools::Last => x.at(&[b, length - 1, c]),
                Pools::Max if real.is_empty() => 0.0,
                Pools::Max => real.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                Pools::OverExamples => f64::NAN,
            }
        }
        _ => f64::NAN,
    })
}

/// Applies what comes after the head to the logits.
pub fn ended(ends: Ends, logits: &Array) -> Array {
    let classes = logits.dim(1).max(1);
    let per_row = |f: &dyn Fn(f64, f64) -> f64| {
        let rows = logits.values().chunks(classes);
        let values = rows.flat_map(|row| {
            let total: f64 = row.iter().map(|x| x.exp()).sum();
            row.iter().map(move |x| f(*x, total)).collect::<Vec<_>>()
        });
        Array::new(logits.shape(), values.collect())
    };
    match ends {
        Ends::Plain => logits.clone(),
        Ends::Softmax => per_row(&|x, total| x.exp() / total),
        Ends::LogSoftmax => per_row(&|x, total| x - total.ln()),
        Ends::Relu => logits.map(|x| x.max(0.0)),
        Ends::Sigmoid => logits.map(|x| 1.0 / (1.0 + (-x).exp())),
    }
}

/// What a classifier by these rules gives in answer.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "as the rules of the other parts")]
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    let case = &without_stand_ins(case);
    if rules.unwraps && (has_unknown_ids(case) || has_long_texts(case)) {
        return Response::Panicked;
    }
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    let mask = case.get("mask");
    let seen = if rules.passes_mask { mask.clone() } else { mask.map(|_| 1.0) };
    let told = match rules.tells {
        Some(train) => case.with_size("train", usize::from(train)),
        None => case.clone(),
    };
    let Some(x) = encoder::pass(&encoder::RIGHT, &told, &seen) else { return Response::Refused };
    let pooled = pooled(rules, &x, &mask);
    let pooled = if rules.squashes { pooled.map(f64::tanh) } else { pooled };
    let logits = ended(rules.ends, &linear(case, "classifier", rules.biased, &pooled));
    Response::Outputs(BTreeMap::from([("logits".to_owned(), logits)]))
}
