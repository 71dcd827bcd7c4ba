//! Inputs at the edges of single precision, of masks and of equal numbers.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::operation::{Case, Input};

fn case(op: &str, options: Value, inputs: &[(&str, &[usize], &[f64])]) -> Case {
    let input = |&(name, shape, values): &(&str, &[usize], &[f64])| {
        assert_eq!(values.len(), shape.iter().product::<usize>(), "{op} {name}");
        (name.to_owned(), Input { shape: shape.to_vec(), values: values.to_vec() })
    };
    let inputs: BTreeMap<_, _> = inputs.iter().map(input).collect();
    Case { op: op.to_owned(), options, inputs }
}

/// Arguments at which an exponential of single precision overflows or vanishes, and those around zero.
const FAR: [f64; 14] =
    [-1e4, -200.0, -100.0, -90.0, -30.0, -11.0, -1e-20, 1e-20, 0.5, 11.0, 30.0, 90.0, 100.0, 1e4];

/// Two rows of scores: one with a score of −∞, one whose scores are far apart.
const SCORES: [f64; 6] = [0.5, f64::NEG_INFINITY, -0.25, 1e4, -1e4, 9.999e3];

/// Logits as the scores; a logit of 10² is known to 4·10⁻⁶.
const LOGITS: [f64; 6] = [0.5, f64::NEG_INFINITY, -0.25, 100.0, -100.0, 99.0];

/// Three sequences of four tokens with two channels: every channel of the first sequence has equal largest numbers.
const EQUAL: [f64; 24] = [
    1.0, 0.0, 2.0, 3.0, 2.0, 3.0, -1.0, 3.0, // the largest are 2, twice, and 3, three times
    5.0, 5.0, 1.0, -1.0, 1.0, -1.0, 7.0, 7.0, // the first and the last token are padding
    1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, // all tokens are padding
];
const REAL: [f64; 12] = [1.0, 1.0, 1.0, 1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0];

/// A query that sees two keys, and one that sees none.
const SEEN: [f64; 6] = [1.0, 0.0, 1.0, 0.0, 0.0, 0.0];

/// Returns all cases.
pub(crate) fn edge_cases() -> Vec<Case> {
    let mut all: Vec<Case> = ["gelu", "gelu_erf", "relu", "sigmoid", "silu"]
        .map(|op| case(op, json!({}), &[("x", &[2, 7], &FAR)]))
        .into();
    for op in ["softmax", "log_softmax"] {
        all.push(case(op, json!({"dim": 1}), &[("x", &[2, 3], &SCORES)]));
    }
    let loss: [(&str, &[usize], &[f64]); 2] =
        [("logits", &[2, 3], &LOGITS), ("targets", &[2], &[2.0, 0.0])];
    all.push(case("cross_entropy", json!({}), &loss));
    all.push(case("cross_entropy", json!({"ignore_index": 2}), &loss));
    for kind in ["mean", "max", "first"] {
        let inputs: [(&str, &[usize], &[f64]); 2] =
            [("x", &[3, 4, 2], &EQUAL), ("mask", &[3, 4], &REAL)];
        all.push(case("pooling", json!({"kind": kind}), &inputs));
    }
    let attention: [(&str, &[usize], &[f64]); 4] = [
        ("query", &[1, 1, 2, 2], &[300.0, -200.0, 1.0, 0.5]),
        ("key", &[1, 1, 3, 2], &[3.0, 1.0, 1e4, 1e4, -2.0, 0.5]),
        ("value", &[1, 1, 3, 2], &[1.0, 2.0, -1e4, 1e4, 3.0, 4.0]),
        ("mask", &[1, 1, 2, 3], &SEEN),
    ];
    all.push(case("attention", json!({}), &attention));
    all
}
