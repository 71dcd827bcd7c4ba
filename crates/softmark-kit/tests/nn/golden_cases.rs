//! The operations with inputs, outputs and gradients that PyTorch computed in double precision.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use candle_core::Tensor;
use serde_json::Value;

use crate::operation::{Case, Input, numbers};

/// A case, and the values that PyTorch computed for it.
pub(crate) struct Golden {
    pub(crate) case: Case,
    pub(crate) output: Input,
    /// Weights of the sum of the output whose gradients follow.
    pub(crate) cotangent: Input,
    pub(crate) gradients: BTreeMap<String, Input>,
}

/// Returns the folder of golden values.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/golden")
}

/// Returns the file of golden values.
pub(crate) fn file() -> Value {
    serde_json::from_str(&fs::read_to_string(folder().join("nn.json")).unwrap()).unwrap()
}

/// Returns every case of the file.
pub(crate) fn golden_cases() -> Vec<Golden> {
    file()["cases"].as_array().unwrap().iter().map(golden).collect()
}

fn golden(value: &Value) -> Golden {
    let case = Case {
        op: value["op"].as_str().unwrap().to_owned(),
        options: value["options"].clone(),
        inputs: inputs(&value["inputs"]),
    };
    Golden {
        case,
        output: input(&value["output"]),
        cotangent: input(&value["cotangent"]),
        gradients: inputs(&value["gradients"]),
    }
}

fn input(value: &Value) -> Input {
    let list = |name: &str| value[name].as_array().unwrap().iter();
    Input {
        shape: list("shape").map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect(),
        values: list("values").map(|x| x.as_f64().unwrap()).collect(),
    }
}

fn inputs(value: &Value) -> BTreeMap<String, Input> {
    value.as_object().unwrap().iter().map(|(name, x)| (name.clone(), input(x))).collect()
}

/// Compares `got` with `want`, element by element; returns the largest difference in units of `1 + |want|`.
#[track_caller]
pub(crate) fn hold(what: &str, got: &Tensor, want: &[f64], allowed: f64) -> f64 {
    let got = numbers(got);
    assert_eq!(got.len(), want.len(), "{what}");
    let mut largest = 0.0_f64;
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        // Infinities are equal or wrong.
        let off = if got == want { 0.0 } else { (got - want).abs() / (1.0 + want.abs()) };
        assert!(off <= allowed, "{what} [{n}]: {got}, should be {want}");
        largest = largest.max(off);
    }
    largest
}

/// Returns the amount by which rounding of the scores in `f32` may change a weight: a score of 10³ is known to 10⁻⁴.
pub(crate) fn magnitude(case: &Case) -> f64 {
    let largest = |name: &str| {
        let values = case.inputs.get(name).map_or(&[] as &[f64], |input| &input.values);
        values.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()))
    };
    if case.op == "attention" { largest("query") * largest("query") } else { 1.0 }
}
