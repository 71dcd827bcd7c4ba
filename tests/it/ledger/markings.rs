//! Marks and rubrics in the database: older versions, two markers at once, and requests that come twice.

use std::collections::BTreeSet;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use rusqlite::Connection;
use softmark::marking::Book;
use softmark::model::{Delta, Points, Record, RecordOutcome};
use softmark::store::{
    AnswerId, GivenMark, ItemId, ItemVersion, MarkerRole, MarkingId, MarkingOutcome,
    MarkingRefusal, MarkingStep, NewMarking, RubricChange, RubricOutcome, Store,
};

use super::{ledger, run};
use crate::support::grade::Desk;
use crate::support::records::{grader, record};
use crate::support::served::with_answer;

fn desk() -> Desk {
    let desk = Desk::new();
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("c1", record("partial"))]);
    desk
}

fn answer() -> AnswerId {
    AnswerId {
        assignment: "debugging".into(),
        question: "explanation".into(),
        submission: "chen-wei".into(),
    }
}

fn mark(free: i64, items: &[ItemId]) -> MarkingStep {
    MarkingStep::Mark(GivenMark {
        items: items.iter().copied().collect(),
        free: Delta::from_hundredths(free),
        comment: "seen".into(),
        answer_digest: "digest".to_owned(),
    })
}

fn marking(by: &str, seen: MarkingId, step: MarkingStep) -> NewMarking {
    NewMarking {
        answer: answer(),
        role: MarkerRole::First,
        seen,
        step,
        by: by.into(),
        given_at: "2026-01-31T12:00:00Z".into(),
    }
}

/// Adds markings, none of which is refused.
fn add(store: &mut Store, new: &[NewMarking]) -> Vec<MarkingId> {
    store.add_markings(new).unwrap().into_ids().unwrap()
}

fn item(text: &str, points: i64, of: Option<(ItemId, i64)>) -> RubricChange {
    RubricChange {
        assignment: "debugging".into(),
        question: "explanation".into(),
        of,
        content: ItemVersion {
            text: text.into(),
            points: Delta::from_hundredths(points),
            is_retired: false,
        },
        by: "Okafor".into(),
        given_at: "2026-01-31T12:00:00Z".into(),
    }
}

#[test]
fn a_ledger_of_the_third_version_is_migrated_and_keeps_everything() {
    let desk = Desk::new().file("results/readme", "");
    let path = ledger(&desk);
    let connection = Connection::open(&path).unwrap();
    connection.execute_batch(include_str!("../../../fixtures/ledger/schema-1.sql")).unwrap();
    connection.execute_batch(include_str!("../../../src/store/decisions.sql")).unwrap();
    connection.execute_batch(include_str!("../../../src/store/parts.sql")).unwrap();
    connection.pragma_update(None, "user_version", 3).unwrap();
    let input = "INSERT INTO inputs VALUES (1, 0, '/class', NULL, NULL)";
    connection.execute(input, []).unwrap();
    drop(connection);
    let mut store = Store::open(&path).unwrap();
    assert_eq!(store.latest("chen-wei").unwrap(), Some(record("partial")));
    assert!(store.markings().unwrap().is_empty() && store.rubric_versions().unwrap().is_empty());
    add(&mut store, &[marking("Okafor", MarkingId::NONE, mark(100, &[]))]);
    let markings = store.markings().unwrap();
    assert_eq!(markings.len(), 1);
    assert!(markings[0].after_record > 0, "the place among the records is known");
    drop(store);
    let connection = Connection::open(&path).unwrap();
    let number = |sql: &str| -> i64 { connection.query_row(sql, [], |row| row.get(0)).unwrap() };
    assert_eq!(number("PRAGMA user_version"), 6);
    assert_eq!(number("SELECT count(*) FROM inputs"), 1);
}

#[test]
fn marks_and_rubrics_are_only_added() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let RubricOutcome::Saved(first) = store.change_rubric(&item("names it", 200, None)).unwrap()
    else {
        panic!("it was not saved")
    };
    add(&mut store, &[marking("Okafor", MarkingId::NONE, mark(0, &[first]))]);
    let connection = Connection::open(ledger(&desk)).unwrap();
    for change in [
        "UPDATE markings SET free_points = 400",
        "UPDATE marking_items SET item = 9",
        "UPDATE rubric_versions SET points = 400",
        "DELETE FROM marking_items",
        "DELETE FROM markings",
        "DELETE FROM rubric_versions",
    ] {
        let error = connection.execute(change, []).unwrap_err().to_string();
        assert!(error.contains("decisions are only added"), "{change}: {error}");
    }
}

