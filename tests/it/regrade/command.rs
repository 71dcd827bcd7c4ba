//! `grade regrade`, as a user runs it.

use std::fs;

use serde_json::Value;

use crate::support::grade::{Desk, Ran};
use crate::support::pack::pack;

/// A class that was graded without its training.
fn graded(names: &[&str]) -> Desk {
    pack();
    let desk = Desk::new().class(names);
    desk.grade("class --only [!t]*/* --out results").exit(0);
    desk
}

fn records(ran: &Ran) -> Vec<Value> {
    let document: Value = serde_json::from_str(&ran.stdout).unwrap();
    document["records"].as_array().unwrap().clone()
}

fn checks(record: &Value) -> usize {
    let tasks = record["tasks"].as_array().unwrap().iter();
    tasks.map(|task| task["checks"].as_array().unwrap().len()).sum()
}

#[test]
fn a_regrade_runs_what_is_missing_and_then_nothing() {
    let desk = graded(&["amara", "hiroshi"]);
    // Only the training was never run.
    let first = desk.grade("regrade --format json").exit(0);
    let records = records(&first);
    let names: Vec<&str> =
        records.iter().map(|record| record["submission"].as_str().unwrap()).collect();
    assert_eq!(names, ["amara", "hiroshi"]);
    let all: usize = records.iter().map(checks).sum();
    assert!(first.stderr.contains("0 records of 2 from an earlier run, "), "{first}");
    let bands = 2 * 3;
    assert!(first.stderr.contains(&format!("{} from an earlier run;", all - bands)), "{first}");
    let again = desk.grade("regrade").exit(0);
    assert!(again.stderr.contains("2 records of 2 from an earlier run; `grade diff`"), "{again}");
    let diff = desk.grade("diff").exit(0);
    assert!(diff.stdout.contains("0 lost, 0 gained, 2 unchanged"), "{diff}");
}

#[test]
fn an_override_holds_after_a_regrade_and_the_log_shows_no_change() {
    let desk = graded(&["hiroshi"]);
    let check = "scaled-dot-product/matches-reference";
    let args = ["override", "hiroshi", check, "--points", "0.5", "--reason", "r", "--by", "O"];
    assert!(desk.command().args(args).output().unwrap().status.success());
    desk.grade("regrade --check scaled-dot-product/*").exit(0);
    let shown = desk.read("results/records/hiroshi.json");
    let document: Value = serde_json::from_str(&shown).unwrap();
    let tasks = document["record"]["tasks"].as_array().unwrap().clone();
    let mut all = tasks.iter().flat_map(|task| task["checks"].as_array().unwrap());
    let found = all.find(|it| it["id"] == check).unwrap();
    assert_eq!((&found["points"], &found["override"]["graded"]), (&0.5.into(), &0.0.into()));
    assert_eq!(found["mistake"], "missing-scale");
}

#[test]
fn a_regrade_is_of_what_it_names() {
    let desk = graded(&["amara", "hiroshi", "jakub"]);
    let named = desk.grade("regrade --mistake missing-scale --format json").exit(0);
    let records = records(&named);
    assert_eq!(records.len(), 1);
    assert_eq!(records[0]["submission"], "hiroshi");
    for (args, said) in [
        ("regrade --mistake nobody-makes-it", "no submission with the mistake `nobody-makes-it`"),
        ("regrade --check x/*", "no submission with a check `x/*`"),
        ("regrade --assignment encoder", "no submission of the assignment `encoder`"),
        ("regrade --check a[", "`--check` is no pattern"),
        ("regrade --out elsewhere", "there is no ledger in elsewhere"),
    ] {
        let refused = desk.grade(args).exit(64);
        assert!(refused.stderr.contains(said), "{args}: {refused}");
    }
}

#[test]
fn submissions_that_have_moved_are_asked_for() {
    let desk = graded(&["amara", "hiroshi"]);
    fs::rename(desk.path("class"), desk.path("handed-in")).unwrap();
    let missing = desk.grade("regrade").exit(64);
    assert!(
        missing.stderr.contains("2 submissions are no longer there: amara, hiroshi"),
        "{missing}"
    );
    assert!(missing.stderr.contains("grade regrade FOLDER"), "{missing}");
    let found = desk.grade("regrade handed-in --format json --only").code;
    assert_eq!(found, 64, "a regrade is of all checks");
    let found = desk.grade("regrade handed-in --check pooling/* --format json");
    assert_eq!(found.code, 64, "the task has another name: {found}");
    let found = desk.grade("regrade handed-in --check masked-pooling/* --format json").exit(0);
    assert_eq!(records(&found).len(), 2);
    // The new run knows where they are now.
    desk.grade("regrade").exit(0);
}

/// The last run found `amara` in another folder than the first one, and both are still there.
#[test]
fn each_submission_is_taken_from_where_it_was_graded_last() {
    let desk = graded(&["amara", "hiroshi"]).submission("late/amara", "fixtures/class/jakub");
    desk.grade("late --only [!t]*/* --out results").exit(0);
    for _ in 0..2 {
        let ran = desk.grade("regrade --check pool*/* --format json");
        assert_eq!(ran.code, 64, "the task has another name: {ran}");
        let ran = desk.grade("regrade --check masked-pooling/* --format json").exit(0);
        let records = records(&ran);
        let graded: Vec<(&Value, &Value)> =
            records.iter().map(|it| (&it["submission"], &it["outcome"])).collect();
        let outcome = Value::from("graded");
        assert_eq!(graded, [(&"amara".into(), &outcome), (&"hiroshi".into(), &outcome)]);
        assert_ne!(records[0]["points"], 30.0, "amara's last submission is jakub's: {ran}");
    }
}

#[test]
fn a_submission_that_is_gone_keeps_its_grade_and_holds_up_nobody() {
    let desk = graded(&["amara", "hiroshi"]);
    fs::remove_dir_all(desk.path("class/amara")).unwrap();
    let before = desk.read("results/records/amara.json");
    let ran = desk.grade("regrade --check masked-pooling/* --format json").exit(0);
    assert_eq!(records(&ran).len(), 1);
    assert!(ran.stderr.contains("1 submission is no longer there: amara"), "{ran}");
    assert_eq!(desk.read("results/records/amara.json"), before);
    // One that names no assignment any more is not read as an empty one.
    fs::write(desk.path("class/hiroshi/Cargo.toml"), "[package]\n").unwrap();
    let refused = desk.grade("regrade").exit(64);
    assert!(refused.stderr.contains("2 submissions are no longer there"), "{refused}");
}

#[test]
fn a_ledger_that_does_not_know_where_submissions_were_says_so() {
    let desk = Desk::new().file("results/readme", "");
    let dump = include_str!("../../../fixtures/ledger/schema-1.sql");
    rusqlite::Connection::open(desk.path("results/softmark.db"))
        .unwrap()
        .execute_batch(dump)
        .unwrap();
    let refused = desk.grade("regrade").exit(64);
    assert!(refused.stderr.contains("the ledger does not say where they were"), "{refused}");
}
