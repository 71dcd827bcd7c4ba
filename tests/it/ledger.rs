//! The ledger: what is logged, compared, overridden, appealed and counted; records are written directly.

mod checks;
mod decisions;
mod durable;
mod figures;
mod markings;
mod readers;
mod unchanged;

use std::path::PathBuf;

use serde_json::Value;
use softmark::model::{Grader, Points, Record, Status};
use softmark::store::{Folder, LEDGER, RecordKeys, Store};

use crate::support::grade::{Desk, Ran};
use crate::support::reading::{letters_that_hide, well_formed};
use crate::support::records::{grader, record};

/// A check that `partial` (chen-wei) fails, which is worth 2 points.
const CHECK: &str = "scaled-dot-product/mask-hides";

/// A record with its cache key.
type Keyed = (&'static str, Record);

/// Adds a run with these records to the results, as a grading run does.
fn run(desk: &Desk, grader: &Grader, started_at: &str, records: &[Keyed]) {
    let out = desk.path("results");
    std::fs::create_dir_all(&out).unwrap();
    let mut store = Store::open(&out.join(LEDGER)).unwrap();
    let run = store.begin_run(grader, started_at).unwrap();
    for (key, record) in records {
        store.save(run, &RecordKeys::whole(key), record).unwrap();
        Folder::of(&out).write(grader, record).unwrap();
    }
}

/// Runs `grade` with arguments that may contain spaces.
fn grade(desk: &Desk, args: &[&str]) -> Ran {
    Ran::of(&desk.command().args(args).output().unwrap())
}

fn json(ran: Ran) -> Value {
    serde_json::from_str(&ran.exit(0).stdout).unwrap()
}

/// The record with another result of a check.
fn with(mut record: Record, check: &str, status: Status, hundredths: u32) -> Record {
    let new = Points::from_hundredths(hundredths);
    for task in &mut record.tasks {
        for it in task.checks.iter_mut().filter(|it| it.id == check) {
            task.points = task.points.exchange(it.points, new);
            record.points = record.points.exchange(it.points, new);
            (it.status, it.points) = (status, new);
        }
    }
    record
}

fn other_files(record: Record) -> Record {
    Record { sha256: "feed".repeat(16).into(), ..record }
}

/// Three runs: the second has a changed check, which chen-wei passes now; before the third, chen-wei has handed in other
/// files, whose gradients are wrong.
fn three_runs() -> Desk {
    let desk = Desk::new();
    let (amara, chen) = (record("full-marks"), record("partial"));
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("a1", amara.clone()), ("c1", chen.clone())]);
    let seeded = Grader { seed: Some(2), ..grader() };
    let chen = with(chen, CHECK, Status::Pass, 200);
    run(&desk, &seeded, "2026-02-01T12:00:00Z", &[("a2", amara), ("c2", chen.clone())]);
    let chen = with(other_files(chen), "scaled-dot-product/gradients", Status::Wrong, 0);
    run(&desk, &seeded, "2026-02-02T12:00:00Z", &[("c3", chen)]);
    desk
}

#[test]
fn a_log_tells_every_mark_and_what_changed() {
    let desk = three_runs();
    let told = desk.grade("log chen-wei").exit(0).stdout;
    let lines: Vec<&str> = told.lines().map(str::trim).collect();
    for said in [
        "2026-01-31T12:00:00Z    19.25 / 30.00           run 1: attention, graded",
        "first grading",
        "2026-02-01T12:00:00Z    21.25 / 30.00    +2.00  run 2: attention, graded",
        "other checks (seed 1 → 2)",
        "+2.00  scaled-dot-product/mask-hides  wrong → pass",
        "2026-02-02T12:00:00Z    20.25 / 30.00    -1.00  run 3: attention, graded",
        "other files; not known whether the checks changed",
        "-1.00  scaled-dot-product/gradients  wrong 1.00 → 0.00",
    ] {
        assert!(lines.contains(&said), "{said}\n{told}");
    }
    let log = json(desk.grade("log chen-wei --format json"));
    let change = &log["events"][1]["change"];
    assert_eq!(change["causes"], serde_json::json!(["check"]));
    assert_eq!(change["settings"][0]["name"], "seed");
    assert_eq!(change["checks"][0]["id"], CHECK);
    assert_eq!(change["checks"][0]["difference"], 2.0);
    assert_eq!(log["events"][2]["change"]["causes"], serde_json::json!(["submission"]));
    assert_eq!(log["events"][2]["change"]["basis"], "unknown");

    let unknown = desk.grade("log chen-wie").exit(64).stderr;
    assert!(unknown.contains("did you mean `chen-wei`?"), "{unknown}");
    let none = Desk::new().grade("log").exit(64).stderr;
    assert!(none.contains("there is no ledger in results"), "{none}");
}