#[test]
fn what_was_saved_is_read_back() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let items = [ItemId::from_number(3), ItemId::from_number(7)];
    let second = marking("Ada", MarkingId::NONE, mark(50, &[]));
    let both = [
        marking("Okafor", MarkingId::NONE, mark(-25, &items)),
        NewMarking { role: MarkerRole::Second, ..second },
    ];
    let mut ids = add(&mut store, &both);
    ids.extend(add(&mut store, &[marking("Bela", ids[0], mark(75, &[]))]));
    let markings = store.markings().unwrap();
    assert_eq!(markings, store.markings_of(&"chen-wei".into()).unwrap());
    assert_eq!(markings.iter().map(|it| it.id).collect::<Vec<_>>(), ids);
    assert_eq!(markings[1..], store.markings_after(ids[0]).unwrap());
    assert_eq!(markings[0].step, mark(-25, &items));
    assert_eq!(markings[0].answer, answer());
    let seen: Vec<MarkingId> = markings.iter().map(|it| it.seen).collect();
    assert_eq!(seen, [MarkingId::NONE, MarkingId::NONE, ids[0]], "each role has a history");
    assert!(store.markings_of(&"amara-okafor".into()).unwrap().is_empty());
}

#[test]
fn a_mark_that_is_sent_twice_is_saved_once() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let once = marking("Okafor", MarkingId::NONE, mark(100, &[ItemId::from_number(1)]));
    let first = add(&mut store, std::slice::from_ref(&once));
    assert_eq!(add(&mut store, std::slice::from_ref(&once)), first);
    let undo = marking("Okafor", first[0], MarkingStep::Withdrawal(first[0]));
    let undone = add(&mut store, std::slice::from_ref(&undo));
    assert_eq!(add(&mut store, std::slice::from_ref(&undo)), undone);
    let again = NewMarking { seen: undone[0], ..undo };
    assert_eq!(add(&mut store, &[again]), undone, "by a form that has seen the withdrawal");
    // The same mark after the withdrawal, and the mark of somebody else, are marks of their own.
    add(&mut store, &[NewMarking { seen: undone[0], ..once.clone() }]);
    add(&mut store, &[NewMarking { by: "Ada".into(), ..once }]);
    assert_eq!(store.markings().unwrap().len(), 4);
}

#[test]
fn first_and_second_marker_are_two_persons_also_at_the_same_moment() {
    let desk = desk();
    let path = ledger(&desk);
    for round in 0..8 {
        let barrier = Barrier::new(2);
        let give = |role| {
            let question = format!("question {round}").as_str().into();
            let answer = AnswerId { question, ..answer() };
            let new = marking("Mike", MarkingId::NONE, mark(100, &[]));
            let mut store = Store::open(&path).unwrap();
            barrier.wait();
            store.add_markings(&[NewMarking { answer, role, ..new }]).unwrap()
        };
        let outcomes = thread::scope(|scope| {
            let second = scope.spawn(|| give(MarkerRole::Second));
            [give(MarkerRole::First), second.join().unwrap()]
        });
        let refused = outcomes.into_iter().filter_map(|it| it.into_ids().err());
        assert_eq!(refused.collect::<Vec<_>>(), [MarkingRefusal::SamePerson]);
    }
    assert_eq!(Store::open(&path).unwrap().markings().unwrap().len(), 8);
}

#[test]
fn a_mark_that_is_refused_leaves_no_mark_beside_it() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let of = |role, by: &str, digest: &str| {
        let given = GivenMark { answer_digest: digest.to_owned(), ..GivenMark::default() };
        NewMarking { role, ..marking(by, MarkingId::NONE, MarkingStep::Mark(given)) }
    };
    let agreed = of(MarkerRole::Agreed, "Olga", "d");
    let refused = store.add_markings(std::slice::from_ref(&agreed)).unwrap();
    assert_eq!(refused, MarkingOutcome::Refused(MarkingRefusal::NoSecondMark));
    let second = add(&mut store, &[of(MarkerRole::Second, "Mike", "d")]);
    let both = [of(MarkerRole::First, "Mara", "d"), of(MarkerRole::First, "Mike", "d")];
    assert_eq!(
        store.add_markings(&both).unwrap(),
        MarkingOutcome::Refused(MarkingRefusal::SamePerson)
    );
    assert_eq!(store.markings().unwrap().len(), 1);
    // Of another version of the answer, and after the mark is taken back, the marker may give the other mark.
    add(&mut store, &[of(MarkerRole::First, "Mike", "e")]);
    let undo = marking("Mike", second[0], MarkingStep::Withdrawal(second[0]));
    add(&mut store, &[NewMarking { role: MarkerRole::Second, ..undo }]);
    add(&mut store, &[of(MarkerRole::First, "Mike", "d")]);
    let refused = store.add_markings(&[agreed]).unwrap();
    assert_eq!(refused, MarkingOutcome::Refused(MarkingRefusal::NoSecondMark));
}

/// A marker with two windows gives the first mark again, from the window that has not seen the second one.
#[test]
fn a_mark_that_was_given_before_another_one_is_saved_again() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let mut give = |free: i64| {
        let new = marking("Okafor", MarkingId::NONE, mark(free, &[]));
        add(&mut store, &[new])[0].number()
    };
    let ids = [give(100), give(200), give(100), give(100)];
    assert_eq!(ids, [1, 2, 3, 3], "the last one is sent twice");
}

