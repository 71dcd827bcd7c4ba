//! What is right for each part of the `attention` assignment: plain loops in `f64`, written from
//! the formulas, sharing nothing with candle, with the solution or with the imitations.

use softmark_checks::{Array, Case};

use crate::check::Expected;
use crate::suite::formula::{attention, merge_heads, per_head_axis, pooled, project, split_heads};

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
