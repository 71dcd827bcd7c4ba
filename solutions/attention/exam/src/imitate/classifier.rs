//! The classifier by changeable rules, with right parts inside.

use std::collections::BTreeMap;

use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::limits::{has_long_texts, has_uneven_heads, has_unknown_ids};

use crate::imitate::{multi_head, pooling};
use crate::oracle::without_stand_ins;
use crate::truth::has_misfit;

/// Where positions are added.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Positions {
    /// To the tokens, as they should.
    BeforeAttention,
    /// To what the attention gives.
    AfterAttention,
    /// Nowhere.
    Missing,
}

/// Which keys a query may see.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sees {
    /// The real tokens, as it should.
    RealTokens,
    /// All.
    All,
    /// Padding alone.
    Padding,
    /// The real tokens up to its own place.
    Earlier,
}

/// Where the norm stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Norm {
    /// After the attention where the config says so, as it should.
    AsAsked,
    /// Nowhere.
    Missing,
    /// Before the attention where the config says so.
    Before,
    /// After the attention, without weight and bias where the config does not say so.
    Always,
}

/// What a text becomes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Pools {
    /// Pooled as the config says.
    AsAsked,
    /// Always the mean.
    Mean,
    /// Always the maximum.
    Max,
    /// Always the first real token.
    First,
    /// As the config says, padding included.
    Everything,
    /// As the config says, over the texts at each place.
    OverTexts,
    /// As the config says; where there is no token, what `0 / 0` or a maximum of nothing gives.
    Unguarded,
}

/// What comes after the head.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ends {
    /// Nothing, as it should.
    Plain,
    /// A softmax.
    Softmax,
    /// Its logarithm.
    LogSoftmax,
}

/// What becomes of ids that have no row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unknown {
    /// An error, as it should be.
    Refused,
    /// A panic.
    Panicked,
    /// The last row stands for them.
    LastRow,
    /// They are counted on from the start.
    Wrapped,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone, Copy)]
#[expect(clippy::struct_excessive_bools, reason = "each is a mistake of its own")]
pub(crate) struct Rules {
    /// What tokens are multiplied with, by the width of the model.
    pub(crate) scale: fn(f64) -> f64,
    pub(crate) positions: Positions,
    pub(crate) sees: Sees,
    /// Whether texts attend to one another, place by place.
    pub(crate) across_texts: bool,
    /// Whether what went into the attention is added to what comes out.
    pub(crate) residual: bool,
    pub(crate) norm: Norm,
    pub(crate) pools: Pools,
    pub(crate) ends: Ends,
    pub(crate) unknown: Unknown,
    /// Number that is added to the variance in the norm.
    pub(crate) epsilon: f64,
    /// Whether a text that is longer than the table of positions is refused.
    pub(crate) refuses_too_long: bool,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    scale: |_| 1.0,
    positions: Positions::BeforeAttention,
    sees: Sees::RealTokens,
    across_texts: false,
    residual: false,
    norm: Norm::AsAsked,
    pools: Pools::AsAsked,
    ends: Ends::Plain,
    unknown: Unknown::Refused,
    epsilon: 1e-5,
    refuses_too_long: true,
};

fn tokens(rules: &Rules, case: &Case) -> Array {
    let (ids, table) = (case.get("ids"), case.get_parameter("token_embedding.weight"));
    let (rows, d) = (table.dim(0), table.dim(1));
    let scale = (rules.scale)(d as f64);
    // Ids are whole numbers a little beyond the table at most.
    let whole = |id: f64| (0..rows + 64).find(|n| *n as f64 >= id).unwrap_or(0);
    let row = |id: usize| match rules.unknown {
        Unknown::Wrapped => id % rows.max(1),
        Unknown::LastRow => id.min(rows.saturating_sub(1)),
        Unknown::Refused | Unknown::Panicked => id,
    };
    let mut values = Vec::new();
    for id in ids.values() {
        let row = row(whole(*id));
        values.extend((0..d).map(|c| table.at(&[row, c]) * scale));
    }
    Array::new(&[ids.dim(0), ids.dim(1), d], values)
}

fn added(x: &Array, y: &Array) -> Array {
    Array::new(x.shape(), x.values().iter().zip(y.values()).map(|(x, y)| x + y).collect())
}

fn with_positions(case: &Case, x: &Array) -> Array {
    let table = case.get_parameter("position_embedding.weight");
    Array::from_fn(x.shape(), |at| match *at {
        [_, t, c] => x.at(at) + table.at(&[t, c]),
        _ => f64::NAN,
    })
}

/// `[A, B, …]` → `[B, A, …]` for two or three axes.
fn turned(x: &Array) -> Array {
    let mut shape = x.shape().to_vec();
    shape.swap(0, 1);
    Array::from_fn(&shape, |at| {
        let mut place = at.to_vec();
        place.swap(0, 1);
        x.at(&place)
    })
}

/// What multi-head attention gives for `x`; `None` where it refuses.
fn attended(rules: &Rules, case: &Case, x: &Array) -> Option<Array> {
    let x = if rules.across_texts { turned(x) } else { x.clone() };
    let mask = case.get("mask");
    let mask = if rules.across_texts { turned(&mask) } else { mask };
    let seen = Array::from_fn(&[x.dim(0), x.dim(1), x.dim(1)], |at| match *at {
        [b, i, j] => {
            let real = mask.at(&[b, j]);
            match rules.sees {
                Sees::All => 1.0,
                Sees::Padding => 1.0 - real,
                Sees::Earlier if j > i => 0.0,
                Sees::Earlier | Sees::RealTokens => real,
            }
        }
        _ => f64::NAN,
    });
    let mut inner = Case::new(&attention_checks::signatures::MULTI_HEAD, String::new())
        .size("d_model", case.get_size("d_model"))
        .size("heads", case.get_size("heads"));
    for (name, array) in &case.parameters {
        if let Some(name) = name.strip_prefix("self_attn.") {
            inner = inner.parameter(name, array.clone());
        }
    }
    let inner = inner.input("query", x).mask(Some(seen));
    let Response::Outputs(mut outputs) = multi_head::imitate(&multi_head::RIGHT, &inner) else {
        return None;
    };
    let output = outputs.remove("output")?;
    Some(if rules.across_texts { turned(&output) } else { output })
}

