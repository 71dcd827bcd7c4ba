//! The layers compared with PyTorch in double precision, and in single precision with themselves in double.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor};
use serde_json::Value;
use sha2::{Digest, Sha256};

use crate::operation::{Case, Input, cotangent, gradients, numbers, run, run_composed};

/// Tolerance: both sides compute in `f64`, sums of some dozen numbers; scores of 10⁴ round to 10⁻¹².
const ALLOWED: f64 = 1e-10;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/golden")
}

fn golden() -> Value {
    serde_json::from_str(&fs::read_to_string(folder().join("nn.json")).unwrap()).unwrap()
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

fn case(golden: &Value) -> Case {
    Case {
        op: golden["op"].as_str().unwrap().to_owned(),
        options: golden["options"].clone(),
        inputs: inputs(&golden["inputs"]),
    }
}

fn tensor(input: &Input) -> Tensor {
    Tensor::from_vec(input.values.clone(), input.shape.as_slice(), &Device::Cpu).unwrap()
}

#[track_caller]
fn hold(what: &str, got: &Tensor, want: &[f64], allowed: f64) {
    let got = numbers(got);
    assert_eq!(got.len(), want.len(), "{what}");
    for (n, (got, want)) in got.iter().zip(want).enumerate() {
        let off = (got - want).abs();
        assert!(off <= allowed * (1.0 + want.abs()), "{what} [{n}]: {got}, should be {want}");
    }
}

#[test]
fn the_golden_values_are_those_of_the_script_beside_them() {
    let script = fs::read(folder().join("nn.py")).unwrap();
    let hash = Sha256::digest(script).iter().fold(String::new(), |all, b| format!("{all}{b:02x}"));
    assert_eq!(golden()["script_sha256"], hash, "run nn.py again");
}

#[test]
fn the_fused_layers_say_what_pytorch_says() {
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 36);
    for (n, golden) in cases.iter().enumerate() {
        let case = case(golden);
        let what = format!("case {n}, {}", case.op);
        let variables = case.variables(DType::F64);
        let output = run(&case, &variables);
        assert_eq!(output.dims(), input(&golden["output"]).shape, "{what}");
        hold(&what, &output, &input(&golden["output"]).values, ALLOWED);
        let gradients = gradients(&output, &tensor(&input(&golden["cotangent"])));
        for (name, want) in inputs(&golden["gradients"]) {
            let got = gradients.get(&variables[&name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want.values, ALLOWED);
        }
    }
}

#[test]
fn the_composed_layers_say_what_pytorch_says() {
    for (n, golden) in golden()["cases"].as_array().unwrap().iter().enumerate() {
        let case = case(golden);
        let what = format!("case {n}, {}", case.op);
        let variables = case.variables(DType::F64);
        let output = run_composed(&case, &variables).unwrap();
        hold(&what, &output, &input(&golden["output"]).values, ALLOWED);
        let gradients = gradients(&output, &tensor(&input(&golden["cotangent"])));
        for (name, want) in inputs(&golden["gradients"]) {
            if case.options["padding"] == 3 && name == "table" {
                continue; // index_select knows no padding; the fused layer is held above
            }
            let got = gradients.get(&variables[&name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want.values, ALLOWED);
        }
    }
}

/// Returns the amount by which rounding of the scores in `f32` may change a weight: a score of 10³ is known to 10⁻⁴.
fn magnitude(case: &Case) -> f64 {
    let largest = |name: &str| {
        let values = case.inputs.get(name).map_or(&[] as &[f64], |input| &input.values);
        values.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()))
    };
    if case.op == "attention" { largest("query") * largest("query") } else { 1.0 }
}

#[test]
fn single_precision_is_double_precision_rounded() {
    for (n, golden) in golden()["cases"].as_array().unwrap().iter().enumerate() {
        let mut case = case(golden);
        for input in case.inputs.values_mut() {
            for x in &mut input.values {
                *x = f64::from(*x as f32);
            }
        }
        let what = format!("case {n}, {}", case.op);
        let (single, double) = (case.variables(DType::F32), case.variables(DType::F64));
        let (got, want) = (run(&case, &single), run(&case, &double));
        let allowed = 3e-6 * magnitude(&case);
        hold(&what, &got, &numbers(&want), allowed);
        let (got_g, want_g) =
            (gradients(&got, &cotangent(&got)), gradients(&want, &cotangent(&want)));
        for name in case.leaves() {
            let want = numbers(want_g.get(&double[name]).unwrap());
            let got = got_g.get(&single[name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want, 2.0 * allowed);
        }
    }
}
