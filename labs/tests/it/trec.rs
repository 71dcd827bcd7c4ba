//! The lab `trec` on generated questions, from scratch and with a small encoder in the published files.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use softmark_kit::rng::Stream;
use softmark_labs::Arguments;
use softmark_labs::trec::{Options, run};

use crate::support::{check_page, published, results, same_bytes_twice, text, write};

const LABELS: [&str; 6] =
    ["ABBR:exp", "DESC:manner", "ENTY:animal", "HUM:ind", "LOC:city", "NUM:date"];

/// Writes both files, with `count` and a quarter of `count` questions of each class. A question says nothing
/// about its class: only the fine label does.
fn questions(data: &Path, count: u64) {
    let mut stream = Stream::derive(1, "questions", 0);
    for (file, count) in [("train_5500.label", count), ("TREC_10.label", count / 4)] {
        let mut lines = String::new();
        for _ in 0..count {
            for label in LABELS {
                let question = text(&["what", "which", "river", "first"], 6, &mut stream);
                writeln!(lines, "{label} {question} ?").unwrap();
            }
        }
        write(&data.join("trec").join(file), &lines);
    }
}

fn options(data: &Path, out: &Path, epochs: usize) -> Options {
    let common = Arguments { epochs: Some(epochs), ..Arguments::new(data, out) };
    Options { common, model: None, hub: false }
}

#[test]
fn a_short_run_gives_the_same_bytes_twice() {
    let data = tempfile::tempdir().unwrap();
    questions(data.path(), 12);
    let out = same_bytes_twice(|folder| run(&options(data.path(), folder, 1)).unwrap());
    let found = results(out.path());
    let figures = found["figures"].as_array().unwrap();
    let published: Vec<Option<f64>> = figures.iter().map(|it| it["published"].as_f64()).collect();
    assert_eq!(published, [Some(0.904), None, Some(0.672), Some(0.995)]);
    let ours: Vec<bool> = figures.iter().map(|it| it["ours"].is_number()).collect();
    assert_eq!(ours, [true, true, false, false], "published encoders were not given");
    let page = check_page(out.path());
    assert!(page.contains("72 questions, 66 for training and 6 for validation"), "{page}");
    assert!(page.contains("BERT and DistilBERT were not tuned"));
}

#[test]
fn only_the_leak_makes_empty_questions_answerable() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    questions(data.path(), 60);
    run(&options(data.path(), out.path(), 6)).unwrap();
    let found = results(out.path());
    let accuracy = |at: usize| found["runs"][at]["test"]["accuracy"].as_f64().unwrap();
    assert_eq!(found["runs"][0]["name"], "scratch-leaky");
    assert!(accuracy(0) > 0.95, "{}", accuracy(0));
    assert!(accuracy(1) < 0.5, "{}", accuracy(1));
}

#[test]
fn a_given_encoder_is_tuned_with_each_method() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    questions(data.path(), 12);
    let encoder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fixtures/pretrained");
    let with = Options { model: Some(encoder), ..options(data.path(), out.path(), 1) };
    run(&with).unwrap();
    let found = results(out.path());
    let runs = found["runs"].as_array().unwrap();
    let names: Vec<&str> = runs.iter().map(|it| it["name"].as_str().unwrap()).collect();
    let want = ["head", "prefix-5", "last-2"]
        .map(|it| [format!("given-{it}-leaky"), format!("given-{it}-clean")])
        .concat();
    assert_eq!(names[2..], want);
    let parameters = |at: usize| runs[at]["parameters"].as_u64().unwrap();
    // Width 96, six classes.
    assert_eq!(parameters(2), 96 * 6 + 6);
    assert_eq!(parameters(4), 5 * 96 + 96 * 6 + 6);
    assert!(parameters(6) > 100_000);
    assert!(check_page(out.path()).contains("given encoder, prefix of 5 and head"));
}

#[test]
fn missing_files_are_errors_that_name_them() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let error = run(&options(data.path(), out.path(), 1)).unwrap_err();
    assert!(format!("{error:#}").contains("train_5500.label"), "{error:#}");
    questions(data.path(), 12);
    let with =
        Options { model: Some(data.path().to_owned()), ..options(data.path(), out.path(), 1) };
    let error = run(&with).unwrap_err();
    assert!(format!("{error:#}").contains("config.json"), "{error:#}");
}

#[test]
fn the_leak_answers_published_questions() {
    let Some(published) = published("trec") else { return };
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    // The first thousand questions stand for all, so that the test takes seconds.
    for (from, to) in [("train_1000", "train_5500"), ("TREC_10", "TREC_10")] {
        let text = fs::read(published.join(format!("trec/{from}.label"))).unwrap();
        fs::write(data.path().join(format!("{to}.label")), text).unwrap();
    }
    run(&options(data.path(), out.path(), 4)).unwrap();
    let found = results(out.path());
    let accuracy = |at: usize| found["runs"][at]["test"]["accuracy"].as_f64().unwrap();
    assert!(accuracy(0) > accuracy(1) + 0.1, "{} and {}", accuracy(0), accuracy(1));
    assert!(check_page(out.path()).contains("1000 questions, 900 for training"));
}