#[test]
fn runs_are_listed() {
    let desk = three_runs();
    let told = desk.grade("log").exit(0).stdout;
    let row = "    2  2026-02-01T12:00:00Z            2  0.1.0          2  cpu      full";
    assert!(told.lines().any(|line| line == row), "{told}");
    let runs = json(desk.grade("log --format json"));
    assert_eq!(runs["runs"][2]["submissions"], 1);
    assert_eq!(runs["runs"][2]["grader"]["seed"], 2);
}

#[test]
fn a_difference_tells_who_moved_by_which_check_and_why() {
    let desk = three_runs();
    let first = desk.grade("diff 1 2").exit(0).stdout;
    let lines: Vec<&str> = first.lines().map(str::trim).collect();
    for said in [
        "chen-wei      19.25    21.25    +2.00",
        "other checks (seed 1 → 2)",
        "+2.00  scaled-dot-product/mask-hides  wrong → pass",
        "+2.00  1 gained, 0 lost  scaled-dot-product/mask-hides",
    ] {
        assert!(lines.contains(&said), "{said}\n{first}");
    }
    assert!(first.starts_with("run 1 → run 2"), "{first}");
    assert!(first.contains("0 lost, 1 gained, 1 unchanged"), "{first}");
    // A run of one submission leaves the others as they were.
    let second = json(desk.grade("diff previous latest --format json"));
    assert_eq!((&second["lost"], &second["unchanged"]), (&1.into(), &1.into()));
    assert_eq!(second["submissions"][0]["difference"], -1.0);
    assert_eq!(second["submissions"][0]["change"]["causes"], serde_json::json!(["submission"]));
    let page = desk.grade("diff 2 3 --format html").exit(0).stdout;
    assert!(well_formed("html", &page).is_ok(), "{:?}", well_formed("html", &page));
    assert!(page.contains("chen-wei") && !page.contains("<script"), "{page}");

    desk.grade("diff 1 2 --fail-on-loss").exit(0);
    desk.grade("diff 3 3 --fail-on-loss").exit(0);
    let lost = desk.grade("diff --fail-on-loss").exit(1);
    assert!(lost.stderr.contains("1 submission lost points or the grade"), "{lost}");
    for (line, said) in [
        ("diff 1 9", "there is no run 9"),
        ("diff nowhere latest", "there are no results in nowhere"),
        ("diff 1 2 --out nowhere", "there is no ledger in nowhere"),
    ] {
        let told = desk.grade(line).exit(64).stderr;
        assert!(told.contains(said), "{line}: {told}");
    }
}

/// An archive that cannot be read does not tell which assignment it is of.
#[test]
fn what_is_rejected_before_its_assignment_is_known_is_a_loss() {
    let desk = Desk::new();
    let chen = record("partial");
    let rejected =
        Record { submission: chen.submission.clone(), sha256: "bad".into(), ..record("rejected") };
    let rejected = Record { assignment: "".into(), tasks: Vec::new(), ..rejected };
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("c1", chen)]);
    run(&desk, &grader(), "2026-02-01T12:00:00Z", &[("", rejected)]);
    let lost = desk.grade("diff --fail-on-loss").exit(1);
    assert!(lost.stdout.contains("1 lost, 0 gained, 0 unchanged"), "{lost}");
    let log = desk.grade("log chen-wei").exit(0).stdout;
    assert_eq!(log.matches("first grading").count(), 1, "{log}");
    let stats = json(desk.grade("stats --format json"));
    assert_eq!(stats["assignments"][0]["submissions"]["rejected"], 1, "{stats:#}");
}

#[test]
fn a_lost_grade_is_a_loss_and_an_unexplained_result_is_said_to_be() {
    let desk = Desk::new();
    let chen = record("partial");
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("c1", chen.clone())]);
    let odd = with(chen.clone(), CHECK, Status::Pass, 200);
    run(&desk, &grader(), "2026-01-31T13:00:00Z", &[("c1", odd)]);
    let told = desk.grade("diff").exit(0).stdout;
    assert!(told.contains("same files and checks: the result is not reproducible"), "{told}");
    let none = Record { outcome: softmark::model::RecordOutcome::NoGrade, ..chen };
    run(&desk, &grader(), "2026-01-31T14:00:00Z", &[("", none)]);
    let told = desk.grade("diff --fail-on-loss").exit(1).stdout;
    assert!(told.contains("graded → no grade"), "{told}");
}

#[test]
fn folders_of_results_are_compared_with_and_without_a_ledger() {
    let desk = three_runs();
    let other = desk.path("other");
    let moved = with(record("partial"), CHECK, Status::Pass, 200);
    Folder::of(&other).write(&grader(), &moved).unwrap();
    let diff = json(desk.grade("diff ./results other --format json"));
    assert_eq!((&diff["before"], &diff["after"]), (&"./results".into(), &"other".into()));
    assert_eq!(diff["only_before"], serde_json::json!(["amara-okafor"]));
    assert_eq!(diff["submissions"][0]["difference"], 1.0);
    assert_eq!(diff["submissions"][0]["change"]["basis"], "changed", "the seeds differ");
}

