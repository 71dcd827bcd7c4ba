//! Marks that people give for written answers, in the database.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::{OptionalExtension as _, Params, Row, Transaction, TransactionBehavior, params};
use softmark_untrusted::Untrusted;

use super::database::Store;
use super::decisions::{NEWEST_RECORD, text};
use super::error::StoreError;
use super::marking_refusal::{MarkingRefusal, refusal};
use super::marking_rows::{
    AnswerId, GivenMark, MarkerRole, MarkingId, MarkingStep, NewMarking, SavedMarking,
};
use super::rubrics::ItemId;
use crate::model::Delta;

/// Result of adding markings.
#[derive(Debug, Clone, PartialEq, Eq)]
#[must_use]
pub enum MarkingOutcome {
    /// All are in the database, with these ids.
    Saved(Vec<MarkingId>),
    /// One of them is refused; none was saved.
    Refused(MarkingRefusal),
}

impl MarkingOutcome {
    /// Returns the ids.
    ///
    /// # Errors
    ///
    /// Fails if a marking was refused.
    pub fn into_ids(self) -> Result<Vec<MarkingId>, MarkingRefusal> {
        match self {
            Self::Saved(ids) => Ok(ids),
            Self::Refused(refusal) => Err(refusal),
        }
    }
}

impl Store {
    /// Adds markings in one transaction, and returns their ids. All are added, also those that did not see the newest marking
    /// of their answer: [`crate::marking`] decides which counts. A marking that repeats its marker's newest one, because the
    /// answer to the request was lost, is not added again, and no marking is withdrawn twice. If one is refused, none is added.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read or written; then none is added.
    pub fn add_markings(&mut self, new: &[NewMarking]) -> Result<MarkingOutcome, StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::of(&path, source);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let outcome = add(&transaction, new).map_err(failed)?;
        if matches!(outcome, MarkingOutcome::Saved(_)) {
            transaction.commit().map_err(failed)?;
        }
        Ok(outcome)
    }

    /// Returns all markings in the order in which they were saved.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn markings(&self) -> Result<Vec<SavedMarking>, StoreError> {
        self.markings_where("TRUE", [])
    }

    /// Returns the markings of the answers of a submission in the order in which they were saved.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn markings_of(&self, submission: &Untrusted) -> Result<Vec<SavedMarking>, StoreError> {
        self.markings_where("submission = ?1", [submission.as_raw()])
    }

    /// Returns the markings that were saved after this one.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn markings_after(&self, id: MarkingId) -> Result<Vec<SavedMarking>, StoreError> {
        self.markings_where("markings.id > ?1", [id.number()])
    }

    fn markings_where(
        &self,
        condition: &str,
        values: impl Params + Clone,
    ) -> Result<Vec<SavedMarking>, StoreError> {
        let sql = format!("{SELECT} WHERE {condition} ORDER BY id");
        let mut markings = self.rows(&sql, values.clone(), saved)?;
        let sql = format!(
            "SELECT marking_id, item FROM marking_items \
             JOIN markings ON markings.id = marking_id WHERE {condition}"
        );
        let mut items: BTreeMap<MarkingId, BTreeSet<ItemId>> = BTreeMap::new();
        let pair = |row: &Row<'_>| Ok((MarkingId::from_number(row.get(0)?), item(row, 1)?));
        for (marking, item) in self.rows(&sql, values, pair)? {
            items.entry(marking).or_default().insert(item);
        }
        for marking in &mut markings {
            if let MarkingStep::Mark(given) = &mut marking.step {
                given.items = items.remove(&marking.id).unwrap_or_default();
            }
        }
        Ok(markings)
    }
}

const SELECT: &str = "SELECT id, after_record, given_at, given_by, assignment, submission, \
                      question, role, seen, withdraws, free_points, comment, answer_digest \
                      FROM markings";

/// Adds the markings that are not there already, up to the first one that is refused.
fn add(transaction: &Transaction<'_>, new: &[NewMarking]) -> rusqlite::Result<MarkingOutcome> {
    let mut ids = Vec::new();
    for marking in new {
        let known = repeated(transaction, marking)?.or(withdrawn(transaction, marking)?);
        if let Some(known) = known {
            ids.push(known);
        } else if let Some(refusal) = refusal(transaction, marking)? {
            return Ok(MarkingOutcome::Refused(refusal));
        } else {
            ids.push(insert(transaction, marking)?);
        }
    }
    Ok(MarkingOutcome::Saved(ids))
}

