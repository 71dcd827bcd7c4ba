//! Multi-head attention by changeable rules.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::imitate::attention;
use crate::oracle::without_stand_ins;
use crate::truth::{has_misfit, is_beyond_limits};

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

/// Where queries, keys and values come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Sources {
    /// What was handed in, as they should.
    Response,
    /// The query, all three.
    QueryAlone,
    /// Values come from the key.
    ValueFromKey,
    /// Values come from the query.
    ValueFromQuery,
    /// Keys come from the query.
    KeyFromQuery,
    /// Keys come from the value.
    KeyFromValue,
    /// Keys come from the value, and values from the key.
    Swapped,
}

/// What happens to the output at the very end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// Nothing, as it should.
    Plain,
    /// The query is added.
    PlusQuery,
    /// Each row is brought to mean 0 and variance 1.
    Normalized,
}

/// What is returned as the weights.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Returned {
    /// Each head's own, as it should: `[B, H, Tq, Tk]`.
    EachHead,
    /// Their mean over the heads: `[B, Tq, Tk]`.
    Mean,
    /// Their mean over the heads: `[B, 1, Tq, Tk]`.
    MeanOnAnAxis,
    /// Their mean over the heads, for each head: `[B, H, Tq, Tk]`.
    MeanForEach,
    /// Their sum over the heads: `[B, Tq, Tk]`.
    Sum,
    /// Their sum over the heads: `[B, 1, Tq, Tk]`.
    SumOnAnAxis,
}

