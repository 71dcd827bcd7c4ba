//! Overrides and appeals.

use std::fs;

use serde_json::Value;
use softmark::model::{Grader, Points, Record};
use softmark::store::{Appeal, Override, Step, Store};

use super::{CHECK, grade, json, run, three_runs};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};

const OVERRIDE: [&str; 9] = [
    "override",
    "chen-wei",
    CHECK,
    "--points",
    "0.5",
    "--reason",
    "the mask is right in principle",
    "--by",
    "Okafor",
];

fn one_run() -> Desk {
    let desk = Desk::new();
    let records = [("a1", record("full-marks")), ("c1", record("partial"))];
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &records);
    desk
}

#[test]
fn an_override_is_in_every_report_survives_regrading_and_can_be_withdrawn() {
    let desk = one_run();
    let before: Value = json(desk.grade("show chen-wei --format json"));
    let given = grade(&desk, &OVERRIDE).exit(0).stdout;
    assert_eq!(
        given,
        "chen-wei: 0.50 of 2.00 for scaled-dot-product/mask-hides by an override; \
         19.25 → 19.75 points\n"
    );
    let said = "0.50 of 2.00 instead of 0.00, by Okafor on ";
    for format in ["terminal", "html", "json", "junit", "markdown", "csv", "gradescope"] {
        let shown = desk.grade(&format!("show chen-wei --format {format}")).exit(0).stdout;
        let shown = shown.split_whitespace().collect::<Vec<_>>().join(" ");
        let reason = shown.contains("the mask is right in principle");
        assert!(shown.contains("19.75") && reason, "{format}: {shown}");
        // Students, for whom Gradescope's format is, do not see who decided.
        let is_said = shown.contains(said);
        assert_eq!(is_said, !["json", "gradescope"].contains(&format), "{format}: {shown}");
    }
    assert!(
        desk.read("results/gradebook.csv")
            .contains("chen-wei,2026-01-30T15:00:07Z,attention,graded,19.75,")
    );
    assert!(desk.read("results/gradebook.csv").contains(said));

    // The next run grades the same files again, and the grader still says that the check fails.
    run(
        &desk,
        &Grader { seed: Some(9), ..grader() },
        "2026-02-01T12:00:00Z",
        &[("c2", record("partial"))],
    );
    let shown: Value = json(desk.grade("show chen-wei --format json"));
    assert_eq!(shown["records"][0]["points"], 19.75);
    desk.grade("mark").exit(0);
    assert!(desk.read("results/records/chen-wei.json").contains("\"graded\": 0.0"));
    let told = desk.grade("log chen-wei").exit(0).stdout;
    assert!(told.contains("19.75 / 30.00") && told.contains("override: 0.50 for"), "{told}");
    assert!(told.contains("Okafor: the mask is right in principle"), "{told}");
    assert!(desk.grade("override").exit(0).stdout.starts_with("1 override\n  chen-wei  "));
    // Pages of students have it, without the name of the person.
    desk.grade("feedback --out pages --reveal").exit(0);
    let page = desk.read("pages/attention/chen-wei.html");
    assert!(page.contains("right in principle") && !page.contains("Okafor"), "{page}");

    let line = format!("override chen-wei {CHECK} --withdraw --by Okafor");
    let withdrawn = desk.grade(&line).exit(0).stdout;
    assert!(withdrawn.contains("is withdrawn; 19.75 → 19.25 points"), "{withdrawn}");
    let after: Value = json(desk.grade("show chen-wei --format json"));
    assert_eq!(after["records"], before["records"]);
    assert!(!desk.read("results/gradebook.csv").contains("overrides"));
    let log = json(desk.grade("log chen-wei --format json"));
    let kinds: Vec<&str> =
        log["events"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["grading", "override", "grading", "withdrawal"]);
    let points: Vec<Option<f64>> = log["events"]
        .as_array()
        .unwrap()
        .iter()
        .map(|event| event["points_after"].as_f64())
        .collect();
    assert_eq!(points, [Some(19.25), Some(19.75), Some(19.75), Some(19.25)]);
}

