//! The database, and the documents that hold a record.

use std::{fs, thread};

use proptest::prelude::*;
use rusqlite::Connection;
use softmark::model::{Record, RecordOutcome};
use softmark::store::document::{self, ReadError};
use softmark::store::{RecordKeys, Store, StoreError};

use crate::support::records::{CLASS, any_record, class, grader, record, text};

/// The record that is stored under a key.
fn cached(store: &Store, key: &str) -> Option<Record> {
    store.cached(key).unwrap().map(|it| it.record)
}

#[test]
fn fixtures_are_written_as_they_were_read() {
    for name in CLASS {
        let (grader, record) = document::read_record(&text(name)).unwrap();
        assert_eq!(document::write_record(&grader, &record).unwrap(), text(name), "{name}");
    }
}

proptest! {
    #[test]
    fn any_record_reads_back_and_prints_the_same(record in any_record()) {
        let written = document::write_record(&grader(), &record).unwrap();
        let (grader, again) = document::read_record(&written).unwrap();
        prop_assert_eq!(document::write_record(&grader, &again).unwrap(), written.as_str());
        prop_assert!(written.chars().all(|character| character == '\n' || !character.is_control()));
    }

    #[test]
    fn points_are_written_exactly(hundredths in 0_u32..=1_000_000) {
        let mut record = record("rejected");
        record.points = softmark::model::Points::from_hundredths(hundredths);
        let written = document::write_record(&grader(), &record).unwrap();
        let number = written.lines().find_map(|line| line.trim().strip_prefix("\"points\": "));
        let number = number.unwrap().trim_end_matches(',');
        let decimals = number.split_once('.').unwrap().1.len();
        prop_assert!(decimals <= 2, "{} is written with {} decimals", number, decimals);
        prop_assert_eq!(document::read_record(&written).unwrap().1.points, record.points);
    }
}

#[test]
fn a_document_of_another_version_says_so_whatever_its_shape() {
    let later = r#"{"format_version": 2, "marks": []}"#;
    assert!(matches!(document::read_record(later), Err(ReadError::Version { found: 2 })));
}

#[test]
fn unknown_fields_are_skipped_and_unknown_words_are_not() {
    let more = text("rejected").replacen("\"record\": {", "\"record\": {\"mood\": 1,", 1);
    assert_eq!(document::read_record(&more).unwrap().1, record("rejected"));
    let other = text("rejected").replace("\"rejected\"", "\"adored\"");
    let error = document::read_record(&other).unwrap_err().to_string();
    assert!(error.contains("no outcome is called `adored`"), "{error}");
    let third = text("rejected").replacen("\"points\": 0.0", "\"points\": 0.125", 1);
    let error = document::read_record(&third).unwrap_err().to_string();
    assert!(error.contains("0.125 is not a number of points"), "{error}");
}

#[test]
fn a_record_comes_back_as_it_was_saved() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("softmark.db")).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    for record in class().records {
        store
            .save(run, &RecordKeys::whole(&format!("key of {}", record.submission)), &record)
            .unwrap();
        let latest = store.latest(record.submission.as_raw()).unwrap().unwrap();
        let text = |record: &Record| document::write_record(&grader(), record).unwrap();
        assert_eq!(text(&latest), text(&record));
        assert_eq!(latest.usage, None);
    }
    assert_eq!(store.latest("nobody").unwrap(), None);
}

#[test]
fn the_cache_gives_the_last_record_of_a_key_and_never_a_missing_grade() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("softmark.db")).unwrap();
    assert_eq!(cached(&store, "k"), None);

    let first = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store.save(first, &RecordKeys::whole("k"), &record("no-grade")).unwrap();
    assert_eq!(cached(&store, "k"), None);

    store.save(first, &RecordKeys::whole("k"), &record("skeleton")).unwrap();
    let second = store.begin_run(&grader(), "2026-01-31T13:00:00Z").unwrap();
    store.save(second, &RecordKeys::whole("k"), &record("full-marks")).unwrap();
    store.save(second, &RecordKeys::whole("k"), &record("no-grade")).unwrap();
    assert_eq!(cached(&store, "k"), Some(record("full-marks")));
    assert_eq!(cached(&store, "K"), None);
    let latest = store.latest(record("no-grade").submission.as_raw()).unwrap().unwrap();
    assert_eq!(latest.outcome, RecordOutcome::NoGrade);
}

