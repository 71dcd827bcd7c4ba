//! What is kept is damaged, held, half made or of another time.

use std::fs;

use rusqlite::Connection;
use softmark::store::Store;

use super::{Undisturbed, desk, record_of, two};
use crate::tidy::sources;

#[test]
fn a_database_that_cannot_be_used_loses_no_record() {
    let undisturbed = Undisturbed::get();
    let desk = desk();
    desk.grade("class --format json").exit(0);
    let database = desk.path("results/softmark.db");
    let whole = fs::read(&database).unwrap();
    let cut = whole[..whole.len() / 2].to_vec();
    let overwritten = [&whole[..100], &vec![0xaa; whole.len() - 100]].concat();
    let later = |connection: &Connection| connection.pragma_update(None, "user_version", 99);
    for (damaged, advice) in [
        (b"no database at all, but long enough to be looked at".repeat(40), "move it away"),
        (cut, "move it away"),
        (overwritten, "move it away"),
    ] {
        fs::write(&database, &damaged).unwrap();
        let ran = desk.grade("class --format json").exit(2);
        assert!(ran.stderr.contains(advice), "{ran}");
        // What was graded is still there, and graded again where the database is gone.
        let shown = desk.grade("show amara --format json").exit(0).stdout;
        assert_eq!(record_of(&shown, "amara"), record_of(&undisturbed.stdout, "amara"));
        fs::rename(&database, desk.path("results/damaged.db")).unwrap();
        undisturbed.is_reached_by(desk.grade("class --format json"), &desk);
    }
    later(&Connection::open(&database).unwrap()).unwrap();
    let ran = desk.grade("class --format json").exit(2);
    assert!(ran.stderr.contains("update this grader"), "{ran}");
}

#[test]
fn a_database_that_another_holds_is_waited_for_and_then_named() {
    let desk = two();
    desk.grade("class").exit(0);
    let connection = Connection::open(desk.path("results/softmark.db")).unwrap();
    connection.execute_batch("BEGIN IMMEDIATE").unwrap();
    let ran = desk.grade("class").exit(2);
    assert!(ran.stderr.contains("another grader is writing"), "{ran}");
    assert!(ran.stderr.contains("wait for it, or end it, and run again"), "{ran}");
    connection.execute_batch("ROLLBACK").unwrap();
    desk.grade("class").exit(0);
}

/// A grader that was killed while it brought a database up to date leaves the old one, to be brought
/// up to date again.
#[test]
fn an_interrupted_migration_is_undone() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("softmark.db");
    let connection = Connection::open(&path).unwrap();
    // As little is kept in memory as can be, so that half of the work is on the disk already.
    connection
        .execute_batch(
            "PRAGMA cache_size = 1; PRAGMA application_id = 1936680564; BEGIN IMMEDIATE;
             CREATE TABLE runs (x); CREATE TABLE records (x);
             WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
             INSERT INTO records SELECT hex(randomblob(100)) FROM n;
             PRAGMA user_version = 1;",
        )
        .unwrap();
    let after = tempfile::tempdir().unwrap();
    for entry in fs::read_dir(dir.path()).unwrap() {
        let entry = entry.unwrap();
        fs::copy(entry.path(), after.path().join(entry.file_name())).unwrap();
    }
    let path = after.path().join("softmark.db");
    assert!(after.path().join("softmark.db-journal").exists());
    assert!(fs::metadata(&path).unwrap().len() > 100_000, "nothing was on the disk yet");
    let store = Store::open(&path).unwrap();
    assert!(store.latest("amara").unwrap().is_none());
    let tables = Connection::open(&path).unwrap().query_row(
        "SELECT count(*) FROM pragma_table_info('records') WHERE name = 'document'",
        [],
        |row| row.get::<_, u32>(0),
    );
    assert_eq!(tables, Ok(1), "the real table, and not the half-made one");
}

/// Records of a later grader are neither read as if they were this one's nor written over.
#[test]
fn results_of_a_later_grader_are_left_alone() {
    let desk = two();
    desk.grade("class").exit(0);
    let path = desk.path("results/records/zoe.json");
    let later = desk.read("results/records/amara.json");
    let later = later.replacen("\"format_version\": 1", "\"format_version\": 2", 1);
    fs::write(&path, &later).unwrap();
    let ran = desk.grade("class").exit(0);
    assert!(ran.stderr.contains("zoe.json"), "{ran}");
    assert_eq!(fs::read_to_string(&path).unwrap(), later);
    let ran = desk.grade("show zoe").exit(2);
    assert!(ran.stderr.contains("format version 2"), "{ran}");
}

/// Whatever the clock says, the last record is the one that was saved last, and no record tells the
/// time.
#[test]
fn a_clock_that_jumps_changes_no_grade() {
    let desk = two();
    let first = desk.grade("class --format json").exit(0).stdout;
    let database = desk.path("results/softmark.db");
    let connection = Connection::open(&database).unwrap();
    connection
        .execute_batch(
            "INSERT INTO runs (started_at, grader_version, seed, device, sandbox)
             VALUES ('2999-12-31T23:59:59Z', '0', '1', 'cpu', 'full'),
                    ('1970-01-01T00:00:00Z', '0', '1', 'cpu', 'full')",
        )
        .unwrap();
    drop(connection);
    assert_eq!(desk.grade("class --format json").exit(0).stdout, first);
    assert_eq!(desk.grade("class --format json --fresh").exit(0).stdout, first);
    // The time of day is only told: when a run began, in the name of its folder too, when a person
    // marked, decided, asked or logged in; and the day decides which assignments may be
    // released, and whose answers students see. All that is measured is measured by clocks that never jump.
    let mut users = Vec::new();
    for (name, text) in sources("src") {
        let code = text.split("#[cfg(test)]").next().unwrap_or_default();
        let readers = ["clock::now(", "clock::seconds(", "Moment::now(", "CLOCK_REALTIME"];
        if readers.iter().any(|it| code.contains(it)) {
            users.push(name.clone());
        }
        for jumps in ["SystemTime", "UNIX_EPOCH", ".timestamp("] {
            assert!(!code.contains(jumps), "{name}: {jumps}");
        }
    }
    let known = [
        "src/cli/commands/mark.rs",
        "src/cli/commands/release.rs",
        "src/cli/readers.rs",
        "src/cli/remote/mod.rs",
        "src/clock.rs",
        "src/course/moment.rs",
        "src/pipeline/archive.rs",
        "src/results/appeal.rs",
        "src/results/override_points.rs",
        "src/serve/access/gatekeeper.rs",
        "src/serve/audit_log.rs",
        "src/serve/grading.rs",
        "src/serve/marking/choice.rs",
        "src/serve/marking/save.rs",
        "src/serve/pages/submission/feedback.rs",
        "src/serve/similarity.rs",
    ];
    assert_eq!(users, known);
}

/// Every disk is full to a report.
#[test]
fn a_report_that_cannot_be_written_is_told() {
    let desk = two();
    let full = fs::File::options().write(true).open("/dev/full").unwrap();
    let mut command = desk.command();
    let output = command.args(["class", "--format", "json"]).stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("No space left on device"), "{told}");
    assert_eq!(desk.list("results/records"), ["amara.json", "bao.json"], "it is kept all the same");
}
