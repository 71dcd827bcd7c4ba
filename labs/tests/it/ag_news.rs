//! The lab `ag-news` on generated articles.

use std::fmt::Write as _;
use std::path::Path;

use softmark_kit::rng::Stream;
use softmark_labs::Arguments;
use softmark_labs::ag_news::{Options, run};

use crate::support::{check_page, results, same_bytes_twice, text, write};

/// Writes training and test files with `rows` and a quarter of `rows` articles of each class.
fn articles(data: &Path, rows: u64) {
    let words = [["truce", "envoy"], ["match", "coach"], ["profit", "shares"], ["probe", "chip"]];
    let mut stream = Stream::derive(1, "articles", 0);
    for (file, count) in [("train.csv", rows), ("test.csv", rows / 4)] {
        let mut lines = String::new();
        for _ in 0..count {
            for (class, own) in (1..).zip(&words) {
                let (title, body) = (text(own, 3, &mut stream), text(own, 8, &mut stream));
                writeln!(lines, "\"{class}\",\"{title}\",\"{body}, \"\"{title}\"\"\"").unwrap();
            }
        }
        write(&data.join("ag_news/ag_news_csv").join(file), &lines);
    }
}

fn options(data: &Path, out: &Path, epochs: usize) -> Options {
    let common = Arguments { epochs: Some(epochs), ..Arguments::new(data, out) };
    Options { common, pieces: None, trials: Some(2) }
}

#[test]
fn a_short_run_gives_the_same_bytes_twice() {
    let data = tempfile::tempdir().unwrap();
    articles(data.path(), 20);
    let out = same_bytes_twice(|folder| run(&options(data.path(), folder, 1)).unwrap());
    let found = results(out.path());
    let published: Vec<Option<f64>> =
        found["figures"].as_array().unwrap().iter().map(|it| it["published"].as_f64()).collect();
    assert_eq!(published, [Some(0.8525), None, Some(0.8645), None]);
    let runs = found["runs"].as_array().unwrap();
    let names: Vec<&str> = runs.iter().map(|it| it["name"].as_str().unwrap()).collect();
    let first = ["baseline", "heads-1", "heads-2", "heads-10", "heads-25", "heads-50", "heads-100"];
    assert_eq!(names[..7], first);
    assert_eq!(names[7..10], ["cls", "learned-positions", "layer-norm"]);
    assert_eq!(names[10..], ["search-01", "search-02"]);
    // 20 test articles.
    let rows = runs[0]["test"]["confusion"].as_array().unwrap();
    let counts = rows.iter().flat_map(|row| row.as_array().unwrap());
    assert_eq!(counts.map(|it| it.as_u64().unwrap()).sum::<u64>(), 20);
    let page = check_page(out.path());
    assert!(
        page.contains("train.csv with 80 rows, 72 for training and 8 for validation"),
        "{page}"
    );
    assert!(page.contains("attention, 100 heads") && page.contains("The published training file"));
}

#[test]
fn words_of_the_classes_are_learnt() {
    let (data, out) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    articles(data.path(), 40);
    run(&Options { trials: Some(0), ..options(data.path(), out.path(), 4) }).unwrap();
    for run in results(out.path())["runs"].as_array().unwrap() {
        let accuracy = run["test"]["accuracy"].as_f64().unwrap();
        let name = run["name"].as_str().unwrap();
        if ["heads-1", "heads-100", "learned-positions"].contains(&name) {
            assert!(accuracy > 0.9, "{name}: {accuracy}");
        }
    }
}