/// Returns the withdrawal of the marking that is to be withdrawn, if there is one.
fn withdrawn(
    transaction: &Transaction<'_>,
    new: &NewMarking,
) -> rusqlite::Result<Option<MarkingId>> {
    let MarkingStep::Withdrawal(of) = &new.step else { return Ok(None) };
    let sql = "SELECT id FROM markings WHERE submission = ?1 AND withdraws = ?2";
    let mut statement = transaction.prepare_cached(sql)?;
    let values = params![new.answer.submission.as_raw(), of.number()];
    statement.query_row(values, |row| row.get(0).map(MarkingId::from_number)).optional()
}

/// Inserts a marking.
fn insert(transaction: &Transaction<'_>, new: &NewMarking) -> rusqlite::Result<MarkingId> {
    let none = GivenMark::default();
    let (given, withdraws) = match &new.step {
        MarkingStep::Mark(given) => (given, None),
        MarkingStep::Withdrawal(of) => (&none, Some(of.number())),
    };
    transaction.execute(
        &format!(
            "INSERT INTO markings (after_record, given_at, given_by, assignment, submission, \
             question, role, seen, withdraws, free_points, comment, answer_digest) \
             VALUES ({NEWEST_RECORD}, ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)"
        ),
        params![
            new.given_at.as_raw(),
            new.by.as_raw(),
            new.answer.assignment.as_raw(),
            new.answer.submission.as_raw(),
            new.answer.question.as_raw(),
            new.role.as_str(),
            new.seen.number(),
            withdraws,
            given.free.hundredths(),
            given.comment.as_raw(),
            given.answer_digest,
        ],
    )?;
    let id = transaction.last_insert_rowid();
    let mut statement = transaction
        .prepare_cached("INSERT INTO marking_items (marking_id, item) VALUES (?1, ?2)")?;
    for item in &given.items {
        statement.execute(params![id, item.number()])?;
    }
    Ok(MarkingId::from_number(id))
}

/// Returns the marker's newest marking of the answer in this role if it is the same, given by a marker who saw the same.
fn repeated(
    transaction: &Transaction<'_>,
    new: &NewMarking,
) -> rusqlite::Result<Option<MarkingId>> {
    let AnswerId { assignment, question, submission } = &new.answer;
    let sql = format!(
        "{SELECT} WHERE submission = ?1 AND assignment = ?2 AND question = ?3 AND role = ?4 \
         AND given_by = ?5 ORDER BY id DESC LIMIT 1"
    );
    let mut statement = transaction.prepare_cached(&sql)?;
    let values = params![
        submission.as_raw(),
        assignment.as_raw(),
        question.as_raw(),
        new.role.as_str(),
        new.by.as_raw()
    ];
    let Some(mut newest) = statement.query_row(values, saved).optional()? else { return Ok(None) };
    if let MarkingStep::Mark(given) = &mut newest.step {
        given.items = items_of(transaction, newest.id)?;
    }
    let is_same = newest.seen == new.seen && newest.step == new.step;
    Ok(is_same.then_some(newest.id))
}

fn items_of(transaction: &Transaction<'_>, id: MarkingId) -> rusqlite::Result<BTreeSet<ItemId>> {
    let sql = "SELECT item FROM marking_items WHERE marking_id = ?1";
    transaction.prepare_cached(sql)?.query_map([id.number()], |row| item(row, 0))?.collect()
}

fn item(row: &Row<'_>, column: usize) -> rusqlite::Result<ItemId> {
    row.get(column).map(ItemId::from_number)
}

/// Returns the marking in a row, without the items that were chosen.
fn saved(row: &Row<'_>) -> rusqlite::Result<SavedMarking> {
    let role: String = row.get(7)?;
    let step = match row.get(9)? {
        Some(withdraws) => MarkingStep::Withdrawal(MarkingId::from_number(withdraws)),
        None => MarkingStep::Mark(GivenMark {
            items: BTreeSet::new(),
            free: Delta::from_hundredths(row.get(10)?),
            comment: text(row, 11)?,
            answer_digest: row.get(12)?,
        }),
    };
    Ok(SavedMarking {
        id: MarkingId::from_number(row.get(0)?),
        after_record: row.get(1)?,
        given_at: text(row, 2)?,
        by: text(row, 3)?,
        answer: AnswerId {
            assignment: text(row, 4)?,
            submission: text(row, 5)?,
            question: text(row, 6)?,
        },
        // The schema allows no other name.
        role: MarkerRole::from_name(&role).unwrap_or_default(),
        seen: MarkingId::from_number(row.get(8)?),
        step,
    })
}
