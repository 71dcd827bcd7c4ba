//! Keys of checks: what a difference says where they are known.

use std::collections::BTreeMap;

use softmark::model::{Points, Record, Status};
use softmark::store::{CheckKeys, Folder, LEDGER, RecordKeys, Store};

use super::{CHECK, json, other_files, with};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};

/// Keys of the checks of a record: `old`, or `new` for those that changed.
fn keys(record: &Record, changed: &[&str]) -> RecordKeys {
    let all = record.tasks.iter().flat_map(|task| &task.checks);
    let ids: Vec<String> = all.map(|check| check.id.to_string()).collect();
    let key = |id: &String| if changed.contains(&id.as_str()) { "new" } else { "old" };
    let checks: BTreeMap<String, CheckKeys> = ids
        .iter()
        .map(|id| (id.clone(), CheckKeys { check: key(id).to_owned(), mistake: None }))
        .collect();
    RecordKeys { record: String::new(), checks }
}

/// Adds a run of one submission.
fn run(desk: &Desk, record: &Record, keys: &RecordKeys) {
    let out = desk.path("results");
    std::fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store.save(run, keys, record).unwrap();
    Folder::of(&out).write(&grader(), record).unwrap();
}

/// The last difference in JSON, and its words.
fn diff(desk: &Desk) -> (serde_json::Value, String) {
    let all = json(desk.grade("diff --format json"));
    (all["submissions"][0]["change"].clone(), desk.grade("diff").exit(0).stdout)
}

#[test]
fn a_check_that_changed_is_named() {
    let desk = Desk::new();
    let before = record("partial");
    run(&desk, &before, &keys(&before, &[]));
    let after = with(before, CHECK, Status::Pass, 200);
    run(&desk, &after, &keys(&after, &[CHECK]));
    let (change, told) = diff(&desk);
    assert_eq!(change["basis"], "changed");
    assert_eq!(change["changed_checks"], serde_json::json!([CHECK]));
    assert_eq!(change["causes"], serde_json::json!(["check"]));
    assert_eq!(change["checks"][0]["basis"], "changed");
    assert!(told.contains(&format!("other checks: {CHECK}")), "{told}");
}

#[test]
fn other_files_and_the_same_checks_are_told_apart() {
    let desk = Desk::new();
    let before = record("partial");
    run(&desk, &before, &keys(&before, &[]));
    let after = other_files(with(before, CHECK, Status::Pass, 200));
    run(&desk, &after, &keys(&after, &[]));
    let (change, told) = diff(&desk);
    assert_eq!((&change["basis"], &change["checks"][0]["basis"]), (&"same".into(), &"same".into()));
    assert_eq!(change["causes"], serde_json::json!(["submission"]));
    assert!(told.contains("other files") && !told.contains("other checks"), "{told}");
}

#[test]
fn other_points_alone_are_no_other_check() {
    let desk = Desk::new();
    let before = record("full-marks");
    run(&desk, &before, &keys(&before, &[]));
    let mut after = before;
    let (task, more) = (&mut after.tasks[0], Points::from_hundredths(100));
    task.checks[0].points = task.checks[0].points + more;
    task.checks[0].max_points = task.checks[0].max_points + more;
    (task.points, task.max_points) = (task.points + more, task.max_points + more);
    (after.points, after.max_points) = (after.points + more, after.max_points + more);
    run(&desk, &after, &keys(&after, &[]));
    let (change, told) = diff(&desk);
    assert_eq!(change["causes"], serde_json::json!(["points"]));
    assert!(told.contains("checks are worth other points"), "{told}");
    assert!(!told.contains("other checks"), "{told}");
}

#[test]
fn where_all_checks_changed_none_is_named() {
    let desk = Desk::new();
    let before = record("partial");
    run(&desk, &before, &keys(&before, &[]));
    let after = with(before, CHECK, Status::Pass, 200);
    let all: Vec<String> = keys(&after, &[]).checks.into_keys().collect();
    let all: Vec<&str> = all.iter().map(String::as_str).collect();
    run(&desk, &after, &keys(&after, &all));
    let (change, told) = diff(&desk);
    assert_eq!(change["changed_checks"], serde_json::json!([]));
    assert!(told.contains("other checks (assignment, grader or compiler)"), "{told}");
}

#[test]
fn results_of_the_same_files_are_found_by_their_keys() {
    let desk = Desk::new();
    let (first, second) = (record("partial"), record("full-marks"));
    let of_first = keys(&first, &[CHECK]);
    run(&desk, &first, &of_first);
    run(&desk, &second, &keys(&second, &[]));
    // A record without keys of its checks is reused as a whole, or not at all.
    run(&desk, &first, &RecordKeys::whole("k"));
    let store = Store::open(&desk.path("results").join(LEDGER)).unwrap();
    let sha256 = first.sha256.to_string();
    let found = store.keyed(&sha256, "attention").unwrap();
    assert_eq!(found.len(), 1);
    assert_eq!((&found[0].record, &found[0].checks), (&first, &of_first.checks));
    assert!(store.keyed(&sha256, "encoder").unwrap().is_empty());
}
