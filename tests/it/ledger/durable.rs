//! The database of the ledger: older versions, several processes at once, and processes that are killed.

use std::process::Stdio;
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use rusqlite::Connection;
use softmark::clock::Clock;
use softmark::store::{Input, RunId, Store};

use super::{CHECK, grade, ledger, run};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};

fn one_run() -> Desk {
    let desk = Desk::new();
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("c1", record("partial"))]);
    desk
}

#[test]
fn a_ledger_of_the_first_version_is_migrated_and_keeps_everything() {
    let desk = Desk::new().file("results/readme", "");
    let path = ledger(&desk);
    let dump = include_str!("../../../fixtures/ledger/schema-1.sql");
    Connection::open(&path).unwrap().execute_batch(dump).unwrap();
    let store = Store::open(&path).unwrap();
    assert_eq!(store.latest("chen-wei").unwrap(), Some(record("partial")));
    assert_eq!(
        store.cached("key of full-marks").unwrap().map(|it| it.record),
        Some(record("full-marks"))
    );
    let after = store.results_after(RunId::from_number(1)).unwrap();
    let checks: usize = after.iter().map(|grading| grading.checks.len()).sum();
    assert_eq!((after.len(), checks), (2, 34));
    assert!(store.overrides().unwrap().is_empty() && store.appeals().unwrap().is_empty());
    drop(store);
    let version: u32 = Connection::open(&path)
        .unwrap()
        .query_row("PRAGMA user_version", [], |row| row.get(0))
        .unwrap();
    assert_eq!(version, 6);
    let told = desk.grade("log chen-wei").exit(0).stdout;
    assert!(told.contains("19.25 / 30.00"), "{told}");
    // What was in it cannot be changed after the migration either.
    let connection = Connection::open(&path).unwrap();
    for table in ["records", "all_records", "saved_records", "checks", "saved_checks"] {
        let change = format!("UPDATE {table} SET points = 3000");
        let error = connection.execute(&change, []).unwrap_err().to_string();
        assert!(error.contains("grades are only added"), "{change}: {error}");
    }
}

#[test]
fn a_ledger_of_the_second_version_is_migrated_and_its_results_have_no_keys() {
    let desk = Desk::new().file("results/readme", "");
    let path = ledger(&desk);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../../../fixtures/ledger/schema-1.sql")).unwrap();
    connection.execute_batch(include_str!("../../../src/store/decisions.sql")).unwrap();
    connection.pragma_update(None, "user_version", 2).unwrap();
    let decided = "INSERT INTO overrides VALUES \
                   (1, 1, 'now', 'O', 'chen-wei', 'attention', 'a/b', 50, 'r', 'files')";
    connection.execute(decided, []).unwrap();
    drop(connection);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.overrides().unwrap().len(), 1);
    let gradings = store.gradings_of("chen-wei").unwrap();
    let mut checks = gradings.iter().flat_map(|grading| &grading.checks);
    assert!(!gradings.is_empty() && checks.all(|check| check.key.is_none()));
    let sha256 = gradings[0].sha256.to_string();
    assert!(store.keyed(&sha256, "attention").unwrap().is_empty());
    assert!(store.inputs(RunId::from_number(1)).unwrap().is_empty());
    // New runs have all of that.
    let run = store.begin_run(&grader(), "2026-02-01T12:00:00Z").unwrap();
    let input = Input { path: "/class".into(), assignment: None, names: Some("canvas".into()) };
    store.add_inputs(run, std::slice::from_ref(&input)).unwrap();
    assert_eq!(store.inputs(run).unwrap(), [input]);
    let connection = Connection::open(&path).unwrap();
    assert!(connection.execute("UPDATE inputs SET path = ''", []).is_err());
    assert!(connection.execute("DELETE FROM inputs", []).is_err());
}

#[test]
fn decisions_are_only_added() {
    let desk = one_run();
    grade(&desk, &["override", "chen-wei", CHECK, "--points", "1", "--reason", "r", "--by", "O"])
        .exit(0);
    grade(&desk, &["appeal", "open", "chen-wei", "--question", "why?", "--by", "c"]).exit(0);
    let connection = Connection::open(ledger(&desk)).unwrap();
    for change in [
        "UPDATE overrides SET points = 200",
        "UPDATE appeals SET text = ''",
        "DELETE FROM overrides",
        "DELETE FROM appeals",
    ] {
        let error = connection.execute(change, []).unwrap_err().to_string();
        assert!(error.contains("decisions are only added"), "{change}: {error}");
    }
}

#[test]
fn a_second_writer_waits_for_the_first() {
    let desk = one_run();
    let connection = Connection::open(ledger(&desk)).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let (done, ended) = mpsc::channel();
    thread::scope(|scope| {
        scope.spawn(|| {
            let line = ["appeal", "open", "chen-wei", "--question", "why?", "--by", "c"];
            done.send(grade(&desk, &line)).unwrap();
        });
        let early = ended.recv_timeout(Duration::from_millis(700));
        assert!(early.is_err(), "it did not wait: {early:?}");
        // A reader waits for no writer.
        let told = desk.grade("log chen-wei").exit(0).stdout;
        assert!(told.contains("1 event"), "{told}");
        connection.execute_batch("COMMIT").unwrap();
        ended.recv_timeout(Duration::from_secs(20)).unwrap().exit(0);
    });
    assert!(desk.grade("appeal list").exit(0).stdout.starts_with("1 appeal, 1 open"));
}

/// Overrides a check with this reason, and is killed after a time; returns whether it was running then, and what it had
/// printed.
fn killed_after(desk: &Desk, reason: &str, moment: Duration) -> (bool, String) {
    let mut command = desk.command();
    let line = ["override", "chen-wei", CHECK, "--points", "1", "--by", "O", "--reason", reason];
    let command = command.args(line).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    thread::sleep(moment);
    let was_running = child.try_wait().unwrap().is_none();
    child.kill().unwrap();
    let output = child.wait_with_output().unwrap();
    (was_running, String::from_utf8(output.stdout).unwrap())
}

#[test]
fn a_process_that_is_killed_loses_nothing_that_it_reported() {
    let desk = one_run();
    let clock = Clock::start();
    let line = ["override", "chen-wei", CHECK, "--points", "1", "--reason", "r", "--by", "O"];
    grade(&desk, &line).exit(0);
    let took = clock.elapsed();
    let (mut reported, mut killed) = (0, 0);
    for round in 0..40 {
        let reason = format!("reason {round}");
        // Moments from the start of the process to well after its usual end.
        let (was_running, printed) = killed_after(&desk, &reason, took * round / 20);
        killed += u32::from(was_running);
        if printed.contains("by an override") {
            reported += 1;
            let store = Store::open(&ledger(&desk)).unwrap();
            let last = store.overrides().unwrap().pop().unwrap();
            assert_eq!(last.decision.reason, reason);
        }
    }
    println!("killed {killed} times; {reported} reported");
    assert!(killed > 0 && reported > 0, "killed {killed} times; {reported} reported");
    let word: String = Connection::open(ledger(&desk))
        .unwrap()
        .query_row("PRAGMA integrity_check", [], |row| row.get(0))
        .unwrap();
    assert_eq!(word, "ok");
    // Whatever was left half done, the next command lays the override on the record.
    grade(&desk, &["override", "chen-wei", CHECK, "--points", "2", "--reason", "r", "--by", "O"])
        .exit(0);
    assert!(desk.read("results/gradebook.csv").contains(",21.25,"));
}