#[test]
fn the_ledger_keeps_what_the_grader_decided() {
    let desk = one_run();
    grade(&desk, &OVERRIDE).exit(0);
    let store = Store::open(&super::ledger(&desk)).unwrap();
    assert_eq!(store.latest("chen-wei").unwrap(), Some(record("partial")));
    assert_eq!(store.cached("c1").unwrap().map(|it| it.record), Some(record("partial")));
}

#[test]
fn an_override_that_cannot_be_changes_nothing() {
    let desk = one_run();
    let with = |check: &'static str, points: &'static str| {
        let mut line = OVERRIDE;
        (line[2], line[4]) = (check, points);
        grade(&desk, &line).exit(64).stderr
    };
    for (check, points, said) in [
        (CHECK, "2.01", "2.01 is more than `scaled-dot-product/mask-hides` is worth: 2.00"),
        (CHECK, "0.125", "0.125 is no number of points"),
        ("scaled-dot-product/mask-hide", "1", "did you mean `scaled-dot-product/mask-hides`"),
    ] {
        let told = with(check, points);
        assert!(told.contains(said), "{told}");
    }
    for (line, said) in [
        (format!("override chen-wei {CHECK} --withdraw --by O"), "has no override of"),
        (format!("override chen-wei {CHECK} --points 1 --by O"), "--reason"),
        (format!("override chen-wei {CHECK} --points 1 --reason r"), "--by"),
        (format!("override chen-wei {CHECK}"), "required"),
        (format!("override chen {CHECK} --points 1 --reason r --by O"), "no record of `chen`"),
    ] {
        let told = desk.grade(&line).exit(64).stderr;
        assert!(told.contains(said), "{line}: {told}");
    }
    assert_eq!(desk.grade("override").exit(0).stdout, "0 overrides\n");
}

#[test]
fn an_override_holds_for_later_files_and_every_report_says_so() {
    let desk = one_run();
    grade(&desk, &OVERRIDE).exit(0);
    let later = super::other_files(record("partial"));
    run(&desk, &grader(), "2026-02-01T12:00:00Z", &[("c2", later)]);
    let told = desk.grade("show chen-wei").exit(0).stdout;
    assert!(told.contains("19.75 / 30.00") && told.contains("for earlier files"), "{told}");
    let listed = desk.grade("override").exit(0).stdout;
    assert!(listed.contains(", for earlier files: "), "{listed}");
    // What holds on both sides moved nobody.
    let diff = json(desk.grade("diff --format json"));
    assert_eq!(diff["unchanged"], 2);
}

#[test]
fn an_appeal_keeps_question_answers_authors_and_times() {
    let desk = one_run();
    let step = |what: &str, option: &str, text: &str, by: &str| {
        grade(&desk, &["appeal", what, "chen-wei", CHECK, option, text, "--by", by])
    };
    let missing = step("answer", "--answer", "no", "Okafor").exit(64).stderr;
    assert!(
        missing.contains("has no open appeal about scaled-dot-product/mask-hides"),
        "{missing}"
    );
    step("open", "--question", "is −1e9 not enough?", "chen-wei").exit(0);
    let twice = step("open", "--question", "again", "chen-wei").exit(64).stderr;
    assert!(twice.contains("has an open appeal"), "{twice}");
    step("answer", "--answer", "it is not 0 in f16", "Okafor").exit(0);
    let open = desk.grade("appeal list").exit(0).stdout;
    assert!(
        open.starts_with("1 appeal, 1 open\n  chen-wei  scaled-dot-product/mask-hides\n"),
        "{open}"
    );
    assert!(open.contains("opened by chen-wei: is −1e9 not enough?"), "{open}");
    assert!(open.contains("answered by Okafor: it is not 0 in f16"), "{open}");
    grade(&desk, &["appeal", "open", "chen-wei", "--question", "the total?", "--by", "chen"])
        .exit(0);
    step("close", "--answer", "settled", "Okafor").exit(0);
    assert!(desk.grade("appeal list").exit(0).stdout.starts_with("1 appeal, 1 open\n"));
    assert!(desk.grade("appeal list --all").exit(0).stdout.starts_with("2 appeals, 1 open\n"));
    let nobody = desk.grade("appeal list nobody").exit(64).stderr;
    assert!(nobody.contains("there is no grading of `nobody` in results"), "{nobody}");
    let log = json(desk.grade("log chen-wei --format json"));
    let steps: Vec<(&str, &str)> = log["events"].as_array().unwrap()[1..]
        .iter()
        .map(|it| (it["step"].as_str().unwrap(), it["by"].as_str().unwrap()))
        .collect();
    assert_eq!(
        steps,
        [("open", "chen-wei"), ("answer", "Okafor"), ("open", "chen"), ("close", "Okafor")]
    );
    for event in log["events"].as_array().unwrap() {
        assert!(event["at"].as_str().unwrap().ends_with('Z'), "{event}");
    }
}