/// The rules; [`RIGHT`] are the right ones.
#[derive(Debug, Clone)]
pub(crate) struct Rules {
    /// Names of the projections of query, key, value and output; `None` for none at all.
    pub(crate) projections: [Option<&'static str>; 4],
    /// Which of those have a bias.
    pub(crate) biases: [bool; 4],
    /// For each weight, whether it is used as `x · W` rather than `x · Wᵀ`.
    pub(crate) untransposed_weights: [bool; 4],
    pub(crate) split: Arrange,
    pub(crate) merge: Arrange,
    pub(crate) along: Along,
    pub(crate) sources: Sources,
    /// Whether the mask reaches the attention inside.
    pub(crate) passes_mask: bool,
    /// Factor of the queries before attention, by the width of a head and of the model.
    pub(crate) scales_queries: fn(f64, f64) -> f64,
    pub(crate) returned: Returned,
    pub(crate) ending: Ending,
    /// What comes of heads that do not divide the width.
    pub(crate) uneven: Response,
}

/// The right rules.
pub(crate) const RIGHT: Rules = Rules {
    projections: [Some("q_proj"), Some("k_proj"), Some("v_proj"), Some("out_proj")],
    biases: [true; 4],
    untransposed_weights: [false; 4],
    split: Arrange::Blocks,
    merge: Arrange::Blocks,
    along: Along::Positions,
    sources: Sources::Response,
    passes_mask: true,
    scales_queries: |_, _| 1.0,
    returned: Returned::EachHead,
    ending: Ending::Plain,
    uneven: Response::Refused,
};

/// What multi-head attention by these rules gives in answer.
pub(crate) fn imitate(rules: &Rules, case: &Case) -> Response {
    if has_misfit(case) {
        return Response::Refused;
    }
    if is_beyond_limits(case) {
        return rules.uneven.clone();
    }
    let case = &without_stand_ins(case);
    let given = case.get("query");
    let key = case.find("key").unwrap_or_else(|| given.clone());
    let value = case.find("value").unwrap_or_else(|| key.clone());
    let (key, value) = match rules.sources {
        Sources::Response => (key, value),
        Sources::QueryAlone => (given.clone(), given.clone()),
        Sources::ValueFromKey => (key.clone(), key),
        Sources::ValueFromQuery => (key, given.clone()),
        Sources::KeyFromQuery => (given.clone(), value),
        Sources::KeyFromValue => (value.clone(), value),
        Sources::Swapped => (value, key),
    };
    let turn = |x: &Array| if rules.along == Along::Examples { swap(x) } else { x.clone() };
    let (query, key, value) = (turn(&given), turn(&key), turn(&value));
    if query.dim(0) != key.dim(0) || key.dim(1) != value.dim(1) {
        return Response::Refused;
    }
    let heads = case.get_size("heads");
    let [q_names, k_names, v_names, out_names] = [0, 1, 2, 3].map(|n| names(rules, n));
    let split = |x: &Array, names| split(rules.split, &project(case, x, names), heads);
    let (q, k, v) = (split(&query, q_names), split(&key, k_names), split(&value, v_names));
    let scale = (rules.scales_queries)(q.dim(3) as f64, given.dim(2) as f64);
    let mask = case.find("mask").filter(|_| rules.passes_mask);
    let mask = mask.map(|mask| {
        Array::new(&[mask.dim(0), 1, mask.dim(1), mask.dim(2)], mask.values().to_vec())
    });
    if mask
        .as_ref()
        .is_some_and(|m| m.dim(0) != q.dim(0) || m.dim(2) != q.dim(2) || m.dim(3) != k.dim(2))
    {
        return Response::Refused;
    }
    let q = q.map(|x| x * scale);
    let (context, weights) = attention::attend(&attention::RIGHT, &q, &k, &v, mask.as_ref());
    let output = turn(&project(case, &merge(rules.merge, &context), out_names));
    let output = match rules.ending {
        Ending::Plain => output,
        Ending::PlusQuery => Array::from_fn(output.shape(), |at| output.at(at) + given.at(at)),
        Ending::Normalized => normalized(&output),
    };
    let weights = returned(rules.returned, weights);
    Response::attended(output, weights)
}

/// The projection at one of the four places.
fn names(rules: &Rules, place: usize) -> Projection {
    Projection {
        name: rules.projections.get(place).copied().flatten(),
        biased: rules.biases.get(place).copied().unwrap_or(false),
        untransposed: rules.untransposed_weights.get(place).copied().unwrap_or(false),
    }
}

/// Options of one of the four projections.
#[derive(Debug, Clone, Copy)]
struct Projection {
    /// Name of its parameters; `None` for no projection.
    name: Option<&'static str>,
    biased: bool,
    untransposed: bool,
}

/// `[A, B, C]` → `[B, A, C]`.
fn swap(x: &Array) -> Array {
    Array::from_fn(&[x.dim(1), x.dim(0), x.dim(2)], |at| match *at {
        [a, b, c] => x.at(&[b, a, c]),
        _ => f64::NAN,
    })
}

fn project(case: &Case, x: &Array, projection: Projection) -> Array {
    let Projection { name: Some(name), biased, untransposed } = projection else {
        return x.clone();
    };
    let weight = case.get_parameter(&format!("{name}.weight"));
    let bias = case.get_parameter(&format!("{name}.bias"));
    let shift = |o| if biased { bias.at(&[o]) } else { 0.0 };
    let entry = |o, i| weight.at(&if untransposed { [i, o] } else { [o, i] });
    Array::from_fn(x.shape(), |at| match *at {
        [b, t, o] => {
            let dot: f64 = (0..x.dim(2)).map(|i| x.at(&[b, t, i]) * entry(o, i)).sum();
            dot + shift(o)
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

/// The weights that are returned, from those of each head, `[B, H, Tq, Tk]`.
fn returned(how: Returned, weights: Array) -> Array {
    let (b, heads, tq, tk) = (weights.dim(0), weights.dim(1), weights.dim(2), weights.dim(3));
    let shape = match how {
        Returned::EachHead => return weights,
        Returned::Mean | Returned::Sum => vec![b, tq, tk],
        Returned::MeanOnAnAxis | Returned::SumOnAnAxis => vec![b, 1, tq, tk],
        Returned::MeanForEach => vec![b, heads, tq, tk],
    };
    let share = match how {
        Returned::Sum | Returned::SumOnAnAxis => 1.0,
        Returned::EachHead | Returned::Mean | Returned::MeanOnAnAxis | Returned::MeanForEach => {
            1.0 / heads as f64
        }
    };
    Array::from_fn(&shape, |at| match *at {
        [b, i, j] | [b, _, i, j] => {
            (0..heads).map(|h| weights.at(&[b, h, i, j])).sum::<f64>() * share
        }
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
