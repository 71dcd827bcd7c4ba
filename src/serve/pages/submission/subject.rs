//! The submission that a page is about.

use std::sync::Arc;

use crate::model::{Grader, Record};
use crate::serve::class::{Class, Entry};
use crate::serve::problem::Problem;
use crate::serve::visit::Visit;
use crate::store::{Grading, RunId};

/// Submission, and one of its records.
#[derive(Debug)]
pub(super) struct Subject {
    /// Class.
    pub(super) class: Arc<Class>,
    /// Submission.
    pub(super) entry: Arc<Entry>,
    /// Number of the record.
    pub(super) id: i64,
    /// Run that made it.
    pub(super) run: RunId,
    /// Grader of the run.
    pub(super) grader: Grader,
    /// Record, with the marks and overrides that hold.
    pub(super) record: Record,
}

impl Subject {
    /// Reads the submission in the path of a page: its newest record, or the one that the query names.
    ///
    /// # Errors
    ///
    /// Fails if there is no such submission or record, or the ledger cannot be read.
    pub(super) fn of(visit: &Visit<'_>) -> Result<Self, Problem> {
        let class = visit.shared.class()?;
        let entry = Arc::clone(&class.row(visit.number("number")?)?.entry);
        let id = match visit.query.text("attempt") {
            "" => entry.newest.id,
            text => text.parse().map_err(|_| Problem::NotFound)?,
        };
        if !class.gradings.of_submission(&entry.key).any(|it| it.id == id) {
            return Err(Problem::NotFound);
        }
        let saved = visit.shared.stores.with(|store| Ok(store.record(id)?))?;
        let saved = saved.ok_or(Problem::NotFound)?;
        let mut record = saved.record;
        class.marks.lay_on(&mut record);
        class.overrides.lay_on(&mut record);
        let (run, grader) = (saved.run, saved.grader);
        Ok(Self { class, entry, id, run, grader, record })
    }

    /// Returns true if this is the newest record.
    pub(super) fn is_newest(&self) -> bool {
        self.id == self.entry.newest.id
    }

    /// Returns the path of a page about the submission.
    pub(super) fn path(&self, page: &str) -> String {
        format!("/submission/{}{page}", self.entry.number)
    }

    /// Returns the gradings of the submission, the oldest first.
    pub(super) fn gradings(&self) -> Vec<&Arc<Grading>> {
        self.class.gradings.of_submission(&self.entry.key).collect()
    }
}
