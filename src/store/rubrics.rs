//! Rubrics of written questions in the database: versions of their items.

use rusqlite::{OptionalExtension, Row, TransactionBehavior, params};
use softmark_untrusted::Untrusted;

use super::database::Store;
use super::decisions::text;
use super::error::StoreError;
use crate::model::Delta;

/// Id of a rubric item: that of its first version.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ItemId(i64);

impl ItemId {
    /// Returns the id with this number.
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of the id.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// Content of a rubric item in one version.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ItemVersion {
    /// Description, which the student reads.
    pub text: Untrusted,
    /// Points that the item adds or takes away.
    pub points: Delta,
    /// True if the item is no longer part of the rubric: then it counts nothing, also where it was chosen.
    pub is_retired: bool,
}

/// Version of a rubric item, and who wrote it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedItem {
    /// Number of the version; a later version has a larger number.
    pub version: i64,
    /// Item.
    pub item: ItemId,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Question id.
    pub question: Untrusted,
    /// Content.
    pub content: ItemVersion,
    /// Name of the person who wrote it.
    pub by: Untrusted,
    /// Time at which it was written, in RFC 3339.
    pub given_at: Untrusted,
}

/// Change of a rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RubricChange {
    /// Assignment id.
    pub assignment: Untrusted,
    /// Question id.
    pub question: Untrusted,
    /// Item that gets a new version, and the number of the version that the person saw; `None` adds an item.
    pub of: Option<(ItemId, i64)>,
    /// New content.
    pub content: ItemVersion,
    /// Name of the person.
    pub by: Untrusted,
    /// Time of the change, in RFC 3339.
    pub given_at: Untrusted,
}

/// Result of a change of a rubric.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RubricOutcome {
    /// The change is in the database.
    Saved(ItemId),
    /// Another person has changed the item since; nothing was saved.
    Conflict,
    /// The question has no such item; nothing was saved.
    Unknown,
}

impl Store {
    /// Adds an item to a rubric, or a version of an item, if nobody has changed the item since it was seen. A change that is
    /// sent a second time, or adds an item that the rubric has already, is not saved again.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read or written.
    pub fn change_rubric(&mut self, change: &RubricChange) -> Result<RubricOutcome, StoreError> {
        let path = self.path.clone();
        let failed = |source| StoreError::of(&path, source);
        let transaction = self
            .connection
            .transaction_with_behavior(TransactionBehavior::Immediate)
            .map_err(failed)?;
        let outcome = insert(&transaction, change).map_err(failed)?;
        transaction.commit().map_err(failed)?;
        Ok(outcome)
    }

    /// Returns the versions of all rubric items in the order in which they were written.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn rubric_versions(&self) -> Result<Vec<SavedItem>, StoreError> {
        self.rubric_versions_after(0)
    }

    /// Returns the versions that were written after the one with this number.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn rubric_versions_after(&self, version: i64) -> Result<Vec<SavedItem>, StoreError> {
        self.rows(&format!("{SELECT} WHERE id > ?1 ORDER BY id"), [version], saved)
    }
}

const SELECT: &str = "SELECT id, item, assignment, question, text, points, is_retired, given_by, \
                      given_at FROM rubric_versions";

fn insert(
    transaction: &rusqlite::Transaction<'_>,
    change: &RubricChange,
) -> rusqlite::Result<RubricOutcome> {
    let mut item = None;
    if let Some((id, seen)) = change.of {
        let sql = format!("{SELECT} WHERE item = ?1 ORDER BY id");
        let mut statement = transaction.prepare_cached(&sql)?;
        let rows = statement.query_map([id.0], saved)?;
        let versions = rows.collect::<rusqlite::Result<Vec<SavedItem>>>()?;
        let is_of_question =
            |it: &SavedItem| it.assignment == change.assignment && it.question == change.question;
        let Some(newest) = versions.last().filter(|it| is_of_question(it)) else {
            return Ok(RubricOutcome::Unknown);
        };
        if newest.content == change.content {
            return Ok(RubricOutcome::Saved(id));
        }
        if newest.version != seen {
            return Ok(RubricOutcome::Conflict);
        }
        item = Some(id.0);
    }
    if item.is_none()
        && let Some(same) = same(transaction, change)?
    {
        return Ok(RubricOutcome::Saved(ItemId(same)));
    }
    let next = "SELECT ifnull(max(id), 0) + 1 FROM rubric_versions";
    let item = match item {
        Some(item) => item,
        None => transaction.query_row(next, [], |row| row.get(0))?,
    };
    transaction.execute(
        "INSERT INTO rubric_versions (item, given_at, given_by, assignment, question, text, points, \
         is_retired) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
        params![
            item,
            change.given_at.as_raw(),
            change.by.as_raw(),
            change.assignment.as_raw(),
            change.question.as_raw(),
            change.content.text.as_raw(),
            change.content.points.hundredths(),
            change.content.is_retired,
        ],
    )?;
    Ok(RubricOutcome::Saved(ItemId(item)))
}

/// Returns the number of the item that the question has with this content; `None` if it has none.
fn same(
    transaction: &rusqlite::Transaction<'_>,
    change: &RubricChange,
) -> rusqlite::Result<Option<i64>> {
    let sql = "SELECT item FROM rubric_versions AS newest \
               WHERE assignment = ?1 AND question = ?2 AND text = ?3 AND points = ?4 \
               AND is_retired = ?5 \
               AND id = (SELECT max(id) FROM rubric_versions WHERE item = newest.item) LIMIT 1";
    let RubricChange { assignment, question, content, .. } = change;
    let values = params![
        assignment.as_raw(),
        question.as_raw(),
        content.text.as_raw(),
        content.points.hundredths(),
        content.is_retired
    ];
    transaction.query_row(sql, values, |row| row.get(0)).optional()
}

fn saved(row: &Row<'_>) -> rusqlite::Result<SavedItem> {
    Ok(SavedItem {
        version: row.get(0)?,
        item: ItemId(row.get(1)?),
        assignment: text(row, 2)?,
        question: text(row, 3)?,
        content: ItemVersion {
            text: text(row, 4)?,
            points: Delta::from_hundredths(row.get(5)?),
            is_retired: row.get(6)?,
        },
        by: text(row, 7)?,
        given_at: text(row, 8)?,
    })
}
