//! Prefix tuning by changeable rules.

use std::collections::BTreeMap;

use encoder_exam::imitate::algebra::{NORM, linear, norm};
use encoder_exam::imitate::classifier::{Ends, ended};
use prefix_tuning_checks::cases::prefix_of;
use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::imitate::encoder::{self, Tells};
use crate::oracle::is_beyond_limits;

/// Where the prefix stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stands {
    /// Before the tokens, as it should.
    Before,
    /// Behind them.
    Behind,
    /// Nowhere.
    Nowhere,
}

/// What a text gets of the prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Gets {
    /// All of it, as it should.
    All,
    /// The vector of its place in the batch, as often as the prefix is long.
    VectorByText,
    /// Its first vector, as often as it is long.
    FirstVector,
}

/// What the prefix passes before it comes to the layers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Passes {
    /// Nothing, as it should.
    Nothing,
    /// The norm of the embedding.
    Norm,
    /// The table of positions.
    Positions,
    /// Both, the table first.
    PositionsAndNorm,
}

/// What the mask says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Seen {
    /// The prefix and the real tokens are seen, as they should be.
    Extended,
    /// The prefix is hidden.
    PrefixHidden,
    /// The ones of the prefix stand at the other end than the prefix does.
    OtherEnd,
    /// Everything is seen.
    Open,
    /// Padding is seen and real tokens are hidden; so is the prefix.
    Inverted,
}

/// What is pooled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pools {
    /// The real tokens, as it should be.
    RealTokens,
    /// The prefix and the real tokens.
    PrefixToo,
    /// The prefix alone.
    PrefixAlone,
    /// The tokens, padding too.
    AllTokens,
    /// Everything, padding and prefix too.
    Everything,
    /// As many places as there are tokens, from the first on, by the mask of the tokens.
    WrongPlaces,
    /// The sum of the real tokens, by the length with the padding.
    SumByLength,
    /// The sum of the real tokens.
    Sum,
    /// The first place of all.
    FirstPlace,
    /// The first token.
    FirstToken,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    pub(crate) stands: Stands,
    pub(crate) gets: Gets,
    pub(crate) passes: Passes,
    pub(crate) seen: Seen,
    pub(crate) pools: Pools,
    /// Whether the tokens have the positions that come after as many as the prefix is long.
    pub(crate) shifts: bool,
    /// Whether nothing is guarded against a mean of nothing.
    pub(crate) unguarded: bool,
    /// Value of `train` that the encoder is passed.
    pub(crate) tells: Tells,
    /// Whether a prefix is asked for where there is none.
    pub(crate) always_asks: bool,
    /// Whether the head has no bias.
    pub(crate) unbiased: bool,
    /// What comes after the head.
    pub(crate) ends: Ends,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    stands: Stands::Before,
    gets: Gets::All,
    passes: Passes::Nothing,
    seen: Seen::Extended,
    pools: Pools::RealTokens,
    shifts: false,
    unguarded: false,
    tells: Tells::Given,
    always_asks: false,
    unbiased: false,
    ends: Ends::Plain,
};

/// The prefix of each text, `[B, P, D]`.
fn prefixes(rules: &Rules, case: &Case, texts: usize) -> Array {
    let prefix = prefix_of(case);
    let (length, width) = (prefix.dim(0), prefix.dim(1));
    let each = Array::from_fn(&[texts, length, width], |at| match *at {
        [b, p, c] => match rules.gets {
            Gets::All => prefix.at(&[p, c]),
            Gets::VectorByText => prefix.at(&[b % length, c]),
            Gets::FirstVector => prefix.at(&[0, c]),
        },
        _ => f64::NAN,
    });
    let normed = |x: &Array| norm(NORM, case, "base.embedding_norm", x);
    match rules.passes {
        Passes::Nothing => each,
        Passes::Norm => normed(&each),
        Passes::Positions => encoder::with_positions(case, &each),
        Passes::PositionsAndNorm => normed(&encoder::with_positions(case, &each)),
    }
}