/// A submission that is in the earlier results only has lost its grade.
#[test]
fn a_submission_that_vanished_is_a_loss() {
    let desk = Desk::new();
    let (amara, chen) = (record("full-marks"), record("partial"));
    let none = Record {
        submission: "dilnoza".into(),
        outcome: softmark::model::RecordOutcome::NoGrade,
        ..chen.clone()
    };
    let keep = |folder: &str, records: &[&Record]| {
        std::fs::create_dir_all(desk.path(folder)).unwrap();
        for record in records {
            Folder::of(&desk.path(folder)).write(&grader(), record).unwrap();
        }
    };
    keep("both", &[&amara, &chen, &none]);
    keep("one", &[&chen, &none]);
    keep("graded", &[&amara, &chen]);
    let lost = desk.grade("diff both one --fail-on-loss").exit(1);
    assert!(lost.stderr.contains("1 submission lost points or the grade"), "{lost}");
    for said in [
        "1 lost, 0 gained, 2 unchanged",
        "  no other result differs\n\nonly in both: 1 submission: amara-okafor\n  lost 1 grade: amara-okafor 30.00\n",
    ] {
        assert!(lost.stdout.contains(said), "{said}\n{lost}");
    }
    let diff = json(desk.grade("diff both one --format json"));
    assert_eq!((&diff["lost"], &diff["vanished"][0]["points"]), (&1.into(), &30.0.into()));
    let page = desk.grade("diff both one --format html").exit(0).stdout;
    assert!(page.contains("Lost grades: amara-okafor 30.00"), "{page}");
    // Who had no grade has none to lose, and whoever is new has not either.
    desk.grade("diff both graded --fail-on-loss").exit(0);
    desk.grade("diff one both --fail-on-loss").exit(0);
    // The archive could not be read first, and was graded then: nothing vanished.
    let rejected = Record {
        submission: chen.submission.clone(),
        assignment: "".into(),
        tasks: Vec::new(),
        ..record("rejected")
    };
    keep("rejected", &[&rejected]);
    keep("later", &[&chen]);
    let told = desk.grade("diff rejected later --fail-on-loss").exit(0);
    assert!(told.stdout.contains("0 lost, 1 gained, 0 unchanged"), "{told}");
    let told = desk.grade("diff later rejected --fail-on-loss").exit(1);
    assert!(told.stdout.contains("1 lost, 0 gained, 0 unchanged"), "{told}");
}

#[test]
fn the_same_ledger_gives_the_same_bytes_and_hostile_text_moves_no_cursor() {
    let desk = three_runs();
    let hostile = record("hostile");
    let name = hostile.submission.as_raw().to_owned();
    run(&desk, &grader(), "2026-02-03T12:00:00Z", &[("h1", hostile.clone())]);
    let check = hostile.tasks[0].checks[0].id.as_raw().to_owned();
    let other = with(other_files(hostile), &check, Status::Wrong, 0);
    run(&desk, &grader(), "2026-02-04T12:00:00Z", &[("h2", other)]);
    let text = "\u{1b}[2J<script>\u{202e}=1+1\r\n";
    let decision = ["--points", "0", "--reason", text, "--by", text];
    grade(&desk, &[&["override", &name, &check][..], &decision].concat()).exit(0);
    grade(&desk, &["appeal", "open", &name, "--question", text, "--by", text]).exit(0);
    for args in [
        &["log", &name][..],
        &["log"],
        &["diff"],
        &["stats"],
        &["override"],
        &["appeal", "list"],
        &["show", &name],
    ] {
        let formats: &[&str] = match args {
            ["override" | "appeal", ..] => &["terminal"],
            ["show", ..] => &["terminal", "json", "html", "junit", "markdown", "csv", "gradescope"],
            _ => &["terminal", "json", "html"],
        };
        for format in formats {
            let mut line = args.to_vec();
            if !matches!(args, ["override" | "appeal", ..]) {
                line.extend(["--format", format]);
            }
            let ran = grade(&desk, &line).exit(0);
            assert_eq!(letters_that_hide(&ran.stdout), None, "{line:?}: {}", ran.stdout);
            if *format != "terminal" {
                let read = well_formed(format, &ran.stdout);
                assert!(read.is_ok(), "{line:?}: {read:?}\n{}", ran.stdout);
            }
            let is_page = *format == "html";
            assert!(!is_page || !ran.stdout.contains("<script"), "{line:?}: {}", ran.stdout);
            assert_eq!(grade(&desk, &line), ran, "{line:?}");
        }
    }
}

/// Returns the path of the ledger of the results.
fn ledger(desk: &Desk) -> PathBuf {
    desk.path("results").join(LEDGER)
}
