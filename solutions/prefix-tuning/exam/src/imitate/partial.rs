//! Tuning the last layers by changeable rules.

use std::collections::BTreeMap;

use encoder_exam::imitate::algebra::{
    DROPS, Dropping, NORM, Norm, Over, drop, linear, norm, turned,
};
use encoder_exam::imitate::classifier::{Ends, ended};
use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::imitate::encoder::{self, Tells};
use crate::oracle::is_beyond_limits;

/// Which token stands for the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Token {
    /// The first, as it should.
    First,
    /// The last place.
    Last,
    /// The last real token.
    LastReal,
    /// The mean of the real tokens.
    Mean,
    /// The mean of all places.
    MeanOfAll,
}

/// A step of the head between its two maps.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    Norm,
    /// A norm over the texts instead of over the channels.
    BatchNorm,
    Relu,
    Dropout,
    Tanh,
    Gelu,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    pub(crate) token: Token,
    /// What stands between the head's two maps, in order.
    pub(crate) head: &'static [Step],
    pub(crate) dropping: Dropping,
    /// Whether the encoder sees everything, padding too.
    pub(crate) open: bool,
    /// Whether the first map is left out.
    pub(crate) one_map: bool,
    /// What comes after the last map.
    pub(crate) ends: Ends,
    /// Value of `train` that the encoder is passed.
    pub(crate) tells: Tells,
    /// Value of `train` that the head's dropout is passed.
    pub(crate) tells_head: Tells,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    token: Token::First,
    head: &[Step::Norm, Step::Relu, Step::Dropout],
    dropping: DROPS,
    open: false,
    one_map: false,
    ends: Ends::Plain,
    tells: Tells::Given,
    tells_head: Tells::Given,
};

/// The vector of each text, `[B, 1, D]`.
fn chosen(token: Token, h: &Array, mask: &Array) -> Array {
    let (texts, t) = (h.dim(0), h.dim(1));
    Array::from_fn(&[texts, 1, h.dim(2)], |at| match *at {
        [b, _, c] => {
            let real: Vec<usize> = (0..t).filter(|&t| mask.at(&[b, t]) == 1.0).collect();
            let mean = |places: &[usize]| {
                let sum: f64 = places.iter().map(|&t| h.at(&[b, t, c])).sum();
                sum / places.len() as f64
            };
            match token {
                Token::First => h.at(&[b, 0, c]),
                Token::Last => h.at(&[b, t - 1, c]),
                Token::LastReal => h.at(&[b, real.last().copied().unwrap_or(0), c]),
                Token::Mean => mean(&real),
                Token::MeanOfAll => mean(&(0..t).collect::<Vec<_>>()),
            }
        }
        _ => f64::NAN,
    })
}

/// Over the texts, where those stand in the place of positions.
fn over_positions() -> Norm {
    Norm { over: Over::Positions, ..NORM }
}

/// What a classifier by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    let mask = case.get("mask");
    let seen = if rules.open { mask.map(|_| 1.0) } else { mask.clone() };
    // The case's dropout is the head's; the encoder below has a rate of its own.
    let below = case.with_size("dropout_permille", case.get_size("base_dropout_permille"));
    let h = encoder::encode(&rules.tells.passed_on(&below), &encoder::embed(case, 0), &seen);
    let first = chosen(rules.token, &h, &mask);
    let start = if rules.one_map { first } else { linear(case, "linear1", true, &first) };
    let of_head = rules.tells_head.passed_on(case);
    let hidden = rules.head.iter().fold(start, |x, step| match step {
        Step::Norm => norm(NORM, case, "norm", &x),
        Step::BatchNorm => turned(&norm(over_positions(), case, "norm", &turned(&x))),
        Step::Relu => x.map(|x| x.max(0.0)),
        Step::Dropout => drop(rules.dropping, &of_head, 0, &x),
        Step::Tanh => x.map(f64::tanh),
        Step::Gelu => x.map(softmark_exam::formula::gelu),
    });
    let logits = linear(case, "classifier", true, &hidden);
    let logits = Array::new(&[logits.dim(0), logits.dim(2)], logits.values().to_vec());
    Response::Outputs(BTreeMap::from([("logits".to_owned(), ended(rules.ends, &logits))]))
}
