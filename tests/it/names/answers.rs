//! Right answers, and changes of questions and answers, from which relatives of mistakes are made.

use softmark_checks::{Array, Case};
use softmark_exam::Response;

use crate::support::exams::suite;

/// Right response to a case.
pub(super) fn reference_response(assignment: &str, case: &Case) -> Response {
    (suite(assignment).truth)(case)
}

pub(super) fn attention(case: &Case) -> Response {
    reference_response("attention", case)
}

pub(super) fn encoder(case: &Case) -> Response {
    reference_response("encoder", case)
}

pub(super) fn debugging(case: &Case) -> Response {
    reference_response("debugging", case)
}

pub(super) fn tuning(case: &Case) -> Response {
    reference_response("prefix-tuning", case)
}

/// The answer with one of its outputs changed.
pub(super) fn output(
    response: Response,
    name: &str,
    change: impl FnOnce(&Array) -> Array,
) -> Response {
    let Response::Outputs(mut outputs) = response else { return response };
    if let Some(array) = outputs.get_mut(name) {
        *array = change(array);
    }
    Response::Outputs(outputs)
}

pub(super) fn taken(response: &Response, name: &str) -> Array {
    let Response::Outputs(outputs) = response else { return Array::full(&[0], 0.0) };
    outputs[name].clone()
}

pub(super) fn parameter(case: &Case, name: &str, change: impl FnMut(f64) -> f64) -> Case {
    case.with_parameter(name, &case.get_parameter(name).map(change))
}

pub(super) fn zeroed(case: &Case, name: &str) -> Case {
    parameter(case, name, |_| 0.0)
}

/// Each row divided by the sum of its exponentials.
pub(super) fn shares(logits: &Array) -> Array {
    Array::from_fn(logits.shape(), |at| {
        let row = |c: usize| logits.at(&[at[0], c]).exp();
        row(at[1]) / (0..logits.dim(1)).map(row).sum::<f64>()
    })
}

pub(super) fn with_mask(case: &Case, change: fn(f64) -> f64) -> Case {
    case.with("mask", case.get("mask").map(change))
}

pub(super) fn flipped(case: &Case, switch: &str) -> Case {
    case.with_size(switch, 1 - case.get_size(switch))
}

pub(super) fn swapped_norms(case: &Case) -> Case {
    ["weight", "bias"].iter().fold(case.clone(), |changed, part| {
        let [one, other] = ["norm1", "norm2"].map(|norm| format!("{norm}.{part}"));
        changed
            .with_parameter(&one, &case.get_parameter(&other))
            .with_parameter(&other, &case.get_parameter(&one))
    })
}

/// The case whose layers all have the parameters of the first.
pub(super) fn of_one_layer(case: &Case) -> Case {
    let names = case.parameters.iter().map(|(name, _)| name.clone());
    names.filter(|name| name.starts_with("layers.")).fold(case.clone(), |changed, name| {
        let rest = name.splitn(3, '.').nth(2).unwrap();
        changed.with_parameter(&name, &case.get_parameter(&format!("layers.0.{rest}")))
    })
}

pub(super) fn within(case: &Case, name: &str) -> Case {
    let most = case.get_size("vocabulary") as f64 - 1.0;
    case.with(name, case.get(name).map(|id| id.min(most)))
}

/// The place of the last of the highest.
pub(super) fn last_best(accuracies: &Array) -> f64 {
    let mut best = -1.0;
    let mut most = f64::NEG_INFINITY;
    for (at, x) in accuracies.values().iter().enumerate() {
        if *x >= most {
            (best, most) = (at as f64, *x);
        }
    }
    best
}

/// Right response to `case`, except that `best` is that of the question `other`.
pub(super) fn chosen(case: &Case, other: &Case) -> Response {
    let best = taken(&encoder(other), "best");
    output(encoder(case), "best", |_| best)
}

/// The calls that a capture gives, each a shape and its numbers.
pub(super) fn calls(response: &Response) -> Vec<(Vec<f64>, Vec<f64>)> {
    let (shapes, values) = (taken(response, "shapes"), taken(response, "values"));
    let mut rest = values.values();
    let mut calls = Vec::new();
    for shape in shapes.values().chunks(4) {
        let size: f64 = shape.iter().product();
        let size = (0..=rest.len()).find(|n| *n as f64 == size).unwrap();
        let (own, after) = rest.split_at(size);
        calls.push((shape.to_vec(), own.to_vec()));
        rest = after;
    }
    calls
}

pub(super) type Calls = Vec<(Vec<f64>, Vec<f64>)>;

pub(super) fn with_calls(case: &Case, change: fn(Calls) -> Calls) -> Response {
    let right = debugging(case);
    let calls = change(calls(&right));
    let flat = |values: Vec<f64>| Array::new(&[values.len()], values);
    let shapes = flat(calls.iter().flat_map(|(shape, _)| shape.clone()).collect());
    let values = flat(calls.iter().flat_map(|(_, values)| values.clone()).collect());
    let response = output(right, "count", |_| flat(vec![calls.len() as f64]));
    output(output(response, "shapes", |_| shapes), "values", |_| values)
}

pub(super) fn setting(case: &Case, at: usize, value: f64) -> Case {
    let settings = case.get("settings");
    case.with(
        "settings",
        Array::from_fn(settings.shape(), |n| if n == [at] { value } else { settings.at(n) }),
    )
}
