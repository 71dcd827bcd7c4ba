//! The layers compared with PyTorch in double precision, and in single precision with themselves in double.

use std::fs;

use candle_core::DType;
use sha2::{Digest, Sha256};

use crate::golden_cases::{file, folder, golden_cases, hold, magnitude};
use crate::operation::{cotangent, gradients, numbers, run, run_composed};

/// Tolerance: both sides compute in `f64`, sums of some dozen numbers; scores of 10⁴ round to 10⁻¹².
const ALLOWED: f64 = 1e-10;

#[test]
fn the_golden_values_are_those_of_the_script_beside_them() {
    let script = fs::read(folder().join("nn.py")).unwrap();
    let hash = Sha256::digest(script).iter().fold(String::new(), |all, b| format!("{all}{b:02x}"));
    assert_eq!(file()["script_sha256"], hash, "run nn.py again");
}

#[test]
fn the_fused_layers_say_what_pytorch_says() {
    let cases = golden_cases();
    assert_eq!(cases.len(), 36);
    for (n, golden) in cases.iter().enumerate() {
        let what = format!("case {n}, {}", golden.case.op);
        let variables = golden.case.variables(DType::F64);
        let output = run(&golden.case, &variables);
        assert_eq!(output.dims(), golden.output.shape, "{what}");
        hold(&what, &output, &golden.output.values, ALLOWED);
        let gradients = gradients(&output, &golden.cotangent.tensor());
        for (name, want) in &golden.gradients {
            let got = gradients.get(&variables[name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want.values, ALLOWED);
        }
    }
}

#[test]
fn the_composed_layers_say_what_pytorch_says() {
    for (n, golden) in golden_cases().iter().enumerate() {
        let what = format!("case {n}, {}", golden.case.op);
        let variables = golden.case.variables(DType::F64);
        let output = run_composed(&golden.case, &variables).unwrap();
        hold(&what, &output, &golden.output.values, ALLOWED);
        let gradients = gradients(&output, &golden.cotangent.tensor());
        for (name, want) in &golden.gradients {
            let got = gradients.get(&variables[name]).unwrap();
            hold(&format!("{what}, gradient of {name}"), got, &want.values, ALLOWED);
        }
    }
}

#[test]
fn single_precision_is_double_precision_rounded() {
    for (n, golden) in golden_cases().into_iter().enumerate() {
        let case = golden.case.in_single_precision();
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
