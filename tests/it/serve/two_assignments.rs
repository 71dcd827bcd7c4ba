//! Students with gradings for two assignments, and records that cannot be read.

use rusqlite::Connection;
use softmark::model::{Delta, Record, RecordOutcome};
use softmark::store::{
    AnswerId, Folder, GivenMark, LEDGER, MarkerRole, MarkingId, MarkingStep, NewMarking, Store,
};

use super::{Server, TABS, page, run};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};
use crate::support::served::with_answer;

/// Check of the exam that the earlier assignment alone has.
const CHECK: (&str, &str) = ("check", "scaled-dot-product/mask-hides");

/// Returns a record of chen-wei for the second assignment: the same tasks, the first of which has another name.
fn second() -> Record {
    let mut record = Record { assignment: "encoder".into(), ..record("partial") };
    for check in record.tasks.iter_mut().flat_map(|task| &mut task.checks) {
        check.id = format!("encoder-{}", check.id).into();
    }
    record
}

/// Returns the record of a hand-in of chen-wei that was rejected before its assignment was known.
fn rejected() -> Record {
    Record {
        assignment: "".into(),
        outcome: RecordOutcome::Rejected,
        reason: Some("the archive cannot be read".into()),
        tasks: Vec::new(),
        ..record("partial")
    }
}

/// A class in which chen-wei was graded for two assignments, the second time for the second one.
fn two() -> Desk {
    let desk = Desk::new();
    run(&desk, &grader(), &[record("partial")]);
    run(&desk, &grader(), &[second()]);
    desk
}

#[test]
fn after_a_rejected_hand_in_the_pages_of_each_assignment_are_there() {
    let desk = two();
    run(&desk, &grader(), &[rejected()]);
    let server = Server::start(desk, &[]);
    for number in [1, 2] {
        for tab in TABS {
            page(&server, &format!("/submission/{number}{tab}"));
            page(&server, &format!("/submission/{number}{tab}?attempt={number}"));
        }
        let body = page(&server, &format!("/submission/{number}")).body;
        assert!(body.contains("the archive cannot be read"), "{body}");
    }
    assert_eq!(server.get("/submission/1?attempt=2").status, 404, "it is of the other assignment");
    assert_eq!(server.get("/submission/2?attempt=1").status, 404);
}

/// A task of both assignments has another title in the second one.
#[test]
fn titles_are_those_of_the_assignment() {
    let desk = two();
    let mut other = Record { submission: "zoe".into(), ..second() };
    other.tasks[0].title = "Sorting".into();
    let (id, own) =
        (record("partial").tasks[0].id.clone(), record("partial").tasks[0].title.clone());
    run(&desk, &grader(), &[other]);
    let server = Server::start(desk, &[]);
    let heads = |assignment: &str| {
        let body = page(&server, &format!("/?assignment={assignment}")).body;
        let table = body.split_once("<table>").unwrap().1;
        (table.contains(&own.to_string()), table.contains("Sorting"))
    };
    assert_eq!((heads("attention"), heads("encoder")), ((true, false), (false, true)));
    let body = page(&server, "/").body;
    assert_eq!(body.matches(&format!("<option value=\"{id}\">")).count(), 1, "{body}");
    assert!(body.contains(&format!(">{id}: {own} / Sorting</option>")), "{body}");
}

