//! Keys of results: what a record, and each check in it, was graded with.

use std::collections::BTreeMap;

use rusqlite::Row;
use serde::{Deserialize, Serialize};

use super::database::Store;
use super::document;
use super::error::StoreError;
use crate::model::Record;

/// Most records of the same files that are searched for results to reuse: those of the last runs.
const MOST_RECORDS: u32 = 8;

/// Keys of a check's result. They are hashes of all that decides it but the submission's files.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckKeys {
    /// Key of the result.
    pub check: String,
    /// Key of the mistake that is named; `None` if none was looked for.
    pub mistake: Option<String>,
}

/// Keys of a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RecordKeys {
    /// Hash of everything that determines the record; empty if it is not reused.
    pub record: String,
    /// Keys of the checks, by their ids; none if their results are reused all together or not at all.
    pub checks: BTreeMap<String, CheckKeys>,
}

impl RecordKeys {
    /// Returns the keys of a record that is reused as a whole.
    pub fn whole(record: &str) -> Self {
        Self { record: record.to_owned(), checks: BTreeMap::new() }
    }
}

/// Record with the keys of its checks.
#[derive(Debug, Clone, PartialEq)]
pub struct KeyedRecord {
    /// The record.
    pub record: Record,
    /// Keys of its checks, by their ids.
    pub checks: BTreeMap<String, CheckKeys>,
}

impl Store {
    /// Returns the last records of these files whose checks have keys, the newest first. Records that cannot be read are
    /// left out.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn keyed(&self, sha256: &str, assignment: &str) -> Result<Vec<KeyedRecord>, StoreError> {
        let sql = "SELECT id, document FROM records WHERE sha256 = ?1 AND assignment = ?2 \
                   AND outcome = 'graded' AND EXISTS (SELECT 1 FROM checks \
                   WHERE record_id = records.id AND check_key IS NOT NULL) ORDER BY id DESC LIMIT ?3";
        let values = (sha256, assignment, MOST_RECORDS);
        let found: Vec<(i64, String)> =
            self.rows(sql, values, |row| Ok((row.get(0)?, row.get(1)?)))?;
        let mut records = Vec::new();
        for (id, text) in found {
            if let Ok((_, record)) = document::read_record(&text) {
                records.push(KeyedRecord { record, checks: self.keys_of_checks(id)? });
            }
        }
        Ok(records)
    }

    /// Returns the keys of the checks of a record, by their ids.
    pub(super) fn keys_of_checks(
        &self,
        record: i64,
    ) -> Result<BTreeMap<String, CheckKeys>, StoreError> {
        let sql = "SELECT id, check_key, mistake_key FROM checks \
                   WHERE record_id = ?1 AND check_key IS NOT NULL";
        Ok(self.rows(sql, [record], keys)?.into_iter().collect())
    }
}

fn keys(row: &Row<'_>) -> rusqlite::Result<(String, CheckKeys)> {
    Ok((row.get(0)?, CheckKeys { check: row.get(1)?, mistake: row.get(2)? }))
}
