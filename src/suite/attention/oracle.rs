//! What is right for each part of the `attention` assignment: plain loops in `f64`, written from
//! the formulas, sharing nothing with candle, with the solution or with the imitations.

use softmark_checks::{Array, Case};

use crate::check::Expected;

/// The right outputs of a case that has an answer.
pub(crate) fn oracle(case: &Case) -> Expected {
    match case.part {
        "scaled-dot-product" => {
            let (query, key, value) = (case.get("query"), case.get("key"), case.get("value"));
            let (output, weights) = attention(&query, &key, &value, case.find("mask").as_ref());
            Expected::from([("output", output), ("weights", weights)])
        }
        "multi-head" => multi_head(case),
        "sinusoidal-position" => one_output(sinusoidal(&case.get("x"))),
        "learned-position" => {
            let table = case.get_parameter("position_embedding.weight");
            one_output(learned(&case.get("x"), &table))
        }
        "masked-pooling" => {
            one_output(pooled(case.get_size("kind"), &case.get("x"), case.find("mask").as_ref()))
        }
        _ => Expected::new(),
    }
}

fn one_output(output: Array) -> Expected {
    Expected::from([("output", output)])
}

/// Output and weights for `[B, H, T, K]`, the mask `[B, 1 or H, Tq, Tk]`.
pub(crate) fn attention(q: &Array, k: &Array, v: &Array, mask: Option<&Array>) -> (Array, Array) {
    let (width, keys) = (q.dim(3), k.dim(2));
    let sees = |b: usize, h: usize, i: usize, j: usize| {
        mask.is_none_or(|m| m.at(&[b, h.min(m.dim(1) - 1), i, j]) != 0.0)
    };
    let score = |b: usize, h: usize, i: usize, j: usize| {
        let dot: f64 = (0..width).map(|c| q.at(&[b, h, i, c]) * k.at(&[b, h, j, c])).sum();
        dot / (width as f64).sqrt()
    };
    let mut weights = Array::full(&[q.dim(0), q.dim(1), q.dim(2), keys], 0.0);
    let mut output = Array::full(&[q.dim(0), q.dim(1), q.dim(2), v.dim(3)], 0.0);
    for b in 0..q.dim(0) {
        for h in 0..q.dim(1) {
            for i in 0..q.dim(2) {
                let seen: Vec<(usize, f64)> = (0..keys)
                    .filter(|&j| sees(b, h, i, j))
                    .map(|j| (j, score(b, h, i, j)))
                    .collect();
                let most = seen.iter().fold(f64::NEG_INFINITY, |most, (_, s)| most.max(*s));
                let total: f64 = seen.iter().map(|(_, s)| (s - most).exp()).sum();
                for (j, s) in seen {
                    weights.set(&[b, h, i, j], (s - most).exp() / total);
                }
                for c in 0..v.dim(3) {
                    let mixed =
                        (0..keys).map(|j| weights.at(&[b, h, i, j]) * v.at(&[b, h, j, c])).sum();
                    output.set(&[b, h, i, c], mixed);
                }
            }
        }
    }
    (output, weights)
}

/// `x · Wᵀ + b` for `[B, T, D]`.
pub(crate) fn project(x: &Array, weight: &Array, bias: &Array) -> Array {
    Array::from_fn(&[x.dim(0), x.dim(1), weight.dim(0)], |at| match *at {
        [b, t, o] => {
            let dot: f64 = (0..x.dim(2)).map(|i| x.at(&[b, t, i]) * weight.at(&[o, i])).sum();
            dot + bias.at(&[o])
        }
        _ => f64::NAN,
    })
}

/// `[B, T, D]` → `[B, H, T, K]`: head `h` has channels `h·K .. (h+1)·K`.
pub(crate) fn split_heads(x: &Array, heads: usize) -> Array {
    let width = x.dim(2) / heads.max(1);
    Array::from_fn(&[x.dim(0), heads, x.dim(1), width], |at| match *at {
        [b, h, t, c] => x.at(&[b, t, h * width + c]),
        _ => f64::NAN,
    })
}

/// `[B, H, T, K]` → `[B, T, D]`: the way back.
pub(crate) fn merge_heads(x: &Array) -> Array {
    let width = x.dim(3);
    Array::from_fn(&[x.dim(0), x.dim(2), x.dim(1) * width], |at| match *at {
        [b, t, c] => x.at(&[b, c / width, t, c % width]),
        _ => f64::NAN,
    })
}

/// A projection of the case, applied to `x`.
pub(crate) fn projected(case: &Case, x: &Array, (weight, bias): (&str, &str)) -> Array {
    project(x, &case.get_parameter(weight), &case.get_parameter(bias))
}

fn multi_head(case: &Case) -> Expected {
    let query = case.get("query");
    let key = case.find("key").unwrap_or_else(|| query.clone());
    let value = case.find("value").unwrap_or_else(|| key.clone());
    let heads = case.get_size("heads");
    let split = |x, names| split_heads(&projected(case, x, names), heads);
    let q = split(&query, ("q_proj.weight", "q_proj.bias"));
    let k = split(&key, ("k_proj.weight", "k_proj.bias"));
    let v = split(&value, ("v_proj.weight", "v_proj.bias"));
    let mask = case.find("mask").map(|mask| per_head_axis(&mask));
    let (context, weights) = attention(&q, &k, &v, mask.as_ref());
    let output = projected(case, &merge_heads(&context), ("out_proj.weight", "out_proj.bias"));
    Expected::from([("output", output), ("weights", weights)])
}

/// `[B, Tq, Tk]` → `[B, 1, Tq, Tk]`.
pub(crate) fn per_head_axis(mask: &Array) -> Array {
    let shape = [mask.dim(0), 1, mask.dim(1), mask.dim(2)];
    Array::new(&shape, mask.values().to_vec())
}

/// The encoding of position `t` in channel `c` of a model of width `d`.
pub(crate) fn sinusoid(t: usize, c: usize, d: usize) -> f64 {
    let pair = c / 2;
    let angle = t as f64 / 10_000_f64.powf(2.0 * pair as f64 / d as f64);
    if c.is_multiple_of(2) { angle.sin() } else { angle.cos() }
}

fn sinusoidal(x: &Array) -> Array {
    Array::from_fn(x.shape(), |at| match *at {
        [_, t, c] => x.at(at) + sinusoid(t, c, x.dim(2)),
        _ => f64::NAN,
    })
}

fn learned(x: &Array, table: &Array) -> Array {
    Array::from_fn(x.shape(), |at| match *at {
        [_, t, c] => x.at(at) + table.at(&[t, c]),
        _ => f64::NAN,
    })
}

/// `[B, T, D]` → `[B, D]`: kind 0 is the mean, 1 the maximum, 2 the first real token.
pub(crate) fn pooled(kind: usize, x: &Array, mask: Option<&Array>) -> Array {
    Array::from_fn(&[x.dim(0), x.dim(2)], |at| match *at {
        [b, c] => {
            let real: Vec<f64> = (0..x.dim(1))
                .filter(|&t| mask.is_none_or(|m| m.at(&[b, t]) != 0.0))
                .map(|t| x.at(&[b, t, c]))
                .collect();
            match (real.first(), kind) {
                (None, _) => 0.0,
                (Some(_), 0) => real.iter().sum::<f64>() / real.len() as f64,
                (Some(_), 1) => real.iter().copied().fold(f64::NEG_INFINITY, f64::max),
                (Some(&first), _) => first,
            }
        }
        _ => f64::NAN,
    })
}
