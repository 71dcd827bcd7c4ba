//! Rows that a grading without changes adds to the ledger.

use std::collections::BTreeMap;

use rusqlite::Connection;
use softmark::model::{Grader, Record, Status};
use softmark::store::document::write_record;
use softmark::store::{CheckKeys, Grading, RecordKeys, RunId, Store};

use super::{CHECK, grade, ledger, other_files, run, with};
use crate::support::grade::Desk;
use crate::support::records::{class, grader, record};

fn count(desk: &Desk, table: &str) -> i64 {
    let sql = format!("SELECT count(*) FROM {table}");
    Connection::open(ledger(desk)).unwrap().query_row(&sql, [], |row| row.get(0)).unwrap()
}

/// Bytes of all documents, and number of the checks, that the ledger has.
fn held(desk: &Desk) -> (i64, i64) {
    let sql = "SELECT sum(length(document)) FROM saved_records";
    let connection = Connection::open(ledger(desk)).unwrap();
    let bytes = connection.query_row(sql, [], |row| row.get(0)).unwrap();
    (bytes, count(desk, "saved_checks"))
}

/// The document of a record: values that are no numbers differ from themselves.
fn text(record: &Record) -> String {
    write_record(&grader(), record).unwrap()
}

/// A grading without its number and the number of its run.
fn alike(grading: &Grading) -> Grading {
    Grading { id: 0, run: RunId::from_number(0), ..grading.clone() }
}

#[test]
fn a_class_that_is_graded_again_adds_no_document_and_no_check() {
    let desk = Desk::new();
    let all: Vec<(&str, Record)> = class().records.into_iter().map(|it| ("k", it)).collect();
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &all);
    let (first, checks) = (held(&desk), count(&desk, "checks"));
    assert!(first.0 > 10_000 && first.1 > 30, "{first:?}");
    for day in ["2026-02-01T12:00:00Z", "2026-02-02T12:00:00Z"] {
        run(&desk, &grader(), day, &all);
    }
    assert_eq!(held(&desk), first);
    // What is read is what each of the runs gave.
    assert_eq!(count(&desk, "checks"), 3 * checks);
    let store = Store::open(&ledger(&desk)).unwrap();
    for (_, record) in &all {
        assert_eq!(text(&store.latest(record.submission.as_raw()).unwrap().unwrap()), text(record));
        let gradings = store.gradings_of(record.submission.as_raw()).unwrap();
        assert_eq!(gradings.len(), 3);
        for grading in &gradings {
            assert_eq!(alike(grading), alike(&gradings[0]));
            assert_eq!(text(&store.record(grading.id).unwrap().unwrap().record), text(record));
        }
    }
    let told = desk.grade("log chen-wei").exit(0).stdout;
    assert_eq!(told.matches("19.25 / 30.00").count(), 3, "{told}");
}

/// Grading with one key for all checks.
fn keyed(key: &str, record: &Record) -> RecordKeys {
    let keys = CheckKeys { check: key.to_owned(), mistake: None };
    let checks = record.tasks.iter().flat_map(|task| &task.checks);
    let checks = checks.map(|check| (check.id.as_raw().to_owned(), keys.clone()));
    RecordKeys { record: key.to_owned(), checks: checks.collect() }
}

#[test]
fn results_with_other_keys_have_their_own() {
    let desk = Desk::new().file("results/readme", "");
    let record = record("partial");
    let mut store = Store::open(&ledger(&desk)).unwrap();
    for (key, documents) in [("a", 1), ("a", 1), ("b", 2), ("b", 2), ("a", 3)] {
        let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
        store.save(run, &keyed(key, &record), &record).unwrap();
        assert_eq!(count(&desk, "saved_records WHERE document <> ''"), documents, "{key}");
        let gradings = store.gradings_of("chen-wei").unwrap();
        let checks = &gradings.last().unwrap().checks;
        assert!(checks.iter().all(|check| check.key.as_deref() == Some(key)), "{checks:?}");
        let cached = store.cached(key).unwrap().unwrap();
        assert_eq!((&cached.record, cached.checks.len()), (&record, checks.len()));
        assert_eq!(store.keyed(record.sha256.as_raw(), "attention").unwrap()[0].record, record);
    }
    // Without keys, as those of the records of older graders.
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store
        .save(run, &RecordKeys { checks: BTreeMap::new(), ..keyed("a", &record) }, &record)
        .unwrap();
    assert_eq!(count(&desk, "saved_records WHERE document <> ''"), 4);
}

#[test]
fn what_changed_has_its_own_and_another_assignment_is_no_change() {
    let desk = Desk::new();
    let first = record("partial");
    let other = Record { assignment: "encoder".into(), ..first.clone() };
    let seeded = Grader { seed: Some(2), ..grader() };
    let better = with(first.clone(), CHECK, Status::Pass, 200);
    let day = "2026-01-31T12:00:00Z";
    for (grader, record, documents) in [
        (&grader(), &first, 1),
        (&grader(), &other, 2),
        (&grader(), &first, 2),
        (&grader(), &other, 2),
        (&seeded, &first, 3),
        (&seeded, &better, 4),
        (&seeded, &other_files(better.clone()), 5),
    ] {
        run(&desk, grader, day, &[("k", record.clone())]);
        assert_eq!(count(&desk, "saved_records WHERE document <> ''"), documents);
        let store = Store::open(&ledger(&desk)).unwrap();
        assert_eq!(store.latest("chen-wei").unwrap().as_ref(), Some(record));
    }
}

/// An override is no grading: the grading after it refers to the one before it.
#[test]
fn an_override_holds_for_a_grading_that_changed_nothing() {
    let desk = Desk::new();
    let records = [("k", record("partial"))];
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &records);
    let line = ["override", "chen-wei", CHECK, "--points", "2", "--reason", "r", "--by", "O"];
    grade(&desk, &line).exit(0);
    run(&desk, &grader(), "2026-02-01T12:00:00Z", &records);
    assert_eq!(count(&desk, "saved_records WHERE document <> ''"), 1);
    let told = desk.grade("log chen-wei").exit(0).stdout;
    assert!(told.contains("19.25 / 30.00") && told.contains("21.25 / 30.00"), "{told}");
}
