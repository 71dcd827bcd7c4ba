//! What was kept of fuzzing, put to the same properties in every run of the tests.
//!
//! The seeds of the text formats are written by hand; those of the protocol are made here:
//! `SOFTMARK_SEEDS=write cargo test --test it fuzzed::` writes them.

use std::env;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};

use softmark_wire::{
    Data, Failure, FailureKind, Input, MAX_FRAME_BYTES, Reply, Request, Tensor, write_frame,
};

#[expect(unreachable_pub, reason = "the programs that fuzz use them from another crate")]
#[path = "../../fuzz/src/properties/mod.rs"]
mod properties;

fn seeds(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target)
}

/// Puts every seed of a target to its property, and every file in the project's folder `beside`.
fn replay(target: &str, property: fn(&[u8]), beside: &str) {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut paths = files(&seeds(target));
    assert!(!paths.is_empty(), "the seeds of {target} are lost");
    if !beside.is_empty() {
        paths.extend(files(&home.join(beside)));
    }
    for path in paths {
        let bytes = fs::read(&path).unwrap();
        assert!(bytes.len() <= 64 * 1024, "{} is no seed, but a load", path.display());
        let held = catch_unwind(|| property(&bytes));
        assert!(held.is_ok(), "{} does not hold", path.display());
    }
}

fn files(dir: &Path) -> Vec<PathBuf> {
    let paths = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    paths.filter(|path| path.is_file()).collect()
}

#[test]
fn frames_and_messages() {
    replay("wire", properties::wire, "");
}

#[test]
fn assignments() {
    replay("assignment", properties::assignment, "assignments/attention");
}

#[test]
fn manifests() {
    replay("manifest", properties::manifest, "fixtures/class/amara");
}

#[test]
fn records() {
    replay("record", properties::record, "fixtures/records");
}

/// Every target has seeds, a property that is replayed here, and a place among the programs.
#[test]
fn every_target_is_replayed() {
    let home = Path::new(env!("CARGO_MANIFEST_DIR"));
    let manifest = fs::read_to_string(home.join("fuzz/Cargo.toml")).unwrap();
    let own = fs::read_to_string(home.join("tests/it/fuzzed.rs")).unwrap();
    let mut targets: Vec<String> = fs::read_dir(home.join("fuzz/targets"))
        .unwrap()
        .map(|entry| entry.unwrap().path().file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    targets.sort();
    assert!(targets.len() >= 4, "{targets:?}");
    for target in &targets {
        assert!(seeds(target).is_dir(), "no seeds for {target}");
        assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")), "{target}");
        let replayed = format!("replay(\"{target}\", properties::{target}, ");
        assert!(own.contains(&replayed), "{target} is not replayed");
    }
}

fn tensors() -> Vec<(String, Tensor)> {
    let name = |text: &str| text.to_owned();
    vec![
        (name("f32"), Tensor::f32(&[2, 2], vec![1.0, -0.0, f32::NAN, f32::INFINITY]).unwrap()),
        (name("f64"), Tensor::new(&[1], Data::F64(vec![f64::MIN_POSITIVE / 2.0])).unwrap()),
        (name("u8"), Tensor::u8(&[2, 1, 1], vec![0, 1]).unwrap()),
        (name("u32"), Tensor::new(&[], Data::U32(vec![u32::MAX])).unwrap()),
        (name("i64"), Tensor::new(&[0, 1 << 40], Data::I64(Vec::new())).unwrap()),
    ]
}

/// A message of each kind, alone and in a frame, and claims that nothing stands behind.
fn wire_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let named = |(name, tensor): (String, Tensor)| Input { name, tensor, strided: true };
    let inputs: Vec<Input> = tensors().into_iter().map(named).collect();
    let failure = Failure {
        kind: FailureKind::Panicked,
        message: "é\u{1b}[2J".repeat(20),
        place: "src/attention.rs:7".to_owned(),
    };
    let gradients = tensors().into_iter().map(|(name, tensor)| (name, Some(tensor)));
    let mut seeds = vec![
        ("request-hello", Request::Hello { version: 1 }.encode()),
        (
            "request-construct",
            Request::Construct {
                part: "multi-head".to_owned(),
                config: vec![("heads".to_owned(), u64::MAX)],
                parameters: tensors(),
            }
            .encode(),
        ),
        ("request-forward", Request::Forward { inputs: inputs.clone() }.encode()),
        ("request-gradients", Request::Gradients { inputs, cotangents: tensors() }.encode()),
        ("request-parameters", Request::Parameters.encode()),
        ("reply-hello", Reply::Hello { version: 1 }.encode()),
        ("reply-constructed", Reply::Constructed.encode()),
        ("reply-outputs", Reply::Outputs(tensors()).encode()),
        (
            "reply-gradients",
            Reply::Gradients {
                inputs: gradients.collect(),
                parameters: vec![("w".to_owned(), None)],
            }
            .encode(),
        ),
        ("reply-parameters", Reply::Parameters(vec![("w".to_owned(), vec![2, 3])]).encode()),
        ("reply-failed", Reply::Failed(failure).encode()),
    ];
    let framed: Vec<Vec<u8>> = seeds
        .iter()
        .map(|(_, message)| {
            let mut frame = Vec::new();
            write_frame(&mut frame, message).unwrap();
            frame
        })
        .collect();
    let names = [
        "frame-request-hello",
        "frame-request-construct",
        "frame-request-forward",
        "frame-request-gradients",
        "frame-request-parameters",
        "frame-reply-hello",
        "frame-reply-constructed",
        "frame-reply-outputs",
        "frame-reply-gradients",
        "frame-reply-parameters",
        "frame-reply-failed",
    ];
    seeds.extend(names.into_iter().zip(framed));
    // One output without a name, with the type `f32` and one axis of 2^60.
    let huge = [&[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1][..], &(1_u64 << 60).to_le_bytes()].concat();
    seeds.push(("claim-of-elements", huge));
    seeds.push(("claim-of-entries", [&[2][..], &u32::MAX.to_le_bytes()].concat()));
    let most = u32::try_from(MAX_FRAME_BYTES).unwrap();
    seeds.push(("claim-of-a-frame", [&b"SMK\x01"[..], &most.to_le_bytes(), &[4]].concat()));
    let over = (most + 1).to_le_bytes();
    seeds.push(("claim-of-too-long-a-frame", [&b"SMK\x01"[..], &over].concat()));
    seeds
}

#[test]
#[expect(clippy::disallowed_methods, reason = "whoever changes a message asks for new seeds")]
fn the_protocols_seeds_are_its_messages() {
    let write = env::var("SOFTMARK_SEEDS").is_ok_and(|value| value == "write");
    for (name, bytes) in wire_seeds() {
        let path = seeds("wire").join(name);
        if write {
            fs::write(&path, &bytes).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept == bytes, "{} is out of date: SOFTMARK_SEEDS=write", path.display());
    }
}