#[test]
fn a_decision_is_about_the_assignment_of_its_page() {
    let server = Server::start(two(), &[]);
    let given = [CHECK, ("points", "0.5"), ("reason", "right in principle"), ("seen", "0")];
    let told = server.post("/submission/1", "/submission/1/override", &given);
    assert_eq!(told.status, 303, "{}", told.body);
    let asked = [("check", ""), ("step", "open"), ("text", "why so few?")];
    let told = server.post("/submission/1", "/submission/1/appeal", &asked);
    let back = told.headers["location"].split_once('#').unwrap().0;
    // Where the appeal is shown.
    assert_eq!((told.status, back), (303, "/submission/1/history"));
    assert!(page(&server, back).body.contains("why so few?"));
    // The same question about the other assignment is another appeal.
    assert_eq!(server.post("/submission/2", "/submission/2/appeal", &asked).status, 303);
    let store = Store::open(&server.desk.path("results").join(LEDGER)).unwrap();
    let overrides = store.overrides().unwrap();
    assert_eq!(overrides[0].decision.assignment, "attention");
    let appeals = store.appeals().unwrap();
    let assignments: Vec<String> =
        appeals.iter().map(|it| it.decision.assignment.to_string()).collect();
    assert_eq!(assignments, ["attention", "encoder"]);
    assert!(page(&server, "/submission/1").body.contains("19.75"));
    assert!(page(&server, "/submission/2").body.contains("19.25"));
    // The file of the newest record is that of the other assignment, and stays so.
    let kept = Folder::of(&server.desk.path("results")).read("chen-wei").unwrap().unwrap().1;
    assert_eq!(kept, second());
    for (number, closed) in [("1", "close"), ("2", "close")] {
        let path = format!("/submission/{number}");
        let fields = [("check", ""), ("step", closed), ("text", "")];
        assert_eq!(server.post(&path, &format!("{path}/appeal"), &fields).status, 303);
    }
    let withdrawn = [CHECK, ("withdraw", "yes"), ("seen", "1")];
    assert_eq!(server.post("/submission/1", "/submission/1/override", &withdrawn).status, 303);
    assert!(page(&server, "/submission/1").body.contains("19.25"));
}

#[test]
fn a_mark_is_of_the_points_that_its_answer_is_worth_in_the_history_of_each_assignment() {
    let desk = two();
    run(&desk, &grader(), &[with_answer("chen-wei", "because")]);
    run(&desk, &grader(), &[second()]);
    let answer = AnswerId::new(&"debugging".into(), &"explanation".into(), &"chen-wei".into());
    let given = GivenMark { free: Delta::from_hundredths(1_000), ..GivenMark::default() };
    let marking = NewMarking {
        answer,
        role: MarkerRole::First,
        seen: MarkingId::NONE,
        step: MarkingStep::Mark(given),
        by: "Okafor".into(),
        given_at: "2026-01-31T12:00:00Z".into(),
    };
    let mut store = Store::open(&desk.path("results").join(LEDGER)).unwrap();
    store.add_markings(&[marking]).unwrap().into_ids().unwrap();
    let told = desk.grade("log chen-wei").exit(0).stdout;
    assert!(told.contains("mark: 4.00 for explanation"), "{told}");
    let server = Server::start(desk, &[]);
    for number in [1, 2, 3] {
        let body = page(&server, &format!("/submission/{number}/history")).body;
        assert!(body.contains("mark: 4.00 for explanation"), "{body}");
    }
}

#[test]
fn points_of_two_assignments_have_no_mean() {
    let server = Server::start(two(), &[]);
    let both = page(&server, "/").body;
    assert!(
        both.contains("<dt>graded</dt><dd>2</dd>") && !both.contains("<dt>mean</dt>"),
        "{both}"
    );
    let one = page(&server, "/?assignment=encoder").body;
    assert!(one.contains("<dt>mean</dt><dd>19.25</dd>"), "{one}");
}

#[test]
fn a_record_that_cannot_be_read_is_the_problem_of_one_submission() {
    let desk = super::small_class();
    let spoil = "DROP TRIGGER records_stay; UPDATE saved_records SET document = '{' WHERE id = 2";
    let ledger = desk.path("results").join(LEDGER);
    Connection::open(ledger).unwrap().execute_batch(spoil).unwrap();
    let server = Server::start(desk, &[]);
    let body = page(&server, "/").body;
    assert!(body.contains("amara-okafor") && body.contains("chen-wei"), "{body}");
    assert_eq!(body.matches("record cannot be read").count(), 1, "{body}");
    for path in ["/submission/1", "/submission/3", "/statistics", "/decisions"] {
        page(&server, path);
    }
    let spoiled = server.get("/submission/2");
    assert_eq!(spoiled.status, 500);
    assert!(spoiled.body.contains("chen-wei"), "{}", spoiled.body);
}