/// Each row with mean 0 and variance 1, times the weight plus the bias where `affine`.
fn normed(rules: &Rules, case: &Case, x: &Array, affine: bool) -> Array {
    let (weight, bias) = (case.get_parameter("norm.weight"), case.get_parameter("norm.bias"));
    let d = x.dim(2).max(1);
    let mut values = Vec::new();
    for row in x.values().chunks(d) {
        let mean = row.iter().sum::<f64>() / d as f64;
        let square = row.iter().map(|x| x * x).sum::<f64>() / d as f64;
        let deviation = (square - mean * mean + rules.epsilon).sqrt();
        values.extend(row.iter().enumerate().map(|(c, x)| {
            let y = (x - mean) / deviation;
            if affine { y * weight.at(&[c]) + bias.at(&[c]) } else { y }
        }));
    }
    Array::new(x.shape(), values)
}

fn pooled(rules: &Rules, case: &Case, x: &Array) -> Option<Array> {
    let kind = match rules.pools {
        Pools::Mean => 0,
        Pools::Max => 1,
        Pools::First => 2,
        Pools::AsAsked | Pools::Everything | Pools::OverTexts | Pools::Unguarded => {
            case.get_size("kind")
        }
    };
    let mask = case.get("mask");
    let over_texts = rules.pools == Pools::OverTexts;
    let (x, mask) = if over_texts { (turned(x), turned(&mask)) } else { (x.clone(), mask) };
    let mask = Some(mask).filter(|_| rules.pools != Pools::Everything);
    let inner = Case::new(&attention_checks::signatures::MASKED_POOLING, String::new())
        .size("kind", kind)
        .input("x", x)
        .mask(mask);
    let unguarded = pooling::Rule { nothing: pooling::Nothing::AsComputed, ..pooling::LEFT_OUT };
    let pooling = match rules.pools {
        Pools::Unguarded => pooling::Rules { mean: unguarded, ..pooling::RIGHT },
        Pools::AsAsked
        | Pools::Mean
        | Pools::Max
        | Pools::First
        | Pools::Everything
        | Pools::OverTexts => pooling::RIGHT,
    };
    let Response::Outputs(mut outputs) = pooling::imitate(&pooling, &inner) else { return None };
    outputs.remove("output")
}

fn headed(rules: &Rules, case: &Case, pooled: &Array) -> Array {
    let (weight, bias) =
        (case.get_parameter("classifier.weight"), case.get_parameter("classifier.bias"));
    let logits = Array::from_fn(&[pooled.dim(0), weight.dim(0)], |at| match *at {
        [b, o] => {
            let products = (0..pooled.dim(1)).map(|c| pooled.at(&[b, c]) * weight.at(&[o, c]));
            bias.at(&[o]) + products.sum::<f64>()
        }
        _ => f64::NAN,
    });
    let total = |b: usize| (0..logits.dim(1)).map(|c| logits.at(&[b, c]).exp()).sum::<f64>();
    Array::from_fn(logits.shape(), |at| match (rules.ends, at) {
        (Ends::Softmax, &[b, _]) => logits.at(at).exp() / total(b),
        (Ends::LogSoftmax, &[b, _]) => logits.at(at) - total(b).ln(),
        _ => logits.at(at),
    })
}

/// The logits by these rules; `None` where a part refuses.
fn logits(rules: &Rules, case: &Case) -> Option<Array> {
    let asked = case.get_size("norm") == 1;
    let tokens = tokens(rules, case);
    let x = match rules.positions {
        Positions::BeforeAttention => with_positions(case, &tokens),
        Positions::AfterAttention | Positions::Missing => tokens,
    };
    let before = rules.norm == Norm::Before && asked;
    let x = if before { normed(rules, case, &x, true) } else { x };
    let mut mixed = attended(rules, case, &x)?;
    if rules.residual {
        mixed = added(&mixed, &x);
    }
    if rules.positions == Positions::AfterAttention {
        mixed = with_positions(case, &mixed);
    }
    let mixed = match rules.norm {
        Norm::AsAsked if asked => normed(rules, case, &mixed, true),
        Norm::Always => normed(rules, case, &mixed, asked),
        Norm::AsAsked | Norm::Missing | Norm::Before => mixed,
    };
    Some(headed(rules, case, &pooled(rules, case, &mixed)?))
}

/// What a classifier by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    // What the attention or the pooling refuses, the classifier refuses too.
    if has_misfit(case) || has_uneven_heads(case) {
        return Response::Refused;
    }
    let case = &without_stand_ins(case);
    if rules.refuses_too_long && has_long_texts(case) {
        return Response::Refused;
    }
    match rules.unknown {
        Unknown::Refused if has_unknown_ids(case) => return Response::Refused,
        Unknown::Panicked if has_unknown_ids(case) => return Response::Panicked,
        Unknown::Refused | Unknown::Panicked | Unknown::LastRow | Unknown::Wrapped => {}
    }
    let named = |logits| Response::Outputs(BTreeMap::from([("logits".to_owned(), logits)]));
    logits(rules, case).map_or(Response::Refused, named)
}
