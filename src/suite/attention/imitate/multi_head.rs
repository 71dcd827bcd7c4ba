//! Multi-head attention by changeable rules.

use softmark_checks::{Array, Case};

use crate::suite::Given;
use crate::suite::attention::imitate::attention;
use crate::suite::attention::truth::is_beyond_limits;

/// How channels and heads are rearranged into one another.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Arrange {
    /// Head `h` has channels `h·K .. (h+1)·K` of every position, as it should.
    Blocks,
    /// Head `h` has channels `h, h + H, h + 2H …`.
    Interleaved,
    /// Memory is read in order, without a transposition.
    Untransposed,
}

/// Which axis attention runs along.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Along {
    /// Positions, as it should.
    Positions,
    /// Examples: `[B, T, D]` is taken for `[T, B, D]`.
    Examples,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Names of the projections of query, key, value and output; `None` for none at all.
    pub(crate) projections: [Option<&'static str>; 4],
    /// Whether a weight is used as `x · W` rather than `x · Wᵀ`.
    pub(crate) untransposed_weights: bool,
    pub(crate) split: Arrange,
    pub(crate) merge: Arrange,
    pub(crate) along: Along,
    /// Whether key and value are the query, whatever was handed in.
    pub(crate) ignores_key_and_value: bool,
    /// Whether the mask reaches the attention inside.
    pub(crate) passes_mask: bool,
    /// What queries are multiplied with before attention, by the width of a head.
    pub(crate) scales_queries: fn(f64) -> f64,
    /// Whether the weights are averaged over the heads, `[B, Tq, Tk]`.
    pub(crate) averages_weights: bool,
    /// Whether the output is brought to mean 0 and variance 1.
    pub(crate) normalizes_output: bool,
    /// Whether views that are not contiguous are refused.
    pub(crate) refuses_strided: bool,
    /// What comes of heads that do not divide the width.
    pub(crate) uneven: Given,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    projections: [Some("q_proj"), Some("k_proj"), Some("v_proj"), Some("out_proj")],
    untransposed_weights: false,
    split: Arrange::Blocks,
    merge: Arrange::Blocks,
    along: Along::Positions,
    ignores_key_and_value: false,
    passes_mask: true,
    scales_queries: |_| 1.0,
    averages_weights: false,
    normalizes_output: false,
    refuses_strided: false,
    uneven: Given::Refused,
};

/// What multi-head attention by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Given {
    if is_beyond_limits(case) {
        return rules.uneven.clone();
    }
    if rules.refuses_strided && case.inputs.iter().any(|input| input.strided) {
        return Given::Refused;
    }
    let query = case.get("query");
    let (key, value) = if rules.ignores_key_and_value {
        (query.clone(), query.clone())
    } else {
        let key = case.find("key").unwrap_or_else(|| query.clone());
        let value = case.find("value").unwrap_or_else(|| key.clone());
        (key, value)
    };
    let turn = |x: &Array| if rules.along == Along::Examples { swap(x) } else { x.clone() };
    let (query, key, value) = (turn(&query), turn(&key), turn(&value));
    if query.dim(0) != key.dim(0) {
        return Given::Refused;
    }
    let [q_name, k_name, v_name, out_name] = rules.projections;
    let heads = case.get_size("heads");
    let split = |x: &Array, name| split(rules.split, &project(rules, case, x, name), heads);
    let (q, k, v) = (split(&query, q_name), split(&key, k_name), split(&value, v_name));
    let scale = (rules.scales_queries)(q.dim(3) as f64);
    let mask = case.find("mask").filter(|_| rules.passes_mask);
    let mask = mask.map(|mask| {
        Array::new(&[mask.dim(0), 1, mask.dim(1), mask.dim(2)], mask.values().to_vec())
    });
    if mask
        .as_ref()
        .is_some_and(|m| m.dim(0) != q.dim(0) || m.dim(2) != q.dim(2) || m.dim(3) != k.dim(2))
    {
        return Given::Refused;
    }
    let q = q.map(|x| x * scale);
    let (context, weights) = attention::attend(&attention::RIGHT, &q, &k, &v, mask.as_ref());
    let output = turn(&project(rules, case, &merge(rules.merge, &context), out_name));
    let output = if rules.normalizes_output { normalized(&output) } else { output };
    let weights = if rules.averages_weights { averaged(&weights) } else { weights };
    Given::attended(output, weights)
}

/// `[A, B, C]` → `[B, A, C]`.
fn swap(x: &Array) -> Array {
    Array::from_fn(&[x.dim(1), x.dim(0), x.dim(2)], |at| match *at {
        [a, b, c] => x.at(&[b, a, c]),
        _ => f64::NAN,
    })
}

fn project(rules: &Rules, case: &Case, x: &Array, name: Option<&str>) -> Array {
    let Some(name) = name else { return x.clone() };
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    let entry = |o, i| weight.at(&if rules.untransposed_weights { [i, o] } else { [o, i] });
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, o] => {
            let dot: f64 = (0..x.dim(2)).map(|i| x.at(&[b, t, i]) * entry(o, i)).sum();
            dot + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

fn split(how: Arrange, x: &Array, heads: usize) -> Array {
    let width = x.dim(2) / heads.max(1);
    let shape = [x.dim(0), heads, x.dim(1), width];
    match how {
        Arrange::Untransposed => Array::new(&shape, x.values().to_vec()),
        Arrange::Blocks | Arrange::Interleaved => Array::from_fn(&shape, |at| match *at {
            [b, h, t, c] if how == Arrange::Blocks => x.at(&[b, t, h * width + c]),
            [b, h, t, c] => x.at(&[b, t, c * heads + h]),
            _ => f64::NAN,
        }),
    }
}

fn merge(how: Arrange, x: &Array) -> Array {
    let (heads, width) = (x.dim(1), x.dim(3));
    let shape = [x.dim(0), x.dim(2), heads * width];
    match how {
        Arrange::Untransposed => Array::new(&shape, x.values().to_vec()),
        Arrange::Blocks | Arrange::Interleaved => Array::from_fn(&shape, |at| match *at {
            [b, t, c] if how == Arrange::Blocks => x.at(&[b, c / width, t, c % width]),
            [b, t, c] => x.at(&[b, c % heads, t, c / heads]),
            _ => f64::NAN,
        }),
    }
}

fn averaged(weights: &Array) -> Array {
    let heads = weights.dim(1);
    Array::from_fn(&[weights.dim(0), weights.dim(2), weights.dim(3)], |at| match *at {
        [b, i, j] => (0..heads).map(|h| weights.at(&[b, h, i, j])).sum::<f64>() / heads as f64,
        _ => f64::NAN,
    })
}

/// Each row with mean 0 and variance 1, as a layer norm with unit weights leaves it.
fn normalized(x: &Array) -> Array {
    let d = x.dim(2) as f64;
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, c] => {
            let row: Vec<f64> = (0..x.dim(2)).map(|i| x.at(&[b, t, i])).collect();
            let mean = row.iter().sum::<f64>() / d;
            let variance = row.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / d;
            (x.at(&[b, t, c]) - mean) / (variance + 1e-5).sqrt()
        }
        _ => f64::NAN,
    })
}