/// What a prefix and tokens are together along the second axis: `before` first.
fn joined(before: &Array, after: &Array) -> Array {
    let (first, second) = (before.dim(1), after.dim(1));
    let mut shape = before.shape().to_vec();
    if let Some(length) = shape.get_mut(1) {
        *length = first + second;
    }
    Array::from_fn(&shape, |at| match *at {
        [b, t, ref rest @ ..] if t < first => before.at(&[&[b, t], rest].concat()),
        [b, t, ref rest @ ..] => after.at(&[&[b, t - first], rest].concat()),
        _ => f64::NAN,
    })
}

fn pooled(rules: &Rules, h: &Array, mask: &Array, places: [usize; 2]) -> Array {
    let [prefix, tokens] = places;
    let (length, texts, t) = (h.dim(1) - mask.dim(1), mask.dim(0), mask.dim(1));
    Array::from_fn(&[texts, h.dim(2)], |at| match *at {
        [b, c] => {
            let of = |places: Vec<usize>| -> Vec<f64> {
                places.into_iter().map(|place| h.at(&[b, place, c])).collect()
            };
            let real = || (0..t).filter(|&t| mask.at(&[b, t]) == 1.0).map(|t| tokens + t);
            let of_prefix = || prefix..prefix + length;
            let mean = |of: Vec<f64>| {
                let n = if rules.unguarded { of.len() } else { of.len().max(1) };
                of.iter().sum::<f64>() / n as f64
            };
            let sum: f64 = of(real().collect()).iter().sum();
            match rules.pools {
                Pools::RealTokens => mean(of(real().collect())),
                Pools::PrefixToo => mean(of(of_prefix().chain(real()).collect())),
                Pools::PrefixAlone => mean(of(of_prefix().collect())),
                Pools::AllTokens => mean(of((tokens..tokens + t).collect())),
                Pools::Everything => mean(of((0..h.dim(1)).collect())),
                Pools::WrongPlaces => mean(of(real().map(|place| place - tokens).collect())),
                Pools::SumByLength => sum / t as f64,
                Pools::Sum => sum,
                Pools::FirstPlace => h.at(&[b, 0, c]),
                Pools::FirstToken => h.at(&[b, tokens, c]),
            }
        }
        _ => f64::NAN,
    })
}

/// What a classifier by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if is_beyond_limits(case) {
        return Response::Refused;
    }
    let length = case.get_size("prefix_length");
    if length == 0 && rules.always_asks {
        return Response::Refused;
    }
    let mask = case.get("mask");
    let tokens = encoder::embed(case, if rules.shifts { length } else { 0 });
    let stands = if length == 0 { Stands::Nowhere } else { rules.stands };
    let before = |value: f64| Array::full(&[mask.dim(0), length], value);
    let hidden = |bit: f64| match rules.seen {
        Seen::PrefixHidden | Seen::Inverted => 1.0 - bit,
        Seen::Extended | Seen::OtherEnd | Seen::Open => bit,
    };
    let seen = match rules.seen {
        Seen::Open => mask.map(|_| 1.0),
        Seen::Inverted => mask.map(|bit| 1.0 - bit),
        Seen::Extended | Seen::PrefixHidden | Seen::OtherEnd => mask.clone(),
    };
    let other_end = rules.seen == Seen::OtherEnd;
    let (x, seen, places) = match stands {
        Stands::Nowhere => (tokens, seen, [0, 0]),
        Stands::Before => {
            let prefix = prefixes(rules, case, mask.dim(0));
            let ones = before(hidden(1.0));
            let seen = if other_end { joined(&seen, &ones) } else { joined(&ones, &seen) };
            (joined(&prefix, &tokens), seen, [0, length])
        }
        Stands::Behind => {
            let prefix = prefixes(rules, case, mask.dim(0));
            let ones = before(hidden(1.0));
            let seen = if other_end { joined(&ones, &seen) } else { joined(&seen, &ones) };
            (joined(&tokens, &prefix), seen, [mask.dim(1), 0])
        }
    };
    let h = encoder::encode(&rules.tells.passed_on(case), &x, &seen);
    let pooled = pooled(rules, &h, &mask, places);
    let logits = ended(rules.ends, &linear(case, "classifier", !rules.unbiased, &pooled));
    Response::Outputs(BTreeMap::from([("logits".to_owned(), logits)]))
}
