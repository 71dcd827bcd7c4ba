//! Results have the same bits on one, two and three threads.
//!
//! candle's matrix products read the number of threads from the environment, so each count has a process of
//! its own: this test, started again.

use std::process::Command;

use candle_core::{DType, Tensor};
use serde_json::json;

use crate::operation::{Case, cotangent, gradients, run};

/// Returns cases large enough to be shared among threads: products above 48 · 48 · 256, several blocks elsewhere.
fn cases() -> Vec<Case> {
    vec![
        Case::new("softmax", json!({"dim": 2}), &[("x", &[4, 300, 33])]),
        Case::new("log_softmax", json!({"dim": 1}), &[("x", &[300, 33])]),
        Case::new("gelu_erf", json!({}), &[("x", &[30_000])]),
        Case::new("dropout", json!({}), &[("x", &[3, 9000])]),
        Case::new(
            "layer_norm",
            json!({"eps": 1e-5}),
            &[("x", &[4, 300, 64]), ("weight", &[64]), ("bias", &[64])],
        ),
        Case::new(
            "linear",
            json!({}),
            &[("x", &[8, 300, 70]), ("weight", &[130, 70]), ("bias", &[130])],
        ),
        Case::new("embedding", json!({}), &[("table", &[500, 64]), ("ids", &[30, 40])]),
        Case::new("cross_entropy", json!({}), &[("logits", &[900, 70]), ("targets", &[900])]),
        Case::new(
            "attention",
            json!({"dropout": 0.1}),
            &[
                ("query", &[3, 4, 70, 16]),
                ("key", &[3, 4, 90, 16]),
                ("value", &[3, 4, 90, 16]),
                ("mask", &[3, 1, 70, 90]),
            ],
        ),
        Case::new("pooling", json!({"kind": "max"}), &[("x", &[30, 40, 64]), ("mask", &[30, 40])]),
    ]
}

/// Mixes the bits of every number into a hash.
fn mix(hash: u64, x: &Tensor) -> u64 {
    let bits = x.flatten_all().unwrap().to_vec1::<f32>().unwrap();
    bits.iter()
        .fold(hash, |hash, x| (hash ^ u64::from(x.to_bits())).wrapping_mul(0x0000_0100_0000_01b3))
}

#[test]
fn bits_of_this_process() {
    for case in cases() {
        let variables = case.variables(DType::F32);
        let output = run(&case, &variables);
        let gradients = gradients(&output, &cotangent(&output));
        let hash = mix(0xcbf2_9ce4_8422_2325, &output);
        let leaves = case.leaves().map(|name| gradients.get(&variables[name]).unwrap());
        println!("bits of {} are {:016x}", case.op, leaves.fold(hash, mix));
    }
}

#[expect(clippy::disallowed_methods, reason = "the test starts itself, with another environment")]
fn bits_on(threads: &str) -> Vec<String> {
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "threads::bits_of_this_process", "--nocapture"])
        .env("RAYON_NUM_THREADS", threads)
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().filter_map(|line| Some(line.split_once("bits of ")?.1.to_owned())).collect()
}

#[test]
fn the_bits_are_the_same_on_any_number_of_threads() {
    let one = bits_on("1");
    assert_eq!(one.len(), cases().len());
    assert_eq!(one, bits_on("1"), "a second run");
    assert_eq!(one, bits_on("2"), "two threads");
    assert_eq!(one, bits_on("3"), "three threads");
}
