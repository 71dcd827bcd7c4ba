//! Records by their numbers, and the gradings after a record.

use rusqlite::OptionalExtension as _;

use super::database::Store;
use super::document;
use super::error::StoreError;
use super::history::Grading;
use super::run_id::RunId;
use crate::model::{Grader, Record};

/// Record of a run.
#[derive(Debug, Clone, PartialEq)]
pub struct SavedRecord {
    /// Run that graded it.
    pub run: RunId,
    /// Grader of the run.
    pub grader: Grader,
    /// Record, as the grader decided.
    pub record: Record,
}

impl Store {
    /// Returns the number of the newest record; 0 if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn newest_record(&self) -> Result<i64, StoreError> {
        let newest = self.rows("SELECT ifnull(max(id), 0) FROM records", [], |row| row.get(0))?;
        Ok(newest.first().copied().unwrap_or(0))
    }

    /// Returns the gradings with larger numbers than this one, the oldest first.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn gradings_since(&self, record: i64) -> Result<Vec<Grading>, StoreError> {
        self.gradings("id > ?1", [record])
    }

    /// Returns the number of records of runs after this one.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn records_after_run(&self, run: i64) -> Result<i64, StoreError> {
        let sql = "SELECT count(*) FROM records WHERE run_id > ?1";
        Ok(self.rows(sql, [run], |row| row.get(0))?.first().copied().unwrap_or(0))
    }

    /// Returns the latest record of a submission for an assignment; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the database, or that record in it, cannot be read.
    pub fn latest_for(
        &self,
        submission: &str,
        assignment: &str,
    ) -> Result<Option<SavedRecord>, StoreError> {
        let sql = "SELECT max(id) FROM records WHERE submission = ?1 AND assignment = ?2";
        let newest: Vec<Option<i64>> =
            self.rows(sql, [submission, assignment], |row| row.get(0))?;
        newest.into_iter().flatten().next().map_or(Ok(None), |id| self.record(id))
    }

    /// Returns the record with this number; `None` if there is none.
    ///
    /// # Errors
    ///
    /// Fails if the database, or that record in it, cannot be read.
    pub fn record(&self, id: i64) -> Result<Option<SavedRecord>, StoreError> {
        let sql = "SELECT run_id, submission, document FROM records WHERE id = ?1";
        let found: Option<(i64, String, String)> = self
            .connection
            .prepare_cached(sql)
            .and_then(|mut it| {
                it.query_row([id], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?))).optional()
            })
            .map_err(|source| StoreError::of(&self.path, source))?;
        let Some((run, submission, text)) = found else { return Ok(None) };
        let (grader, record) = document::read_record(&text)
            .map_err(|source| StoreError::Record { submission: submission.into(), source })?;
        Ok(Some(SavedRecord { run: RunId::from_number(run), grader, record }))
    }
}