#[test]
fn marks_of_written_answers_are_in_the_log() {
    let desk = three_runs();
    let marks = "submission,question,points,by,comment,given_at\n\
                 chen-wei,explanation,3.5,Okafor,well seen,2026-02-01T18:00:00Z\n\
                 amara-okafor,explanation,4,,,\n";
    fs::write(desk.path("results/marks.csv"), marks).unwrap();
    let log = json(desk.grade("log chen-wei --format json"));
    let kinds: Vec<&str> =
        log["events"].as_array().unwrap().iter().map(|it| it["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["grading", "grading", "mark", "grading"]);
    assert_eq!(log["events"][2]["comment"], "well seen");
}

/// A check that is renamed, or an archive that cannot be read, leaves decisions without a record.
#[test]
fn what_was_decided_about_a_check_that_is_gone_can_be_ended() {
    let desk = one_run();
    grade(&desk, &OVERRIDE).exit(0);
    let why = ["--question", "why?", "--by", "chen"];
    grade(&desk, &[&["appeal", "open", "chen-wei", CHECK][..], &why].concat()).exit(0);
    let gone = Record { assignment: "".into(), tasks: Vec::new(), ..record("partial") };
    run(&desk, &grader(), "2026-02-02T12:00:00Z", &[("", gone)]);
    let closed = ["appeal", "close", "chen-wei", CHECK, "--answer", "it is gone", "--by", "O"];
    grade(&desk, &closed).exit(0);
    assert!(desk.grade("appeal list").exit(0).stdout.starts_with("0 appeals"));
    desk.grade(&format!("override chen-wei {CHECK} --withdraw --by O")).exit(0);
    assert_eq!(desk.grade("override").exit(0).stdout, "0 overrides\n");
    let again = desk.grade(&format!("override chen-wei {CHECK} --withdraw --by O"));
    again.exit(64);
}

/// The tables of the ledger do not tell which of two decisions of different kinds in one second was first.
#[test]
fn decisions_of_one_second_have_an_order() {
    let desk = one_run();
    let mut store = Store::open(&super::ledger(&desk)).unwrap();
    let [first, second] = ["2026-02-01T12:00:00Z", "2026-02-01T12:00:01Z"];
    let step = |step: Step, given_at: &str| Appeal {
        submission: "chen-wei".into(),
        assignment: "attention".into(),
        check: CHECK.into(),
        step,
        text: "t".into(),
        by: "c".into(),
        given_at: given_at.into(),
    };
    let given = |points, given_at: &str| Override {
        submission: "chen-wei".into(),
        assignment: "attention".into(),
        check: CHECK.into(),
        points: Some(Points::from_hundredths(points)),
        reason: "r".into(),
        by: "O".into(),
        given_at: given_at.into(),
        sha256: record("partial").sha256,
    };
    // The order in which they were made is not that of the kinds.
    store.add_appeal(&step(Step::Open, first)).unwrap();
    store.add_override(&given(50, first)).unwrap();
    store.add_appeal(&step(Step::Answer, first)).unwrap();
    // One appeal is closed and another one opened in the same second: each kind keeps its own order.
    store.add_appeal(&step(Step::Close, second)).unwrap();
    store.add_appeal(&step(Step::Open, second)).unwrap();
    store.add_override(&given(100, second)).unwrap();
    drop(store);
    let log = json(desk.grade("log chen-wei --format json"));
    let events = log["events"].as_array().unwrap().iter().skip(1);
    let told: Vec<&str> =
        events.map(|it| it["step"].as_str().or(it["kind"].as_str()).unwrap()).collect();
    assert_eq!(told, ["open", "override", "answer", "override", "close", "open"]);
}
