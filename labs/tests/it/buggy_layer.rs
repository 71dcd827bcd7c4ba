//! The lab `buggy-layer` on generated questions.

use std::fs;
use std::path::Path;

use serde_json::Value;
use softmark_kit::rng::Stream;
use softmark_labs::Arguments;
use softmark_labs::buggy_layer::run;

use crate::support::{check_page, published, results, text, write};

const CLASSES: [(&str, [&str; 2]); 6] = [
    ("ABBR:abb", ["acronym", "stands"]),
    ("DESC:manner", ["how", "develop"]),
    ("ENTY:animal", ["animal", "fish"]),
    ("HUM:ind", ["who", "wrote"]),
    ("LOC:city", ["where", "city"]),
    ("NUM:date", ["when", "year"]),
];

/// Writes questions in TREC's format: `count` of each class.
fn questions(path: &Path, count: usize, stream: &mut Stream) {
    let mut lines = String::new();
    for _ in 0..count {
        for (label, own) in CLASSES {
            lines.extend([label, " ", &text(&own, 8, stream), " ?\n"]);
        }
    }
    write(path, &lines);
}

fn data(folder: &Path) {
    let mut stream = Stream::derive(1, "questions", 0);
    questions(&folder.join("trec/train_5500.label"), 20, &mut stream);
    questions(&folder.join("trec/TREC_10.label"), 4, &mut stream);
}

/// Returns a measure of a run.
fn measure(run: &Value, name: &str) -> Vec<f64> {
    let values = run["measures"][name].as_array().unwrap_or_else(|| panic!("no measure {name}"));
    values.iter().map(|it| it.as_f64().unwrap()).collect()
}

#[test]
fn attention_is_measured_in_every_layer_before_and_after_training() {
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    data(folder.path());
    let arguments = Arguments { epochs: Some(1), ..Arguments::new(folder.path(), out.path()) };
    run(&arguments, 120).unwrap();
    let found = results(out.path());
    let runs = found["runs"].as_array().unwrap();
    let names: Vec<&str> = runs.iter().map(|run| run["name"].as_str().unwrap()).collect();
    let sums = ["planted-bug", "attention-repaired", "feed-forward-repaired", "repaired"];
    assert_eq!(names[..4], sums.map(|it| format!("generated-{it}")));
    assert_eq!(names[4..], sums.map(|it| format!("trec-{it}")));
    for run in &runs[4..] {
        let largest = measure(run, "largest entropy")[0];
        assert!((largest - 9_f64.ln()).abs() < 1e-12, "all questions have nine tokens");
        for when in ["before", "after"] {
            let entropy = measure(run, &format!("entropy {when} training"));
            assert!(
                entropy.len() == 6 && entropy.iter().all(|it| (0.0..=largest + 1e-6).contains(it))
            );
            let alike = measure(run, &format!("similarity {when} training"));
            assert!(alike.len() == 6 && alike.iter().all(|it| (-1.0..=1.0 + 1e-6).contains(it)));
        }
        let weights = measure(run, "weights of layer 6");
        assert_eq!(weights.len(), 4 * 9 * 9, "heads, queries, keys");
        for row in weights.chunks(9) {
            assert!((row.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{row:?}");
        }
    }
    // Without the sum around attention all tokens have become alike in the last layer, with it they have not.
    let last = |run: usize| measure(&runs[run], "similarity before training")[5];
    assert!(last(4) > 0.95, "{}", last(4));
    assert!(last(7) < 0.9, "{}", last(7));
    let page = check_page(out.path());
    for heading in [
        "Attention entropy by layer (trec questions)",
        "Heat maps: generated-planted-bug",
        "Heat maps: trec-repaired",
    ] {
        assert!(page.contains(heading), "{heading}");
    }
    let before = fs::read(out.path().join("results.json")).unwrap();
    run(&arguments, 120).unwrap();
    assert_eq!(fs::read(out.path().join("results.json")).unwrap(), before, "from saved runs");
}

#[test]
fn published_questions_are_read() {
    let Some(published) = published("trec") else { return };
    let (folder, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    for (name, lines) in [("train_5500.label", 400), ("TREC_10.label", 500)] {
        let bytes = fs::read(published.join("trec").join(name)).unwrap();
        let first: Vec<u8> =
            bytes.split_inclusive(|it| *it == b'\n').take(lines).flatten().copied().collect();
        let path = folder.path().join("trec").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, first).unwrap();
    }
    let arguments = Arguments { epochs: Some(1), ..Arguments::new(folder.path(), out.path()) };
    run(&arguments, 120).unwrap();
    let texts = results(out.path())["data"].to_string();
    assert!(
        texts
            .contains("no label in the text: 360 for training, 40 for validation, 500 for testing"),
        "{texts}"
    );
    assert!(check_page(out.path()).contains("Heat maps: trec-repaired"));
}
