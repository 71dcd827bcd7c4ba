//! A folder of results, read as strictly as can be.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use rusqlite::{Connection, OpenFlags};
use softmark::store::document;

/// What a folder of results holds, without what differs from run to run.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Results {
    /// `records/`: name → text.
    pub(crate) records: BTreeMap<String, String>,
    pub(crate) gradebook: String,
    /// The database: submission → the document that was saved last, and the rows of its checks.
    pub(crate) saved: BTreeMap<String, (String, Vec<String>)>,
}

/// Everything in the results at `out`; panics over whatever is not whole.
#[track_caller]
pub(crate) fn results(out: &Path) -> Results {
    whole(out);
    let mut records = BTreeMap::new();
    for entry in fs::read_dir(out.join("records")).unwrap() {
        let entry = entry.unwrap();
        let name = entry.file_name().into_string().unwrap();
        records.insert(name, fs::read_to_string(entry.path()).unwrap());
    }
    let gradebook = fs::read_to_string(out.join("gradebook.csv")).unwrap();
    Results { records, gradebook, saved: saved(out) }
}

/// Sees to it that nothing at `out` is half written, as far as there is anything.
#[track_caller]
pub(crate) fn whole(out: &Path) {
    for entry in fs::read_dir(out.join("records")).into_iter().flatten() {
        let path = entry.unwrap().path();
        // What is being written has another ending, and nobody reads it.
        if path.extension().is_some_and(|extension| extension == "json") {
            let text = fs::read_to_string(&path).unwrap();
            let read = document::read_record(&text);
            assert!(read.is_ok(), "{} is no whole record: {read:?}", path.display());
        }
    }
    if let Ok(book) = fs::read_to_string(out.join("gradebook.csv")) {
        assert!(book.ends_with('\n'), "the gradebook breaks off: {book}");
    }
    let saved = saved(out);
    for (submission, (document, checks)) in &saved {
        let (_, record) = document::read_record(document).unwrap();
        assert_eq!(&record.submission, submission);
        let counted: usize = record.tasks.iter().map(|task| task.checks.len()).sum();
        assert_eq!(checks.len(), counted, "rows of the checks of {submission}");
    }
}

/// How many records the database has of all runs.
pub(crate) fn rows(out: &Path) -> usize {
    let connection = open(out).unwrap();
    let count: u32 =
        connection.query_row("SELECT count(*) FROM records", [], |row| row.get(0)).unwrap();
    count as usize
}

fn open(out: &Path) -> Option<Connection> {
    let path = out.join("softmark.db");
    path.exists().then(|| {
        // To read what a writer has left in its log, SQLite has to be able to write.
        Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_WRITE).unwrap()
    })
}

fn saved(out: &Path) -> BTreeMap<String, (String, Vec<String>)> {
    let Some(connection) = open(out) else {
        return BTreeMap::new();
    };
    let word: String =
        connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(word, "ok", "the database is damaged");
    let tables: u32 = connection
        .query_row("SELECT count(*) FROM sqlite_schema WHERE name = 'records'", [], |row| {
            row.get(0)
        })
        .unwrap();
    if tables == 0 {
        return BTreeMap::new();
    }
    let mut latest =
        connection.prepare("SELECT id, submission, document FROM records ORDER BY id").unwrap();
    let mut checks = connection
        .prepare(
            "SELECT id || ' ' || status || ' ' || points || ' ' || ifnull(mistake, '') \
             FROM checks WHERE record_id = ?1 ORDER BY position",
        )
        .unwrap();
    let rows = latest.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).unwrap();
    let mut saved = BTreeMap::new();
    for row in rows {
        let (id, submission, document): (i64, String, String) = row.unwrap();
        let of_record = checks.query_map([id], |row| row.get(0)).unwrap();
        let of_record: Vec<String> = of_record.map(Result::unwrap).collect();
        saved.insert(submission, (document, of_record));
    }
    saved
}

/// Seconds of processor time that the record cost which a submission got last; `None` if none is known.
pub(crate) fn cpu_seconds(out: &Path, submission: &str) -> Option<u64> {
    let query = "SELECT cpu_ms FROM records WHERE submission = ?1 ORDER BY id DESC LIMIT 1";
    let millis: Option<i64> = open(out)?.query_row(query, [submission], |row| row.get(0)).unwrap();
    millis.map(|millis| u64::try_from(millis).unwrap().div_ceil(1000))
}
