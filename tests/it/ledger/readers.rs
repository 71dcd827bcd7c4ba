//! One writes, many read: whoever may only read a folder of results, ledgers of earlier versions, and those that a copy spoiled.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use rusqlite::Connection;
use softmark::store::{Store, StoreError};

use super::{CHECK, grade, ledger, three_runs};
use crate::support::grade::{Desk, copy};
use crate::support::reader::Reader;
use crate::support::records::grader;

/// Commands that only read.
const READING: [&str; 12] = [
    "log",
    "log --format json",
    "log chen-wei",
    "log chen-wei --format html",
    "diff",
    "diff 1 3 --format json",
    "diff results results",
    "stats",
    "stats attention --format json",
    "override",
    "appeal list --all",
    "show chen-wei",
];

/// Files below a folder with their bytes.
fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.insert(path.clone(), fs::read(path).unwrap());
        }
    }
    files
}

/// Three runs, an override and an appeal.
fn decided() -> Desk {
    let desk = three_runs();
    let line = ["override", "chen-wei", CHECK, "--points", "1", "--reason", "r", "--by", "O"];
    grade(&desk, &line).exit(0);
    grade(&desk, &["appeal", "open", "chen-wei", "--question", "why?", "--by", "c"]).exit(0);
    desk
}

#[test]
fn commands_that_read_change_no_file() {
    let desk = decided();
    let before = files(&desk.path("results"));
    for line in READING {
        desk.grade(line).exit(0);
        assert_eq!(files(&desk.path("results")), before, "{line}");
    }
}

#[test]
fn whoever_may_only_read_reads_everything() {
    let desk = decided();
    let before = files(&desk.path("results"));
    let told = READING.map(|line| desk.grade(line).exit(0));
    let Some(reader) = Reader::of(&desk, "results") else { return };
    for (line, told) in READING.iter().zip(told) {
        assert_eq!(reader.grade(line), told, "{line}");
    }
    assert_eq!(files(&desk.path("results")), before);
}

#[test]
fn whoever_may_only_read_reads_beside_a_writer() {
    let desk = decided();
    let mut writer = Store::open(&ledger(&desk)).unwrap();
    for runs in 4..7 {
        writer.begin_run(&grader(), "2026-02-03T12:00:00Z").unwrap();
        let Some(reader) = Reader::of(&desk, "results") else { return };
        let told = reader.grade("log --format json").exit(0).stdout;
        let told: serde_json::Value = serde_json::from_str(&told).unwrap();
        assert_eq!(told["runs"].as_array().unwrap().len(), runs);
    }
}

#[test]
fn whoever_may_only_read_is_told_so_when_a_command_must_write() {
    let desk = decided();
    let before = files(&desk.path("results"));
    let Some(reader) = Reader::of(&desk, "results") else { return };
    let by = "--by O";
    for line in [
        format!("override chen-wei {CHECK} --points 2 --reason r {by}"),
        format!("override chen-wei {CHECK} --withdraw {by}"),
        format!("appeal answer chen-wei --answer so {by}"),
        "mark".to_owned(),
        "serve --listen 127.0.0.1:0".to_owned(),
    ] {
        let told = reader.grade(&line).stderr;
        assert!(told.contains("you may only read"), "{line}\n{told}");
        assert!(!told.contains("readonly database"), "{line}\n{told}");
        assert_eq!(files(&desk.path("results")), before, "{line}");
    }
}

/// A ledger of the first version, with the records of its runs.
fn first_version(desk: &Desk, folder: &str) -> PathBuf {
    let path = desk.path(folder).join("softmark.db");
    fs::create_dir_all(desk.path(folder)).unwrap();
    let dump = include_str!("../../../fixtures/ledger/schema-1.sql");
    Connection::open(&path).unwrap().execute_batch(dump).unwrap();
    path
}

#[test]
fn an_older_ledger_is_read_and_left_as_it_is() {
    let desk = three_runs();
    let path = first_version(&desk, "results-2025");
    let bytes = fs::read(&path).unwrap();
    let is_right = |told: String| {
        assert!(told.contains("19.25"), "{told}");
        assert_eq!(fs::read(&path).unwrap(), bytes, "it is not migrated");
    };
    is_right(desk.grade("log chen-wei --out results-2025").exit(0).stdout);
    is_right(desk.grade("diff results-2025 results").exit(0).stdout);
    assert_eq!(desk.grade("override --out results-2025").exit(0).stdout, "0 overrides\n");
    if let Some(reader) = Reader::of(&desk, "results-2025") {
        is_right(reader.grade("log chen-wei --out results-2025").exit(0).stdout);
        is_right(reader.grade("diff results-2025 results").exit(0).stdout);
    }
    assert_eq!(desk.list("results-2025"), ["softmark.db"]);
    // Whoever writes to it migrates it.
    drop(Store::open(&path).unwrap());
    assert_ne!(fs::read(&path).unwrap(), bytes);
}

