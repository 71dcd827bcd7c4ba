//! The oracle against PyTorch: two independent sources, so that neither is trusted alone.

use std::path::Path;
use std::{fmt, fs};

use serde_json::Value;
use sha2::{Digest, Sha256};
use softmark_checks::{Array, Case};
use softmark_exam::Response;
use softmark_exam::check::{Cotangents, Expected, numeric_gradients};

use crate::support::exams::suite;
use crate::support::signatures;

/// Both sides compute in `f64`, sums of at most a hundred numbers around 1.
const VALUES: f64 = 1e-12;

/// Central differences with a step of 10⁻⁵ are good to about 10⁻⁸.
const GRADIENTS: f64 = 1e-7;

fn name(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn array(value: &Value) -> Array {
    let numbers = |key: &str| value[key].as_array().unwrap().iter();
    let shape: Vec<usize> =
        numbers("shape").map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect();
    Array::new(&shape, numbers("values").map(|x| x.as_f64().unwrap()).collect())
}

fn arrays(value: &Value) -> Vec<(&'static str, Array)> {
    value.as_object().unwrap().iter().map(|(of, value)| (name(of), array(value))).collect()
}

fn case(golden: &Value) -> Case {
    let part = golden["part"].as_str().unwrap();
    let sizes = golden["sizes"].as_object().unwrap().keys().map(String::as_str);
    let mut case = Case::new(signatures::find(part, sizes), format!("golden {part}"));
    for (of, size) in golden["sizes"].as_object().unwrap() {
        case = case.size(name(of), usize::try_from(size.as_u64().unwrap()).unwrap());
    }
    for (of, value) in arrays(&golden["inputs"]) {
        case = match of {
            "mask" => case.mask(Some(value)),
            "ids" => case.ids(of, value),
            _ => case.input(of, value),
        };
    }
    for (of, value) in arrays(&golden["parameters"]) {
        case = case.parameter(of, value);
    }
    case
}

/// The assignments that have golden values, and how many cases each.
const GOLDENS: [(&str, usize); 2] = [("attention", 13), ("encoder", 7)];

fn oracle(assignment: &str, case: &Case) -> Expected {
    match (suite(assignment).truth)(case) {
        Response::Outputs(outputs) => outputs.into_iter().map(|(of, a)| (name(&of), a)).collect(),
        other @ (Response::Gradients(_)
        | Response::OtherType
        | Response::Refused
        | Response::Panicked
        | Response::Nothing) => panic!("{}: {other:?}", case.label),
    }
}

fn hold(what: &str, got: &Array, want: &Array, allowed: f64) {
    assert_eq!(got.shape(), want.shape(), "{what}");
    for (got, want) in got.values().iter().zip(want.values()) {
        assert!((got - want).abs() <= allowed, "{what}: {got}, PyTorch says {want}");
    }
}

struct HexBytes<'a>(&'a [u8]);

impl fmt::LowerHex for HexBytes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

fn golden(assignment: &str) -> (String, Value) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/golden");
    let script = fs::read(folder.join(format!("{assignment}.py"))).unwrap();
    let hash = format!("{:x}", HexBytes(&Sha256::digest(script)));
    let text = fs::read_to_string(folder.join(format!("{assignment}.json"))).unwrap();
    (hash, serde_json::from_str(&text).unwrap())
}

#[test]
fn the_golden_values_are_those_of_the_script_beside_them() {
    for (assignment, _) in GOLDENS {
        let (hash, golden) = golden(assignment);
        assert_eq!(golden["script_sha256"], hash, "run {assignment}.py again");
    }
}

#[test]
fn the_oracle_says_what_pytorch_says() {
    for (assignment, count) in GOLDENS {
        let (_, golden) = golden(assignment);
        let cases = golden["cases"].as_array().unwrap();
        assert_eq!(cases.len(), count);
        for (n, golden) in cases.iter().enumerate() {
            let case = case(golden);
            let outputs = oracle(assignment, &case);
            for (of, want) in arrays(&golden["outputs"]) {
                hold(&format!("{n}, {} `{of}`", case.label), &outputs[of], &want, VALUES);
            }
        }
    }
}

#[test]
fn differences_of_the_oracle_are_the_gradients_of_pytorch() {
    for (assignment, _) in GOLDENS {
        let (_, golden) = golden(assignment);
        for (n, golden) in golden["cases"].as_array().unwrap().iter().enumerate() {
            let case = case(golden);
            let cotangents: Cotangents = arrays(&golden["cotangents"]);
            let oracle = |case: &Case| oracle(assignment, case);
            let gradients = numeric_gradients(&case, &oracle, &cotangents);
            for (of, want) in arrays(&golden["gradients"]) {
                hold(&format!("{n}, {} `{of}`", case.label), &gradients[of], &want, GRADIENTS);
            }
        }
    }
}
