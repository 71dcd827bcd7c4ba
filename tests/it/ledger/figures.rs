//! `grade stats`.

use serde_json::Value;
use softmark::model::{Record, Status};

use super::{json, run, with};
use crate::support::grade::Desk;
use crate::support::reading::well_formed;
use crate::support::records::{grader, record};

/// Check that everybody passes but the skeleton, and the one that only the weaker half passes.
const EASY: &str = "scaled-dot-product/one-key";
const ODD: &str = "pooling/padding-is-ignored";

const NAMES: [&str; 24] = [
    "s00", "s01", "s02", "s03", "s04", "s05", "s06", "s07", "s08", "s09", "s10", "s11", "s12",
    "s13", "s14", "s15", "s16", "s17", "s18", "s19", "s20", "s21", "s22", "s23",
];

/// The student of this number: passes as many of eight checks, but for the stronger half, who fail [`ODD`].
fn student(number: usize) -> Record {
    let mut record = Record {
        submission: NAMES[number].into(),
        sha256: format!("{number:064}").into(),
        ..record("full-marks")
    };
    let checks = [
        "scaled-dot-product/mask-hides",
        "scaled-dot-product/matches-reference",
        "scaled-dot-product/gradients",
        "multi-head/heads-are-apart",
        "multi-head/matches-reference",
        "multi-head/on-own-attention",
        "positional-encoding/matches-reference",
        "classifier/beats-baseline",
    ];
    for check in checks.into_iter().skip(number / 3) {
        record = with(record, check, Status::Wrong, 0);
    }
    if number >= 12 { with(record, ODD, Status::Wrong, 0) } else { record }
}

fn class() -> Desk {
    let desk = Desk::new();
    // The last student fails an easy check at first, and passes it with other files.
    let first = Record { sha256: "first".into(), ..with(student(23), EASY, Status::Wrong, 0) };
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("f", first)]);
    let mut records: Vec<_> = NAMES.iter().copied().zip((0..24).map(student)).collect();
    records.push(("skeleton", record("skeleton")));
    records.push(("", record("no-grade")));
    run(&desk, &grader(), "2026-02-01T12:00:00Z", &records);
    desk
}

fn of<'a>(figures: &'a Value, check: &str) -> &'a Value {
    let checks = figures["assignments"][0]["checks"].as_array().unwrap();
    checks.iter().find(|it| it["check"] == check).unwrap()
}

#[test]
fn figures_of_a_class_are_those_that_were_worked_out() {
    let desk = class();
    let figures = json(desk.grade("stats attention --format json"));
    let counts = &figures["assignments"][0]["submissions"];
    assert_eq!(counts["graded"], 24);
    assert_eq!((&counts["not_started"], &counts["no_grade"]), (&1.into(), &1.into()));
    // Worked out from the description of the class: see the Python in the comment.
    let odd = of(&figures, ODD);
    assert_eq!(odd["pass_rate"], 0.5);
    assert_eq!(odd["points_lost"], 24.0);
    // w = [2, 2, 2, 2, 3, 2, 2, 2.5]; rest = [28 - sum(w[i // 3:]) for i in range(24)];
    // statistics.correlation([1] * 12 + [0] * 12, rest)
    assert!(
        (odd["discrimination"].as_f64().unwrap() + 0.875_273_565_740_621_9).abs() < 1e-12,
        "{odd}"
    );
    assert_eq!(odd["flags"], serde_json::json!(["better_students_fail"]));
    let easy = of(&figures, EASY);
    assert_eq!((&easy["pass_rate"], &easy["discrimination"]), (&1.0.into(), &Value::Null));
    assert_eq!(easy["flags"], serde_json::json!(["everybody_passes"]));
    // In the second attempt one; the skeleton never.
    assert_eq!(easy["attempts"], serde_json::json!({"passed_in": {"1": 23, "2": 1}, "never": 1}));
}

#[test]
fn figures_are_shown_in_every_format() {
    let desk = class();
    let told = desk.grade("stats").exit(0).stdout;
    assert!(told.contains("24 graded, 1 not started, 1 no grade"), "{told}");
    let shown = told.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(
        shown.contains("! pooling/padding-is-ignored: better students fail it more often"),
        "{told}"
    );
    assert!(
        shown.contains("! scaled-dot-product/one-key: everybody passes (24 of 24; at least 88 %"),
        "{told}"
    );
    for line in told.lines() {
        assert!(softmark::report::text::width(line) <= 100, "{line}");
    }
    let page = desk.grade("stats --format html").exit(0).stdout;
    assert!(well_formed("html", &page).is_ok(), "{:?}", well_formed("html", &page));
    assert!(page.matches("<svg").count() > 10 && !page.contains("<script"), "{page}");
    let near = desk.grade("stats attentoin").exit(64).stderr;
    assert!(near.contains("did you mean `attention`?"), "{near}");
}