#[test]
fn a_later_ledger_is_refused_by_readers() {
    let desk = three_runs();
    Connection::open(ledger(&desk)).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let told = desk.grade("log").exit(2).stderr;
    assert!(told.contains("update this grader"), "{told}");
}

#[test]
fn an_empty_ledger_beside_records_is_refused() {
    let desk = decided();
    fs::write(ledger(&desk), "").unwrap();
    let line = format!("override chen-wei {CHECK} --points 2 --reason r --by O");
    for line in ["log", "diff", "stats", "override", "mark", &line] {
        let told = desk.grade(line).exit(2).stderr;
        assert!(told.contains("softmark.db is empty, and there are records beside it"), "{told}");
        assert!(told.contains("copy it again, or restore it"), "{told}");
        assert_eq!(fs::read(ledger(&desk)).unwrap(), b"", "{line}");
    }
    // The record keeps the decisions that it has.
    let told = desk.grade("show chen-wei").exit(0);
    assert!(told.stderr.contains("softmark.db is empty"), "{told}");
    assert!(told.stdout.contains("by O on "), "{told}");
    assert!(matches!(Store::open(&ledger(&desk)), Err(StoreError::Empty { .. })));
}

/// A grader that is killed while it makes a ledger leaves an empty file.
#[test]
fn an_empty_ledger_without_records_becomes_one() {
    let desk = Desk::new().file("results/softmark.db", "");
    let told = desk.grade("log").exit(64).stderr;
    assert!(told.contains("there is no ledger in results"), "{told}");
    drop(Store::open(&ledger(&desk)).unwrap());
    desk.grade("log").exit(0);
}

#[test]
fn a_ledger_that_was_copied_in_the_middle_is_read_by_whoever_may_write() {
    let desk = decided();
    let mut writer = Store::open(&ledger(&desk)).unwrap();
    writer.begin_run(&grader(), "2026-02-03T12:00:00Z").unwrap();
    copy(&desk.path("results"), &desk.path("copy"));
    drop(writer);
    fs::remove_file(desk.path("copy/softmark.db-shm")).unwrap();
    assert!(fs::metadata(desk.path("copy/softmark.db-wal")).unwrap().len() > 0);
    if let Some(reader) = Reader::of(&desk, "copy") {
        let told = reader.grade("log --out copy").exit(2).stderr;
        assert!(told.contains("interrupted or copied in the middle"), "{told}");
    }
    let told = desk.grade("log --out copy --format json").exit(0).stdout;
    let told: serde_json::Value = serde_json::from_str(&told).unwrap();
    assert_eq!(told["runs"].as_array().unwrap().len(), 4);
    // Which completes it, as the message says.
    if let Some(reader) = Reader::of(&desk, "copy") {
        reader.grade("log --out copy").exit(0);
    }
}

#[test]
fn folders_of_assignments_are_named_where_results_have_no_ledger() {
    let desk = three_runs();
    fs::create_dir(desk.path("all")).unwrap();
    fs::rename(desk.path("results"), desk.path("all/attention")).unwrap();
    let line = format!("override chen-wei {CHECK} --points 2 --reason r --by O --out all");
    for (line, said) in [
        ("log --out all", "there is a ledger in all/attention: add `--out all/attention`"),
        ("log chen-wei --out all", "there is a record of it in all/attention: add"),
        (&line, "there is a record of it in all/attention: add `--out all/attention`"),
        ("appeal open chen-wei --question w --by c --out all", "in all/attention: add"),
        ("override --out all", "there is a ledger in all/attention"),
        ("show chen-wei --out all", "in all/attention: add"),
        ("show nobody --out all", "no submission was graded there yet"),
    ] {
        let told = desk.grade(line).exit(64).stderr;
        assert!(told.contains(said), "{line}\n{told}");
    }
    // A ledger there, of others.
    drop(Store::open(&desk.path("all/softmark.db")).unwrap());
    let told = desk.grade("log chen-wei --out all").exit(64).stderr;
    assert!(told.contains("in all/attention: add `--out all/attention`"), "{told}");
}
