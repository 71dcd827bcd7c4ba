//! Written answers of the newest records, without the rest of the records.

use rusqlite::{Row, params};
use serde::Deserialize;
use softmark_untrusted::Untrusted;

use super::database::Store;
use super::decisions::text;
use super::error::StoreError;
use crate::model::{RecordOutcome, WrittenRecord};

/// Written answers of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedAnswers {
    /// Id of the record.
    pub record: i64,
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id; empty if it is not known.
    pub assignment: Untrusted,
    /// Answers, as the grader stored them: without marks.
    pub written: Vec<WrittenRecord>,
}

/// Document of a record of which only the answers are read.
#[derive(Deserialize)]
struct Document {
    record: Part,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    written: Vec<WrittenRecord>,
}

impl Store {
    /// Returns the written answers of the newest record of each submission and assignment among the records after the one with
    /// this id, the oldest record first. Records without a grade, where the grader failed, are passed over: they take no answer
    /// away. A record that cannot be read has no answers.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn answers_after(&self, record: i64) -> Result<Vec<SavedAnswers>, StoreError> {
        self.rows(
            "SELECT id, submission, assignment, document FROM records WHERE id IN \
             (SELECT max(id) FROM records WHERE id > ?1 AND outcome <> ?2 \
             GROUP BY submission, assignment) ORDER BY id",
            params![record, RecordOutcome::NoGrade.as_str()],
            answers,
        )
    }

    /// Returns the written answers of the newest record of a submission for each assignment, except records without a grade.
    ///
    /// # Errors
    ///
    /// Fails if the database cannot be read.
    pub fn answers_of(&self, submission: &Untrusted) -> Result<Vec<SavedAnswers>, StoreError> {
        self.rows(
            "SELECT id, submission, assignment, document FROM records WHERE id IN \
             (SELECT max(id) FROM records WHERE submission = ?1 AND outcome <> ?2 \
             GROUP BY assignment) ORDER BY id",
            params![submission.as_raw(), RecordOutcome::NoGrade.as_str()],
            answers,
        )
    }
}

fn answers(row: &Row<'_>) -> rusqlite::Result<SavedAnswers> {
    let document: String = row.get(3)?;
    let read = serde_json::from_str(&document).map(|it: Document| it.record.written);
    Ok(SavedAnswers {
        record: row.get(0)?,
        submission: text(row, 1)?,
        assignment: text(row, 2)?,
        written: read.unwrap_or_default(),
    })
}
