//! What was kept of fuzzing, put to the same properties in every run of the tests.
//!
//! The seeds of the text formats are written by hand; those of the protocol and the archives are
//! made here:
//! `SOFTMARK_SEEDS=write cargo test --test it fuzzed::` writes them.

use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::{env, fs};

use softmark_wire::{
    Construction, Data, Failure, FailureKind, Input, MAX_FRAME_BYTES, Recipe, Reply, Request,
    Tensor, write_frame,
};

use crate::support::archive as builders;
use crate::support::archive::{
    ZipEnd, ZipEntry, gzipped, pax, tar, tar_entry, tar_sized, zip, zip_ending,
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
fn archives() {
    replay("archive", properties::archive, "");
}

#[test]
fn assignments() {
    replay("assignment", properties::assignment, "assignments/attention");
}

#[test]
fn checkpoints() {
    replay("checkpoint", properties::checkpoint, "");
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
    assert!(targets.len() >= 5, "{targets:?}");
    for target in &targets {
        assert!(seeds(target).is_dir(), "no seeds for {target}");
        assert!(manifest.contains(&format!("path = \"targets/{target}.rs\"")), "{target}");
        let replayed = format!("replay(\"{target}\", properties::{target}, ");
        assert!(own.contains(&replayed), "{target} is not replayed");
    }
}

fn recipe() -> Recipe {
    Recipe {
        seed: u64::MAX,
        epochs: 1,
        batch_size: 0,
        learning_rate: f64::NAN,
        warm_up: -1.0,
        weight_decay: -0.0,
        clip_norm: f64::INFINITY,
        stopping_threshold: f64::MIN_POSITIVE,
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

/// What the grader asks, each kind once.
fn request_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let named = |(name, tensor): (String, Tensor)| Input { name, tensor, strided: true };
    let inputs: Vec<Input> = tensors().into_iter().map(named).collect();
    let component = Construction {
        part: "multi-head".to_owned(),
        config: vec![("heads".to_owned(), u64::MAX)],
        parameters: tensors(),
    };
    let both = Request::ConstructAndAsk {
        component: component.clone(),
        request: Box::new(Request::Forward { inputs: inputs.clone() }),
    };
    let gradients = Request::Gradients { inputs: inputs.clone(), cotangents: tensors() };
    let detect = Request::Detect { detector: u32::MAX, config: vec![("heads".to_owned(), 2)] };
    vec![
        ("request-hello", Request::Hello { version: 1 }.encode()),
        ("request-construct", Request::Construct(component).encode()),
        ("request-construct-and-ask", both.encode()),
        ("request-forward", Request::Forward { inputs: inputs.clone() }.encode()),
        ("request-gradients", gradients.encode()),
        ("request-train", Request::Train { examples: inputs, recipe: recipe() }.encode()),
        ("request-parameters", Request::Parameters.encode()),
        ("request-detectors", Request::Detectors.encode()),
        ("request-detect", detect.encode()),
        ("request-observed", Request::Observed(Ok(tensors())).encode()),
        ("request-not-observed", Request::Observed(Err("too long".to_owned())).encode()),
        ("request-read-parameters", Request::ReadParameters.encode()),
        ("request-set-parameters", Request::SetParameters { parameters: tensors() }.encode()),
    ]
}

/// What a worker answers, each kind once.
fn reply_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let failure = Failure {
        kind: FailureKind::Panicked,
        message: "é\u{1b}[2J".repeat(20),
        place: "src/attention.rs:7".to_owned(),
    };
    let gradients = tensors().into_iter().map(|(name, tensor)| (name, Some(tensor)));
    let gradients =
        Reply::Gradients { inputs: gradients.collect(), parameters: vec![("w".to_owned(), None)] };
    let experiment = Reply::Experiment { parameters: tensors(), inputs: tensors() };
    vec![
        ("reply-hello", Reply::Hello { version: 1 }.encode()),
        ("reply-constructed", Reply::Constructed.encode()),
        ("reply-outputs", Reply::Outputs(tensors()).encode()),
        ("reply-gradients", gradients.encode()),
        ("reply-parameters", Reply::Parameters(vec![("w".to_owned(), vec![2, 3])]).encode()),
        ("reply-failed", Reply::Failed(failure).encode()),
        ("reply-trained", Reply::Trained(tensors().remove(0).1).encode()),
        ("reply-detectors", Reply::Detectors(vec!["é".to_owned(), String::new()]).encode()),
        ("reply-experiment", experiment.encode()),
        ("reply-verdict", Reply::Verdict { bug: true, reason: "\u{1b}[2J".to_owned() }.encode()),
        ("reply-parameter-values", Reply::ParameterValues(tensors()).encode()),
        ("reply-updated", Reply::Updated.encode()),
    ]
}

/// A message of each kind, alone and in a frame, and claims that nothing stands behind.
fn wire_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let mut seeds = request_seeds();
    seeds.extend(reply_seeds());
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
        "frame-request-construct-and-ask",
        "frame-request-forward",
        "frame-request-gradients",
        "frame-request-train",
        "frame-request-parameters",
        "frame-request-detectors",
        "frame-request-detect",
        "frame-request-observed",
        "frame-request-not-observed",
        "frame-request-read-parameters",
        "frame-request-set-parameters",
        "frame-reply-hello",
        "frame-reply-constructed",
        "frame-reply-outputs",
        "frame-reply-gradients",
        "frame-reply-parameters",
        "frame-reply-failed",
        "frame-reply-trained",
        "frame-reply-detectors",
        "frame-reply-experiment",
        "frame-reply-verdict",
        "frame-reply-parameter-values",
        "frame-reply-updated",
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

/// What programs write, what none would, and a list of entries that is packed in every way.
fn archive_seeds() -> Vec<(&'static str, Vec<u8>)> {
    let files = [("amara/src/attention.rs", "pub fn attend() {}\n"), ("amara/Cargo.toml", "")];
    let of = |entry: fn(&str, &[u8]) -> ZipEntry| -> Vec<ZipEntry> {
        files.iter().map(|(name, text)| entry(name, text.as_bytes())).collect()
    };
    let entry = |name: &str, kind, text: &str| tar_entry(name.as_bytes(), kind, text.as_bytes());
    let said =
        |record: Vec<u8>, kind| [tar_entry(b"x", kind, &record), entry("x", b'0', "")].concat();
    let plain = tar(&[
        entry("amara/", b'5', ""),
        entry("amara/src/attention.rs", b'0', "pub fn attend() {}\n"),
    ]);
    let second = [gzipped(&plain), gzipped(&plain)].concat();
    let link = ZipEntry { mode: 0o120_777, ..ZipEntry::stored("amara/target/x", b"/") };
    // The numbers for which there is no room stand once more, in twice as many bytes.
    let wide = |entry: ZipEntry| {
        let sizes = [u64::from(entry.size), entry.packed.len() as u64].map(u64::to_le_bytes);
        ZipEntry { local_extra: [&[1, 0, 16, 0][..], &sizes.concat()].concat(), ..entry }
    };
    let end = ZipEnd { comment: b"packed by hand".to_vec(), ..ZipEnd::default() };
    let far = ZipEnd { list: Some(u32::MAX), ..ZipEnd::default() };
    // What it is, a name with its length, and for a file a content with its own.
    let listed = |entries: &[(u8, &str, Option<&str>)]| {
        let mut bytes = Vec::new();
        for (kind, name, text) in entries {
            bytes.extend([*kind, u8::try_from(name.len()).unwrap()]);
            bytes.extend(name.as_bytes());
            bytes.extend(text.map(|text| u8::try_from(text.len()).unwrap()));
            bytes.extend(text.unwrap_or_default().as_bytes());
        }
        bytes
    };
    vec![
        ("zip-stored", zip(&of(ZipEntry::stored))),
        ("zip-packed", zip(&of(ZipEntry::packed))),
        ("zip-streamed", zip_ending(&of(ZipEntry::streamed), &end)),
        ("zip-wide", zip(&of(ZipEntry::packed).into_iter().map(wide).collect::<Vec<_>>())),
        ("zip-folders", zip(&[ZipEntry::folder("amara"), ZipEntry::folder("amara/src"), link])),
        ("zip-empty", zip(&[])),
        ("zip-far", zip_ending(&of(ZipEntry::stored), &far)),
        ("zip-liar", zip(&[ZipEntry { size: u32::MAX - 1, ..ZipEntry::packed("a", b"a") }])),
        ("tar-gz", gzipped(&plain)),
        ("tar-gz-twice", second),
        ("tar-plain", plain),
        ("tar-claim", tar(&[tar_sized(b"a", b'0', b"77777777777\0", b"")])),
        ("tar-binary", tar(&[tar_sized(b"a", b'0', b"\x80\0\0\0\0\0\0\0\0\0\0\x01", b"a")])),
        ("tar-long-name", tar(&[said(b"amara/src/attention.rs\0".to_vec(), b'L')])),
        ("tar-pax-path", tar(&[said(pax("path", "amara/src/attention.rs"), b'x')])),
        ("tar-pax-size", tar(&[said(pax("size", "0"), b'x')])),
        ("tar-pax-sparse", tar(&[said(pax("GNU.sparse.major", "1"), b'x')])),
        ("tar-pax-all", tar(&[tar_entry(b"x", b'g', &pax("comment", "by hand"))])),
        (
            "list",
            listed(&[
                (0, "amara/src/attention.rs", Some("pub fn attend() {}\n")),
                (4, "amara/Cargo.toml", Some("[package]")),
                (8, "./amara//README.md", Some("")),
                (1, "amara/src", None),
                (2, "amara/target/x", None),
                (3, "amara/.git/y", None),
            ]),
        ),
        // A name of a hundred kilobytes, and one name often, in some hundred bytes.
        ("tar-gz-long-name", gzipped(&tar(&[said(pax("path", "a".repeat(100_000)), b'x')]))),
        ("tar-gz-often", gzipped(&tar(&vec![entry("a", b'0', ""); 100]))),
        (
            "list-of-capitals-around-litter",
            listed(&[
                (0, "src/a", Some("")),
                (0, "SRC/target/x", Some("")),
                (0, "SRC/b", Some("")),
            ]),
        ),
        ("list-of-two-in-capitals", listed(&[(0, "a/b", Some("")), (0, "A/b", Some(""))])),
    ]
}

#[expect(clippy::disallowed_methods, reason = "whoever changes a format asks for new seeds")]
fn are_kept(target: &str, made: Vec<(&str, Vec<u8>)>) {
    let write = env::var("SOFTMARK_SEEDS").is_ok_and(|value| value == "write");
    for (name, bytes) in made {
        let path = seeds(target).join(name);
        if write {
            fs::write(&path, &bytes).unwrap();
        }
        let kept = fs::read(&path).unwrap_or_default();
        assert!(kept == bytes, "{} is out of date: SOFTMARK_SEEDS=write", path.display());
    }
}

#[test]
fn the_protocols_seeds_are_its_messages() {
    are_kept("wire", wire_seeds());
}

#[test]
fn the_archives_seeds_are_what_is_packed_here() {
    are_kept("archive", archive_seeds());
}
