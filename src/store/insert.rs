//! Adding a record to the database.
//!
//! A record whose document and keys are those of the last record of the same files of the submission for the assignment refers to that one:
//! a class that is graded every night grows the database by what has changed.

use std::collections::BTreeMap;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use softmark_untrusted::Untrusted;

use super::keys::{CheckKeys, RecordKeys};
use super::run_id::RunId;
use crate::model::Record;

/// Record that is added to a run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Addition<'a> {
    pub(super) run: RunId,
    pub(super) keys: &'a RecordKeys,
    pub(super) record: &'a Record,
    /// Document of the record.
    pub(super) document: &'a str,
}

impl Addition<'_> {
    /// Adds the record and its checks.
    pub(super) fn insert(self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let same_as = self.find_same(transaction)?;
        self.insert_record(transaction, same_as)?;
        if same_as.is_some() { Ok(()) } else { self.insert_checks(transaction) }
    }

    /// Returns the id of the record that has the document and the checks of the last record of the same files of the submission for the
    /// assignment, if this one's are equal.
    fn find_same(self, transaction: &Transaction<'_>) -> rusqlite::Result<Option<i64>> {
        let last = "SELECT ifnull(same_as, id) FROM saved_records \
                    WHERE submission = ?1 AND assignment = ?2 AND sha256 = ?3 ORDER BY id DESC LIMIT 1";
        let Record { submission, assignment, sha256, .. } = self.record;
        let of = [submission, assignment, sha256].map(Untrusted::as_raw);
        let last: Option<i64> =
            transaction.prepare_cached(last)?.query_row(of, |row| row.get(0)).optional()?;
        let Some(last) = last else { return Ok(None) };
        let is_same: bool = transaction
            .prepare_cached("SELECT document = ?2 FROM saved_records WHERE id = ?1")?
            .query_row(params![last, self.document], |row| row.get(0))?;
        let is_same = is_same && keys_of_checks(transaction, last)? == self.keys_of_own_checks();
        Ok(is_same.then_some(last))
    }

    /// Returns the keys of the record's checks, as [`keys_of_checks`] reads them.
    fn keys_of_own_checks(self) -> BTreeMap<String, CheckKeys> {
        let checks = self.record.tasks.iter().flat_map(|task| &task.checks);
        let keyed = checks.filter_map(|check| self.keys.checks.get_key_value(check.id.as_raw()));
        keyed.map(|(id, keys)| (id.clone(), keys.clone())).collect()
    }

    fn insert_record(
        self,
        transaction: &Transaction<'_>,
        same_as: Option<i64>,
    ) -> rusqlite::Result<()> {
        // Neither milliseconds nor bytes come near the largest INTEGER.
        let millis = |time: Duration| i64::try_from(time.as_millis()).unwrap_or(i64::MAX);
        let bytes = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let record = self.record;
        transaction.execute(
            "INSERT INTO saved_records (run_id, cache_key, submission, sha256, assignment, outcome, \
             points, max_points, document, cpu_ms, wall_ms, peak_bytes, same_as) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
            params![
                self.run.number(),
                self.keys.record,
                record.submission.as_raw(),
                record.sha256.as_raw(),
                record.assignment.as_raw(),
                record.outcome.as_str(),
                record.points.hundredths(),
                record.max_points.hundredths(),
                if same_as.is_some() { "" } else { self.document },
                record.usage.map(|usage| millis(usage.cpu)),
                record.usage.map(|usage| millis(usage.wall)),
                record.usage.map(|usage| bytes(usage.peak_bytes)),
                same_as,
            ],
        )?;
        Ok(())
    }

    fn insert_checks(self, transaction: &Transaction<'_>) -> rusqlite::Result<()> {
        let record_id = transaction.last_insert_rowid();
        let mut statement = transaction.prepare_cached(
            "INSERT INTO saved_checks (record_id, position, task, id, visibility, status, points, \
             max_points, mistake, check_key, mistake_key) \
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)",
        )?;
        let tasks = self.record.tasks.iter();
        let checks = tasks.flat_map(|task| task.checks.iter().map(move |check| (task, check)));
        for (position, (task, check)) in (0_i64..).zip(checks) {
            let keys = self.keys.checks.get(check.id.as_raw());
            statement.execute(params![
                record_id,
                position,
                task.id.as_raw(),
                check.id.as_raw(),
                check.visibility.as_str(),
                check.status.as_str(),
                check.points.hundredths(),
                check.max_points.hundredths(),
                check.mistake.as_ref().map(Untrusted::as_raw),
                keys.map(|keys| &keys.check),
                keys.and_then(|keys| keys.mistake.as_ref()),
            ])?;
        }
        Ok(())
    }
}

/// Returns the keys of the checks of a record, by their ids.
pub(super) fn keys_of_checks(
    connection: &Connection,
    record: i64,
) -> rusqlite::Result<BTreeMap<String, CheckKeys>> {
    let sql = "SELECT id, check_key, mistake_key FROM checks \
               WHERE record_id = ?1 AND check_key IS NOT NULL";
    connection.prepare_cached(sql)?.query_map([record], keys)?.collect()
}

fn keys(row: &Row<'_>) -> rusqlite::Result<(String, CheckKeys)> {
    Ok((row.get(0)?, CheckKeys { check: row.get(1)?, mistake: row.get(2)? }))
}
