//! The database: runs, records and checks, in SQLite.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

use rusqlite::{Connection, OptionalExtension, Row, Transaction, TransactionBehavior, params};
use softmark_untrusted::Untrusted;

use crate::model::{Grader, Record};

use super::document;
use super::error::StoreError;
use super::insert::{self, Addition};
use super::keys::{CheckKeys, KeyedRecord, RecordKeys};
use super::run_id::RunId;

/// Database of all grades, in one file that several graders may use at once.
///
/// ```
/// # fn main() -> Result<(), softmark::store::StoreError> {
/// # let folder = tempfile::tempdir().unwrap();
/// # let path = folder.path().join("softmark.db");
/// let store = softmark::store::Store::open(&path)?;
/// assert!(store.latest("amara")?.is_none());
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Store {
    pub(super) connection: Connection,
    pub(super) path: PathBuf,
}

impl Store {
    /// Adds a run that began at `started_at`, in RFC 3339.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn begin_run(&mut self, grader: &Grader, started_at: &str) -> Result<RunId, StoreError> {
        self.begin((grader, started_at), false)
    }

    /// Adds a run for earlier versions of the submissions of a run that is begun after it. [`runs`](Self::runs) does not list it, and its
    /// records are only those of [`for_each_attempt`](Self::for_each_attempt), and of results that are reused.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn begin_run_of_earlier(
        &mut self,
        grader: &Grader,
        started_at: &str,
    ) -> Result<RunId, StoreError> {
        self.begin((grader, started_at), true)
    }

    fn begin(
        &mut self,
        (grader, started_at): (&Grader, &str),
        is_of_earlier: bool,
    ) -> Result<RunId, StoreError> {
        self.connection
            .execute(
                "INSERT INTO runs (started_at, grader_version, seed, device, sandbox, is_of_earlier) \
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6)",
                params![
                    started_at,
                    grader.version.as_raw(),
                    grader.seed.map(|seed| seed.to_string()).unwrap_or_default(),
                    grader.device.as_raw(),
                    grader.sandbox.as_raw(),
                    is_of_earlier
                ],
            )
            .map_err(|source| self.failed(source))?;
        Ok(RunId::from_number(self.connection.last_insert_rowid()))
    }

    /// Adds a record to a run in one transaction.
    ///
    /// `keys` are hashes of what determines the record, and the results of its checks.
    ///
    /// # Errors
    ///
    /// Fails if the run already has a record of that submission, there is no such run, or the database
    /// cannot be written.
    pub fn save(
        &mut self,
        run: RunId,
        keys: &RecordKeys,
        record: &Record,
    ) -> Result<(), StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::of(&path, source);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let grader = grader_of(&transaction, run).map_err(failed)?;
        let text = document::write_record(&grader, record).map_err(|source| {
            StoreError::Document { submission: record.submission.clone(), source }
        })?;
        Addition { run, keys, record, document: &text }.insert(&transaction).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    /// Returns the record that was last saved under `key`, except "no grade": the grader tries again after
    /// a failure of its own.
    ///
    /// The record has the name that it was saved with; if two submissions are equal byte for byte, that may
    /// be the other's. Its usage is `None`. A record that cannot be read is treated as missing.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn cached(&self, key: &str) -> Result<Option<KeyedRecord>, StoreError> {
        let found: Option<(i64, String)> = self
            .connection
            .prepare_cached(
                "SELECT id, document FROM all_records WHERE cache_key = ?1 AND outcome <> 'no_grade' \
                 ORDER BY id DESC LIMIT 1",
            )
            .and_then(|mut statement| {
                statement.query_row([key], |row| Ok((row.get(0)?, row.get(1)?))).optional()
            })
            .map_err(|source| self.failed(source))?;
        let Some((id, text)) = found else { return Ok(None) };
        let Ok((_, record)) = document::read_record(&text) else { return Ok(None) };
        Ok(Some(KeyedRecord { record, checks: self.keys_of_checks(id)? }))
    }

    /// Returns the processor time that grading took when it was last measured, by submission.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn costs(&self) -> Result<BTreeMap<Untrusted, Duration>, StoreError> {
        let failed = |source| self.failed(source);
        let sql = "SELECT submission, cpu_ms FROM records WHERE cpu_ms IS NOT NULL ORDER BY id";
        let mut statement = self.connection.prepare(sql).map_err(failed)?;
        let millis = |row: &Row<'_>| Ok((row.get::<_, String>(0)?, row.get::<_, i64>(1)?));
        let rows = statement.query_map([], millis).map_err(failed)?;
        let mut costs = BTreeMap::new();
        for row in rows {
            let (submission, millis) = row.map_err(failed)?;
            costs.insert(
                submission.into(),
                Duration::from_millis(u64::try_from(millis).unwrap_or(0)),
            );
        }
        Ok(costs)
    }

    /// Returns the latest record of a submission.
    ///
    /// # Errors
    ///
    /// Fails if the database, or that record in it, cannot be read.
    pub fn latest(&self, submission: &str) -> Result<Option<Record>, StoreError> {
        let text: Option<String> = self
            .connection
            .query_row(
                "SELECT document FROM records WHERE submission = ?1 ORDER BY id DESC LIMIT 1",
                [submission],
                |row| row.get(0),
            )
            .optional()
            .map_err(|source| self.failed(source))?;
        text.map(|text| document::read_record(&text).map(|(_, record)| record))
            .transpose()
            .map_err(|source| StoreError::Record { submission: submission.into(), source })
    }

    /// Returns the keys of the checks of a record, by their ids.
    pub(super) fn keys_of_checks(
        &self,
        record: i64,
    ) -> Result<BTreeMap<String, CheckKeys>, StoreError> {
        insert::keys_of_checks(&self.connection, record).map_err(|source| self.failed(source))
    }

    /// Returns a number that changes whenever another connection changes the database.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn change_counter(&self) -> Result<i64, StoreError> {
        let read = self.connection.query_row("PRAGMA data_version", [], |row| row.get(0));
        read.map_err(|source| self.failed(source))
    }

    fn failed(&self, source: rusqlite::Error) -> StoreError {
        StoreError::of(&self.path, source)
    }
}

fn grader_of(transaction: &Transaction<'_>, run: RunId) -> rusqlite::Result<Grader> {
    transaction.query_row(
        "SELECT grader_version, seed, device, sandbox FROM runs WHERE id = ?1",
        [run.number()],
        grader,
    )
}

pub(super) fn grader(row: &Row<'_>) -> rusqlite::Result<Grader> {
    let text = |column| row.get::<_, String>(column);
    Ok(Grader {
        version: text(0)?.into(),
        seed: text(1)?.parse().ok(),
        device: text(2)?.into(),
        sandbox: text(3)?.into(),
    })
}
