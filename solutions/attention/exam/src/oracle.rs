//! What is right for each part of the `attention` assignment: plain loops in `f64`, written from
//! the formulas, sharing nothing with candle, with the solution or with the imitations.

use softmark_checks::{Array, Case};
use softmark_common::compare::{F32_ROUNDING, Tolerance};
use softmark_exam::check::Expected;
use softmark_exam::formula::{attention, merge_heads, per_head_axis, pooled, project, split_heads};
use softmark_exam::memo::memoized;
use softmark_exam::noisy::Noisy;

/// The right outputs of a case that has an answer.
pub(crate) fn oracle(case: &Case) -> Expected {
    let case = &without_stand_ins(case);
    match case.part() {
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
        "classifier" => Expected::from([("logits", classifier(case).values)]),
        _ => Expected::new(),
    }
}

/// The right outputs apart from the weights of attention: for checks of the output alone.
pub(crate) fn output_oracle(case: &Case) -> Expected {
    let mut expected = oracle(case);
    expected.remove("weights");
    expected
}

/// The case with stand-ins for the parts below: attention that looks at all visible keys alike, positions
/// that are taken away, and pooled vectors of the opposite sign.
pub(crate) fn with_stand_ins(case: &Case) -> Case {
    let mut asked = case.clone().size(STAND_INS, 1);
    asked.label = format!("{}, stand-ins below", case.label);
    asked
}

/// The size by which a worker is asked for stand-ins.
const STAND_INS: &str = "stand_ins";

/// A case with the same answer, and with the right parts below: where queries are 0 all keys are looked at
/// alike, rows with the opposite sign are taken away, and so is what the head makes of a vector.
pub(super) fn without_stand_ins(case: &Case) -> Case {
    if case.find_size(STAND_INS) != Some(1) {
        return case.clone();
    }
    let mut plain = case.with_size(STAND_INS, 0);
    for (name, array) in &mut plain.parameters {
        let factor = match name.as_str() {
            "q_proj.weight"
            | "q_proj.bias"
            | "self_attn.q_proj.weight"
            | "self_attn.q_proj.bias" => 0.0,
            "position_embedding.weight" | "classifier.weight" => -1.0,
            _ => 1.0,
        };
        *array = array.map(|x| factor * x);
    }
    plain
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

/// The embedded tokens of a case and their positions, `[B, T, D]`; `NaN` where an id has no row.
pub(crate) fn embedded(case: &Case) -> [Array; 2] {
    let (ids, tokens) = (case.get("ids"), case.get_parameter("token_embedding.weight"));
    let positions = case.get_parameter("position_embedding.weight");
    let shape = [ids.dim(0), ids.dim(1), tokens.dim(1)];
    let row = |id: f64| (0..tokens.dim(0)).find(|row| *row as f64 == id);
    let token = Array::from_fn(&shape, |at| match *at {
        [b, t, c] => row(ids.at(&[b, t])).map_or(f64::NAN, |id| tokens.at(&[id, c])),
        _ => f64::NAN,
    });
    let position = Array::from_fn(&shape, |at| match *at {
        [_, t, c] => positions.at(&[t, c]),
        _ => f64::NAN,
    });
    [token, position]
}

/// Pooled by the kind that the case asks for.
///
/// A mean has no larger error than the mean of the errors, and a rounding a token; neither a maximum
/// nor a first token is rounded, and a maximum is off by no more than what it is the maximum of.
fn pooled_noisily(case: &Case, x: &Noisy) -> Noisy {
    let (kind, mask) = (case.get_size("kind"), case.get("mask"));
    let values = pooled(kind, &x.values, Some(&mask));
    let errors = pooled(kind, &x.errors, Some(&mask));
    let sizes = pooled(kind, &x.values.map(f64::abs), Some(&mask));
    let roundings = if kind == 0 { mask.dim(1) as f64 + 2.0 } else { 0.0 };
    let own = sizes.map(|size| roundings * F32_ROUNDING * size);
    let errors = Array::from_fn(values.shape(), |at| errors.at(at) + own.at(at));
    Noisy { values, errors }
}

/// What the attention gives, through the norm where there is one, pooled and through the head.
pub(crate) fn classified(case: &Case, attended: &Noisy) -> Noisy {
    let normed = normed(case, attended);
    pooled_noisily(case, &normed).linear(case, "classifier")
}

/// What the pooling gets: the norm of `attended`, where the case has one.
pub(crate) fn normed(case: &Case, attended: &Noisy) -> Noisy {
    if case.get_size("norm") == 1 { attended.norm(case, "norm") } else { attended.clone() }
}

fn classifier(case: &Case) -> Noisy {
    let [tokens, positions] = embedded(case).map(Noisy::exact);
    let keep_all = |shape: &[usize]| Array::full(shape, 1.0);
    let x = tokens.plus(&positions);
    classified(case, &x.attended(case, "self_attn", &case.get("mask"), &keep_all))
}

/// How far a right classifier's logits in `f32` may be from the oracle's.
pub(crate) fn classifier_tolerance(case: &Case) -> Tolerance {
    memoized(&[case], || classifier(&without_stand_ins(case)).tolerance())
}
