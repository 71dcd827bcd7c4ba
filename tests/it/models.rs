//! Models that are handed in, from the file to the leaderboard.

use std::fs;

use serde_json::Value;
use softmark::fixtures;

use crate::support::exams::project;
use crate::support::grade::{Desk, HOME};
use crate::support::pack::pack;

const ONLY: &str = "class --assignment prefix-tuning --only best-model/* --out results";

/// Four submissions: the solution, another right classifier with the same checkpoint, one without any, and one
/// whose head is zeros.
fn class() -> Desk {
    let mut desk = Desk::new();
    for name in ["amara", "ben", "chiara", "dilnoza"] {
        desk = desk.submission(&format!("class/{name}"), "solutions/prefix-tuning");
    }
    let copy = |from: &str, to: &str| {
        fs::copy(format!("{HOME}/fixtures/{from}"), desk.path(&format!("class/{to}"))).unwrap();
    };
    let variants = fixtures::variants(project(), "prefix-tuning").unwrap();
    let other = variants.iter().find(|variant| variant.name == "head-by-hand").unwrap();
    fs::write(desk.path("class/ben/src/partial.rs"), &other.source["partial.rs"]).unwrap();
    fs::remove_file(desk.path("class/chiara/best.safetensors")).unwrap();
    copy("attacks/model-with-a-table-of-answers/best.safetensors", "dilnoza/best.safetensors");
    desk
}

/// The record of that submission.
fn record(desk: &Desk, name: &str) -> Value {
    let mut document: Value =
        serde_json::from_str(&desk.read(&format!("results/records/{name}.json"))).unwrap();
    document.get_mut("record").unwrap().take()
}

/// The checks of the best model: how each ended, and the first one's message.
fn ends(record: &Value) -> (Vec<&str>, &str) {
    let tasks = record["tasks"].as_array().unwrap();
    let task = tasks.iter().find(|task| task["id"] == "best-model").unwrap();
    let checks = task["checks"].as_array().unwrap();
    let status = checks.iter().map(|check| check["status"].as_str().unwrap()).collect();
    let mut messages = checks.iter().filter_map(|check| check["message"].as_str());
    (status, messages.next().unwrap_or_default())
}

#[test]
fn a_model_is_measured_and_stands_on_the_leaderboard_under_another_name() {
    pack();
    let desk = class();
    desk.grade(ONLY).exit(0);
    let of = |name: &str| record(&desk, name);
    for name in ["amara", "ben"] {
        let record = of(name);
        assert_eq!(ends(&record).0, ["pass"; 3], "{record:#}");
        assert_eq!(
            (record["points"].as_f64(), record["models"][0]["accuracy"].as_f64()),
            (Some(10.0), Some(1.0))
        );
    }
    let missing = of("chiara");
    let (status, message) = ends(&missing);
    assert_eq!(status, ["not_implemented"; 3]);
    assert!(message.contains("best.safetensors"), "{message}");
    // A head of zeros takes every question for the same class.
    let zeros = of("dilnoza");
    let (status, message) = ends(&zeros);
    assert_eq!(status, ["wrong"; 3]);
    let accuracy = zeros["models"][0]["accuracy"].as_f64().unwrap();
    assert!((0.1..0.25).contains(&accuracy), "{accuracy}");
    assert!(message.contains(&format!("{accuracy:.4}")), "{message}");

    let board = desk.read("results/leaderboard.csv");
    let pseudonym = |name: &str| of(name)["models"][0]["pseudonym"].as_str().unwrap().to_owned();
    let mut best = [pseudonym("amara"), pseudonym("ben")];
    best.sort();
    let row = |rank: u8, name: &str, rest: &str| format!("{rank},{name},{rest}\n");
    let expected = [
        "rank,pseudonym,accuracy,assignment,task,method\n".to_owned(),
        row(1, &best[0], "1.0000,prefix-tuning,best-model,partial"),
        row(1, &best[1], "1.0000,prefix-tuning,best-model,partial"),
        row(3, &pseudonym("dilnoza"), &format!("{accuracy:.4},prefix-tuning,best-model,prefix")),
    ];
    assert_eq!(board, expected.concat());
    let shown = desk.grade("show amara").exit(0).stdout;
    assert!(shown.contains("1.0000 of 600 unseen questions"), "{shown}");
    assert!(shown.contains(&pseudonym("amara")), "{shown}");

    // The same again, out of the cache and anew; under another secret everybody has another name.
    desk.grade(ONLY).exit(0);
    assert_eq!(desk.read("results/leaderboard.csv"), board);
    desk.grade(&format!("{ONLY} --fresh")).exit(0);
    assert_eq!(desk.read("results/leaderboard.csv"), board);
    let before = pseudonym("amara");
    let desk = desk.env("SOFTMARK_SECRET", "another course");
    desk.grade(ONLY).exit(0);
    assert_ne!(record(&desk, "amara")["models"][0]["pseudonym"], Value::from(before));
}
