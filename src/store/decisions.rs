//! Decisions of people in the database: overrides of points, and appeals.

use rusqlite::{Row, ToSql, TransactionBehavior, params};
use softmark_untrusted::Untrusted;

use super::database::Store;
use super::error::StoreError;
use crate::model::Points;

/// Override of the points of one check of one submission, or its withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Override {
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Check id: `task/check`.
    pub check: Untrusted,
    /// Points; `None` withdraws the override that was given before.
    pub points: Option<Points>,
    /// Reason for the decision.
    pub reason: Untrusted,
    /// Name of the person who decided.
    pub by: Untrusted,
    /// Time of the decision, in RFC 3339.
    pub given_at: Untrusted,
    /// SHA-256 of the submission's files at that time.
    pub sha256: Untrusted,
}

/// Step of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Step {
    /// The student asks.
    Open,
    /// A person answers; there may be several answers.
    Answer,
    /// The appeal is over.
    Close,
}

impl Step {
    /// Every step, in the usual order.
    pub const ALL: [Self; 3] = [Self::Open, Self::Answer, Self::Close];

    /// Returns the name in the database and in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Answer => "answer",
            Self::Close => "close",
        }
    }
}

/// One step of an appeal against a grade.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appeal {
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Check id; empty if the appeal is about the whole grade.
    pub check: Untrusted,
    /// Step of the appeal.
    pub step: Step,
    /// Question or answer.
    pub text: Untrusted,
    /// Name of the author.
    pub by: Untrusted,
    /// Time of the step, in RFC 3339.
    pub given_at: Untrusted,
}

/// Decision, and its place among the records of the ledger. Unlike times, which have seconds only and depend on the
/// clock of a machine, the place gives the order of events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Placed<T> {
    /// Id of the newest record of the ledger when the decision was made; 0 if there was none.
    pub after_record: i64,
    /// Decision.
    pub decision: T,
}

/// Query for the id of the newest record.
pub(super) const NEWEST_RECORD: &str = "(SELECT ifnull(max(id), 0) FROM records)";

impl Store {
    /// Adds an override, or a withdrawal of one.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn add_override(&mut self, given: &Override) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO overrides (after_record, given_at, given_by, submission, assignment, \
             check_id, points, reason, sha256) \
             VALUES ({NEWEST_RECORD}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)"
        );
        let points = given.points.map(Points::hundredths);
        self.append(
            &sql,
            params![
                given.given_at.as_raw(),
                given.by.as_raw(),
                given.submission.as_raw(),
                given.assignment.as_raw(),
                given.check.as_raw(),
                points,
                given.reason.as_raw(),
                given.sha256.as_raw(),
            ],
        )
    }

    /// Adds a step of an appeal.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be written.
    pub fn add_appeal(&mut self, step: &Appeal) -> Result<(), StoreError> {
        let sql = format!(
            "INSERT INTO appeals (after_record, given_at, given_by, submission, assignment, \
             check_id, step, text) VALUES ({NEWEST_RECORD}, ?1, ?2, ?3, ?4, ?5, ?6, ?7)"
        );
        self.append(
            &sql,
            params![
                step.given_at.as_raw(),
                step.by.as_raw(),
                step.submission.as_raw(),
                step.assignment.as_raw(),
                step.check.as_raw(),
                step.step.as_str(),
                step.text.as_raw(),
            ],
        )
    }

    fn append(&mut self, sql: &str, values: &[&dyn ToSql]) -> Result<(), StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::of(&path, source);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        transaction.execute(sql, values).map_err(failed)?;
        transaction.commit().map_err(failed)
    }

    /// Returns all overrides and withdrawals in the order in which they were given.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn overrides(&self) -> Result<Vec<Placed<Override>>, StoreError> {
        self.rows(
            "SELECT after_record, given_at, given_by, submission, assignment, check_id, reason, \
             points, sha256 FROM overrides ORDER BY id",
            [],
            override_of,
        )
    }

    /// Returns the steps of all appeals in the order in which they were made.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn appeals(&self) -> Result<Vec<Placed<Appeal>>, StoreError> {
        self.rows(
            "SELECT after_record, given_at, given_by, submission, assignment, check_id, text, step \
             FROM appeals ORDER BY id",
            [],
            appeal_of,
        )
    }
}

fn override_of(row: &Row<'_>) -> rusqlite::Result<Placed<Override>> {
    let decision = Override {
        given_at: text(row, 1)?,
        by: text(row, 2)?,
        submission: text(row, 3)?,
        assignment: text(row, 4)?,
        check: text(row, 5)?,
        reason: text(row, 6)?,
        points: row.get::<_, Option<u32>>(7)?.map(Points::from_hundredths),
        sha256: text(row, 8)?,
    };
    Ok(Placed { after_record: row.get(0)?, decision })
}

fn appeal_of(row: &Row<'_>) -> rusqlite::Result<Placed<Appeal>> {
    let name: String = row.get(7)?;
    let decision = Appeal {
        given_at: text(row, 1)?,
        by: text(row, 2)?,
        submission: text(row, 3)?,
        assignment: text(row, 4)?,
        check: text(row, 5)?,
        text: text(row, 6)?,
        // The schema allows no other name.
        step: Step::ALL.into_iter().find(|step| step.as_str() == name).unwrap_or(Step::Open),
    };
    Ok(Placed { after_record: row.get(0)?, decision })
}

/// Returns the text in a column.
pub(super) fn text(row: &Row<'_>, column: usize) -> rusqlite::Result<Untrusted> {
    row.get::<_, String>(column).map(Untrusted::from)
}
