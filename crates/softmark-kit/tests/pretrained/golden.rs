//! Both families compared with PyTorch and transformers, in double precision, with a prefix, forward and backward.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use candle_core::{DType, Device, Tensor, Var};
use candle_nn::VarBuilder;
use serde_json::Value;
use sha2::{Digest, Sha256};
use softmark_kit::pretrained::{PretrainedConfig, PretrainedEncoder, published_name};

/// Tolerance: both sides compute in `f64`, two layers of sums of some dozen numbers.
const ALLOWED: f64 = 1e-10;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/golden")
}

fn golden() -> Value {
    serde_json::from_str(&fs::read_to_string(folder().join("pretrained.json")).unwrap()).unwrap()
}

fn tensor(value: &Value) -> Tensor {
    let list = |name: &str| value[name].as_array().unwrap().iter();
    let shape: Vec<usize> =
        list("shape").map(|n| usize::try_from(n.as_u64().unwrap()).unwrap()).collect();
    let values: Vec<f64> = list("values").map(|x| x.as_f64().unwrap()).collect();
    Tensor::from_vec(values, shape, &Device::Cpu).unwrap()
}

fn whole_numbers(value: &Value, dtype: DType) -> Tensor {
    let row = |row: &Value| -> Vec<i64> {
        row.as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect()
    };
    let rows: Vec<Vec<i64>> = value.as_array().unwrap().iter().map(row).collect();
    Tensor::new(rows, &Device::Cpu).unwrap().to_dtype(dtype).unwrap()
}

/// Returns the largest difference between two tensors of the same shape.
fn away(a: &Tensor, b: &Tensor) -> f64 {
    assert_eq!(a.dims(), b.dims());
    (a - b).unwrap().abs().unwrap().flatten_all().unwrap().max(0).unwrap().to_scalar().unwrap()
}

#[test]
fn the_golden_values_are_those_of_the_script_beside_them() {
    let script = fs::read(folder().join("pretrained.py")).unwrap();
    let hash = Sha256::digest(script).iter().fold(String::new(), |all, b| format!("{all}{b:02x}"));
    assert_eq!(golden()["script_sha256"], hash, "run pretrained.py again");
}

#[test]
fn a_prefix_before_an_encoder_does_what_it_does_in_transformers() {
    let golden = golden();
    let cases = golden["cases"].as_array().unwrap();
    assert_eq!(cases.len(), 4);
    for (n, case) in cases.iter().enumerate() {
        let config = PretrainedConfig::from_json(&case["config"].to_string()).unwrap();
        let parameter = |(ours, _): (String, Vec<usize>)| {
            let name = published_name(config.family, &ours).unwrap();
            (ours, tensor(&case["parameters"][name]))
        };
        let frozen: BTreeMap<String, Tensor> =
            config.parameters().into_iter().map(parameter).collect();
        let learns = frozen
            .iter()
            .map(|(name, it)| (name.clone(), Var::from_tensor(it).unwrap().as_tensor().clone()));
        for parameters in [frozen.clone(), learns.collect()] {
            let vb = VarBuilder::from_tensors(
                parameters.into_iter().collect(),
                DType::F64,
                &Device::Cpu,
            );
            let base = PretrainedEncoder::new(config, vb).unwrap();
            let prefix = Var::from_tensor(&tensor(&case["prefix"])).unwrap();
            let mask = whole_numbers(&case["mask"], DType::U8);
            let before = Tensor::ones((3, 2), DType::U8, &Device::Cpu).unwrap();
            let embedded = base.embed(&whole_numbers(&case["ids"], DType::U32)).unwrap();
            assert!(away(&embedded, &tensor(&case["embedded"])) < ALLOWED, "{n}");
            let before_all = prefix.broadcast_left(3).unwrap();
            let x = Tensor::cat(&[&before_all, &embedded], 1).unwrap();
            let whole = Tensor::cat(&[&before, &mask], 1).unwrap();
            let output = base.encode(&x, &whole, false).unwrap();
            // The cotangent is zero at padding, so that outputs there do not count on either side.
            let cotangent = tensor(&case["cotangent"]);
            let at_real = |it: &Tensor| {
                (it * cotangent.ne(0.0).unwrap().to_dtype(DType::F64).unwrap()).unwrap()
            };
            assert!(away(&at_real(&output), &at_real(&tensor(&case["output"]))) < ALLOWED, "{n}");
            let sum = (&output * &cotangent).unwrap().sum_all().unwrap();
            let gradients = sum.backward().unwrap();
            let gradient = gradients.get(&prefix).unwrap();
            assert!(away(gradient, &tensor(&case["gradient"])) < ALLOWED, "{n}");
        }
    }
}
