//! Questions about the runs and gradings that the database has kept.

use rusqlite::{Params, Row};
use softmark_untrusted::Untrusted;

use super::database::{Store, grader};
use super::decisions::text;
use super::error::StoreError;
use super::run_id::RunId;
use crate::model::{Grader, Points, RecordOutcome, Status};

/// Run in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedRun {
    /// Number of the run.
    pub id: RunId,
    /// Time at which it began, in RFC 3339.
    pub started_at: Untrusted,
    /// Grader and its settings.
    pub grader: Grader,
    /// Number of submissions that it graded.
    pub submissions: usize,
}

/// Grading of one submission in one run, as the grader decided: overrides are not part of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Grading {
    /// Id of the record; a later record has a larger id.
    pub id: i64,
    /// Run that graded it.
    pub run: RunId,
    /// Cache key of the record: a hash of the files, the assignment and the grader. Empty for what was not accepted as a
    /// submission, and where the grader failed.
    pub key: String,
    /// Submission id.
    pub submission: Untrusted,
    /// SHA-256 of the submission's files.
    pub sha256: Untrusted,
    /// Assignment id; empty if it is not known.
    pub assignment: Untrusted,
    /// Outcome of grading.
    pub outcome: RecordOutcome,
    /// Points earned.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Checks in the order of the assignment.
    pub checks: Vec<GradedCheck>,
}

/// Result of one check in a [`Grading`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GradedCheck {
    /// Task id.
    pub task: Untrusted,
    /// Check id: `task/check`.
    pub id: Untrusted,
    /// Result.
    pub status: Status,
    /// Points earned.
    pub points: Points,
    /// Points available.
    pub max_points: Points,
    /// Id of the mistake that was recognized.
    pub mistake: Option<Untrusted>,
    /// Hash of what decided the result, apart from the submission's files; `None` if it is not known.
    pub key: Option<String>,
}

/// Cache key of a grading, and what tells which gradings share what they were graded with.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SavedKey {
    /// Run that graded it.
    pub run: RunId,
    /// Assignment id.
    pub assignment: Untrusted,
    /// SHA-256 of the submission's files.
    pub sha256: Untrusted,
    /// Cache key.
    pub key: String,
}

impl Store {
    /// Returns all runs, the oldest first, except those of earlier versions.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn runs(&self) -> Result<Vec<SavedRun>, StoreError> {
        self.rows(
            "SELECT grader_version, seed, device, sandbox, id, started_at, \
             (SELECT count(*) FROM records WHERE run_id = runs.id) FROM runs \
             WHERE is_of_earlier = 0 ORDER BY id",
            [],
            saved_run,
        )
    }

    /// Returns all gradings of a submission, the oldest first.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn gradings_of(&self, submission: &str) -> Result<Vec<Grading>, StoreError> {
        self.gradings("submission = ?1", [submission])
    }

    /// Returns all gradings of submissions to an assignment, the oldest first, also those that were rejected before their
    /// assignment was known.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn gradings_for(&self, assignment: &str) -> Result<Vec<Grading>, StoreError> {
        self.gradings(
            "assignment = ?1 OR (assignment = '' AND submission IN \
             (SELECT submission FROM records WHERE assignment = ?1))",
            [assignment],
        )
    }

    /// Returns the results as they were after a run: for each submission and assignment the last grading in that run or an
    /// earlier one.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn results_after(&self, run: RunId) -> Result<Vec<Grading>, StoreError> {
        self.gradings(
            "id IN (SELECT max(id) FROM records WHERE run_id <= ?1 GROUP BY submission, assignment)",
            [run.number()],
        )
    }

    /// Returns the ids of all assignments, in their order.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn assignments(&self) -> Result<Vec<Untrusted>, StoreError> {
        let sql =
            "SELECT DISTINCT assignment FROM records WHERE assignment <> '' ORDER BY assignment";
        self.rows(sql, [], |row| text(row, 0))
    }

    /// Returns the names of all submissions, in their order.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn submissions(&self) -> Result<Vec<Untrusted>, StoreError> {
        self.rows("SELECT DISTINCT submission FROM records ORDER BY submission", [], |row| {
            text(row, 0)
        })
    }

    /// Returns the cache keys of all gradings that have one.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn keys(&self) -> Result<Vec<SavedKey>, StoreError> {
        self.rows(
            "SELECT DISTINCT run_id, assignment, sha256, cache_key FROM records \
             WHERE cache_key <> '' ORDER BY run_id, assignment, sha256",
            [],
            saved_key,
        )
    }

    pub(super) fn gradings(
        &self,
        condition: &str,
        values: impl Params,
    ) -> Result<Vec<Grading>, StoreError> {
        let sql = format!(
            "SELECT id, run_id, cache_key, submission, sha256, assignment, outcome, points, \
             max_points FROM records WHERE {condition} ORDER BY id"
        );
        let mut gradings = self.rows(&sql, values, grading)?;
        for grading in &mut gradings {
            grading.checks = self.rows(
                "SELECT task, id, status, points, max_points, mistake, check_key FROM checks \
                 WHERE record_id = ?1 ORDER BY position",
                [grading.id],
                graded_check,
            )?;
        }
        Ok(gradings)
    }

    /// Returns what `read` makes of each row.
    pub(super) fn rows<T>(
        &self,
        sql: &str,
        values: impl Params,
        read: impl FnMut(&Row<'_>) -> rusqlite::Result<T>,
    ) -> Result<Vec<T>, StoreError> {
        let failed = |source| StoreError::of(&self.path, source);
        let mut statement = self.connection.prepare_cached(sql).map_err(failed)?;
        let rows = statement.query_map(values, read).map_err(failed)?;
        rows.collect::<rusqlite::Result<Vec<T>>>().map_err(failed)
    }
}

fn saved_run(row: &Row<'_>) -> rusqlite::Result<SavedRun> {
    Ok(SavedRun {
        grader: grader(row)?,
        id: RunId::from_number(row.get(4)?),
        started_at: text(row, 5)?,
        submissions: usize::try_from(row.get::<_, i64>(6)?).unwrap_or(0),
    })
}

fn saved_key(row: &Row<'_>) -> rusqlite::Result<SavedKey> {
    Ok(SavedKey {
        run: RunId::from_number(row.get(0)?),
        assignment: text(row, 1)?,
        sha256: text(row, 2)?,
        key: row.get(3)?,
    })
}

fn grading(row: &Row<'_>) -> rusqlite::Result<Grading> {
    let outcome: String = row.get(6)?;
    Ok(Grading {
        id: row.get(0)?,
        run: RunId::from_number(row.get(1)?),
        key: row.get(2)?,
        submission: text(row, 3)?,
        sha256: text(row, 4)?,
        assignment: text(row, 5)?,
        // The schema allows no other name.
        outcome: RecordOutcome::from_name(&outcome).unwrap_or(RecordOutcome::NoGrade),
        points: Points::from_hundredths(row.get(7)?),
        max_points: Points::from_hundredths(row.get(8)?),
        checks: Vec::new(),
    })
}

fn graded_check(row: &Row<'_>) -> rusqlite::Result<GradedCheck> {
    let status: String = row.get(2)?;
    Ok(GradedCheck {
        task: text(row, 0)?,
        id: text(row, 1)?,
        // Only the grader writes rows, and it knows no other name.
        status: Status::from_name(&status).unwrap_or(Status::Blocked),
        points: Points::from_hundredths(row.get(3)?),
        max_points: Points::from_hundredths(row.get(4)?),
        mistake: row.get::<_, Option<String>>(5)?.map(Untrusted::from),
        key: row.get(6)?,
    })
}