#[test]
fn a_failure_of_the_grader_takes_no_answer_away() {
    let desk = Desk::new();
    let graded = with_answer("amara", "because");
    let failed = Record { outcome: RecordOutcome::NoGrade, written: Vec::new(), ..graded.clone() };
    run(&desk, &grader(), "2026-01-31T12:00:00Z", &[("c1", graded.clone())]);
    run(&desk, &grader(), "2026-01-31T13:00:00Z", &[("c2", failed)]);
    let store = Store::open(&ledger(&desk)).unwrap();
    let answers = store.answers_after(0).unwrap();
    assert_eq!(answers.len(), 1);
    assert_eq!(answers[0].written, graded.written);
    assert!(store.answers_after(answers[0].record).unwrap().is_empty());
}

#[test]
fn of_markers_who_saw_the_same_all_marks_are_kept_and_one_counts() {
    let desk = desk();
    let path = ledger(&desk);
    thread::scope(|scope| {
        for marker in 0..8_i64 {
            let path = &path;
            scope.spawn(move || {
                let mut store = Store::open(path).unwrap();
                let by = format!("marker {marker}");
                let new = marking(&by, MarkingId::NONE, mark(marker, &[]));
                add(&mut store, &[new]);
            });
        }
    });
    let store = Store::open(&path).unwrap();
    let book = Book::read(&store).unwrap();
    let history = book.answer(&answer()).unwrap().history(MarkerRole::First);
    assert_eq!(history.counting().unwrap().id, store.markings().unwrap()[0].id);
    let points: BTreeSet<i64> = history
        .conflicting()
        .iter()
        .chain(history.counting())
        .map(|it| match &it.step {
            MarkingStep::Mark(given) => given.free.hundredths(),
            MarkingStep::Withdrawal(_) => panic!("nobody took a mark back"),
        })
        .collect();
    assert_eq!(points, (0..8).collect());
}

#[test]
fn an_item_is_changed_by_the_person_who_saw_it_as_it_is() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let mut change = |change: &RubricChange| store.change_rubric(change).unwrap();
    let RubricOutcome::Saved(id) = change(&item("names it", 200, None)) else { panic!("saved") };
    assert_eq!(change(&item("names it", 200, None)), RubricOutcome::Saved(id), "sent twice");
    let edit = item("names both", 150, Some((id, 1)));
    assert_eq!(change(&edit), RubricOutcome::Saved(id));
    assert_eq!(change(&edit), RubricOutcome::Saved(id), "sent twice");
    let late = item("names one", 100, Some((id, 1)));
    assert_eq!(change(&late), RubricOutcome::Conflict);
    let unknown = item("names one", 100, Some((ItemId::from_number(99), 1)));
    assert_eq!(change(&unknown), RubricOutcome::Unknown);
    let other = RubricChange { question: "another".into(), ..item("x", 1, Some((id, 2))) };
    assert_eq!(change(&other), RubricOutcome::Unknown);
    let versions = store.rubric_versions().unwrap();
    assert_eq!(versions.len(), 2);
    assert_eq!(versions[1].content.text, "names both");
    assert_eq!(store.rubric_versions_after(1).unwrap(), versions[1..]);
}

/// While it is read, markers add items to the rubric and choose them.
#[test]
fn a_book_knows_the_items_of_each_marking_that_it_has() {
    let desk = desk();
    let path = ledger(&desk);
    let store = Store::open(&path).unwrap();
    let is_done = AtomicBool::new(false);
    thread::scope(|scope| {
        scope.spawn(|| {
            let mut writer = Store::open(&path).unwrap();
            let mut seen = MarkingId::NONE;
            for step in 0..300_i64 {
                let new = item(&format!("item {step}"), 1, None);
                let RubricOutcome::Saved(id) = writer.change_rubric(&new).unwrap() else {
                    panic!("it was not saved")
                };
                let new = marking("Okafor", seen, mark(step, &[id]));
                seen = add(&mut writer, &[new])[0];
            }
            is_done.store(true, Ordering::SeqCst);
        });
        while !is_done.load(Ordering::SeqCst) {
            let book = Book::read(&store).unwrap();
            let id = answer();
            let Some(marks) = book.answer(&id) else { continue };
            let question = book.question(&id.assignment, &id.question, Points::MAX);
            let newest = marks.latest().and_then(|newest| question.marked(newest)).unwrap();
            assert_eq!(newest.items.len(), 1, "the item of {:?}", newest.marking.id);
        }
    });
}

#[test]
fn a_book_that_is_kept_up_to_date_is_the_book_that_is_read() {
    let desk = desk();
    let mut store = Store::open(&ledger(&desk)).unwrap();
    let mut book = Book::read(&store).unwrap();
    for step in 0..3_i64 {
        store.change_rubric(&item(&format!("item {step}"), 50, None)).unwrap();
        let new = marking("Okafor", MarkingId::from_number(step), mark(step, &[]));
        add(&mut store, &[new]);
        let new_rows = book.new_rows(&store).unwrap();
        assert!(!new_rows.is_empty());
        book.add(&new_rows);
        assert!(book.new_rows(&store).unwrap().is_empty());
        assert_eq!(book, Book::read(&store).unwrap());
    }
}