#[test]
fn a_cached_record_that_cannot_be_read_is_as_good_as_absent() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store.save(run, &RecordKeys::whole("k"), &record("full-marks")).unwrap();
    Connection::open(&path)
        .unwrap()
        .execute_batch("DROP TRIGGER records_stay; UPDATE saved_records SET document = '{}'")
        .unwrap();
    assert_eq!(cached(&store, "k"), None);
    let error = store.latest("amara-okafor").unwrap_err();
    assert!(matches!(error, StoreError::Record { .. }), "{error:?}");
}

#[test]
fn a_submission_has_one_record_a_run() {
    let folder = tempfile::tempdir().unwrap();
    let mut store = Store::open(&folder.path().join("softmark.db")).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store.save(run, &RecordKeys::whole("k"), &record("partial")).unwrap();
    assert!(matches!(
        store.save(run, &RecordKeys::whole("k"), &record("partial")),
        Err(StoreError::Query { .. })
    ));
}

#[test]
fn grades_are_only_added() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    store.save(run, &RecordKeys::whole("k"), &record("partial")).unwrap();
    let connection = Connection::open(&path).unwrap();
    for change in [
        "UPDATE records SET points = 3000",
        "UPDATE saved_records SET points = 3000",
        "UPDATE checks SET points = 100",
        "UPDATE saved_checks SET points = 100",
        "UPDATE runs SET seed = '2'",
        "DELETE FROM checks",
        "DELETE FROM saved_checks",
        "DELETE FROM records",
        "DELETE FROM saved_records",
        "DELETE FROM runs",
    ] {
        let error = connection.execute(change, []).unwrap_err().to_string();
        assert!(error.contains("grades are only added"), "{change}: {error}");
    }
}

#[test]
fn a_question_about_the_class_is_one_query() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    let mut store = Store::open(&path).unwrap();
    let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
    for record in class().records {
        store.save(run, &RecordKeys::whole(record.submission.as_raw()), &record).unwrap();
    }
    let scaled: i64 = Connection::open(&path)
        .unwrap()
        .query_row(
            "SELECT count(DISTINCT record_id) FROM checks WHERE mistake = 'missing-scale'",
            [],
            |row| row.get(0),
        )
        .unwrap();
    assert_eq!(scaled, 2);
}

#[test]
fn what_is_no_database_is_left_alone_and_the_message_says_what_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    let garbage = "this is no database, but it is long enough to look at. ".repeat(100);
    fs::write(&path, &garbage).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
    assert!(error.to_string().contains("move it away"), "{error}");
    assert_eq!(fs::read_to_string(&path).unwrap(), garbage);
}

#[test]
fn a_damaged_database_is_an_error_and_no_panic() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    {
        let mut store = Store::open(&path).unwrap();
        let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
        store.save(run, &RecordKeys::whole("k"), &record("partial")).unwrap();
    }
    let mut bytes = fs::read(&path).unwrap();
    // The header stays; every page after it is overwritten.
    bytes[100..].fill(0xaa);
    fs::write(&path, bytes).unwrap();
    let error = Store::open(&path).and_then(|store| store.latest("chen-wei")).unwrap_err();
    assert!(matches!(error, StoreError::Damaged { .. }), "{error:?}");
}

#[test]
fn a_later_schema_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    drop(Store::open(&path).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 99).unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Newer { found: 99, known: 6, .. }), "{error:?}");
    assert!(error.to_string().contains("update this grader"), "{error}");
}

#[test]
fn the_database_of_another_program_is_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE songs (title TEXT)").unwrap();
    let error = Store::open(&path).unwrap_err();
    assert!(matches!(error, StoreError::Foreign { .. }), "{error:?}");
}

#[test]
fn a_folder_that_is_not_there_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let error = Store::open(&folder.path().join("none/softmark.db")).unwrap_err();
    assert!(matches!(error, StoreError::Inaccessible { .. }), "{error:?}");
    assert!(error.to_string().contains("none/softmark.db"), "{error}");
}

#[test]
fn several_graders_may_use_one_database() {
    const GRADERS: usize = 4;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("softmark.db");
    let records = class().records;
    thread::scope(|scope| {
        for grader_number in 0..GRADERS {
            let (path, records) = (&path, &records);
            scope.spawn(move || {
                let mut store = Store::open(path).unwrap();
                let run = store.begin_run(&grader(), "2026-01-31T12:00:00Z").unwrap();
                for record in records {
                    store
                        .save(run, &RecordKeys::whole(&format!("{grader_number}")), record)
                        .unwrap();
                    store.cached(&format!("{grader_number}")).unwrap();
                }
            });
        }
    });
    let count: u32 = Connection::open(&path)
        .unwrap()
        .query_row("SELECT count(*) FROM records", [], |row| row.get(0))
        .unwrap();
    assert_eq!(count as usize, GRADERS * records.len());
}
