//! Book of marks: all rubrics and markings of a folder of results.

use std::borrow::Cow;
use std::collections::BTreeMap;

use softmark_untrusted::Untrusted;

use super::history::{Answer, is_of, mark_in};
use super::line::LineMark;
use super::rubric::{Item, Rubric};
use crate::model::Points;
use crate::store::{
    AnswerId, GivenMark, ItemId, ItemVersion, MarkerRole, MarkingId, SavedItem, SavedMarking,
    Store, StoreError,
};

/// Rubrics and markings.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Book {
    /// Rubrics by assignment and question.
    rubrics: BTreeMap<(Untrusted, Untrusted), Rubric>,
    answers: BTreeMap<AnswerId, Answer>,
    newest: MarkingId,
    newest_version: i64,
}

/// Rows that were saved after a book was read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewRows {
    versions: Vec<SavedItem>,
    markings: Vec<SavedMarking>,
}

impl NewRows {
    /// Returns true if nothing was saved.
    pub fn is_empty(&self) -> bool {
        self.versions.is_empty() && self.markings.is_empty()
    }
}

/// Question of an assignment with its rubric.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question<'a> {
    /// Assignment id.
    pub assignment: &'a Untrusted,
    /// Question id.
    pub id: &'a Untrusted,
    /// Rubric.
    pub rubric: Cow<'a, Rubric>,
    /// Points that an answer is worth.
    pub max_points: Points,
}

/// Marking with what it is worth as the rubric is now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked<'a> {
    /// Marking.
    pub marking: &'a SavedMarking,
    /// Points.
    pub points: Points,
    /// Chosen items that count.
    pub items: Vec<&'a Item>,
}

/// Mark of a version of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Mark<'a> {
    /// Nobody has marked the answer, or all marks were taken back.
    Open,
    /// The answer was changed after it was marked; the mark counts nothing.
    Changed(Marked<'a>),
    /// The answer is marked.
    Given(Marked<'a>),
}

impl Book {
    /// Creates the book from rows of the database in their order.
    pub fn of(versions: &[SavedItem], markings: &[SavedMarking]) -> Self {
        let mut book = Self::default();
        book.add_rows(versions, markings);
        book
    }

    /// Reads the book of a ledger.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn read(store: &Store) -> Result<Self, StoreError> {
        // The markings are read first: the items that they name were saved before them.
        let markings = store.markings()?;
        Ok(Self::of(&store.rubric_versions()?, &markings))
    }

    /// Reads all rubrics and the markings of one submission.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn read_submission(store: &Store, submission: &Untrusted) -> Result<Self, StoreError> {
        let markings = store.markings_of(submission)?;
        Ok(Self::of(&store.rubric_versions()?, &markings))
    }

    /// Returns the rows that were saved since the book was read.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn new_rows(&self, store: &Store) -> Result<NewRows, StoreError> {
        let markings = store.markings_after(self.newest)?;
        Ok(NewRows { versions: store.rubric_versions_after(self.newest_version)?, markings })
    }

    /// Adds rows that were saved since the book was read.
    pub fn add(&mut self, new: &NewRows) {
        self.add_rows(&new.versions, &new.markings);
    }

    fn add_rows(&mut self, versions: &[SavedItem], markings: &[SavedMarking]) {
        for version in versions {
            let of = (version.assignment.clone(), version.question.clone());
            self.rubrics.entry(of).or_default().add(version);
            self.newest_version = version.version;
        }
        for marking in markings {
            self.answers.entry(marking.answer.clone()).or_default().add(marking);
            self.newest = marking.id;
        }
    }

    /// Returns a question whose answers are worth `max_points`.
    pub fn question<'a>(
        &'a self,
        assignment: &'a Untrusted,
        id: &'a Untrusted,
        max_points: Points,
    ) -> Question<'a> {
        let rubric = self.rubrics.get(&(assignment.clone(), id.clone()));
        let rubric = rubric.map_or_else(|| Cow::Owned(Rubric::default()), Cow::Borrowed);
        Question { assignment, id, rubric, max_points }
    }

    /// Returns the markings of an answer; `None` if it has none.
    pub fn answer(&self, id: &AnswerId) -> Option<&Answer> {
        self.answers.get(id)
    }
}

impl Marked<'_> {
    /// Returns what was given.
    pub fn content(&self) -> Option<&GivenMark> {
        mark_in(self.marking)
    }

    /// Returns true if the mark is of the version of the answer with this digest.
    pub fn is_of(&self, answer_digest: &str) -> bool {
        is_of(self.marking, answer_digest)
    }
}

impl Question<'_> {
    /// Returns the points of a marking; `None` if it takes another one back.
    pub fn points(&self, marking: &SavedMarking) -> Option<Points> {
        let given = mark_in(marking)?;
        Some(self.rubric.points(&given.items, given.free, self.max_points))
    }

    /// Returns the question with another version of an item.
    #[must_use]
    pub fn with(&self, item: ItemId, content: &ItemVersion) -> Self {
        let version = SavedItem {
            version: i64::MAX,
            item,
            assignment: self.assignment.clone(),
            question: self.id.clone(),
            content: content.clone(),
            by: Untrusted::EMPTY,
            given_at: Untrusted::EMPTY,
        };
        let mut changed = self.clone();
        changed.rubric.to_mut().add(&version);
        changed
    }

    /// Returns the id of a submission's answer.
    pub fn answer_of(&self, submission: &Untrusted) -> AnswerId {
        AnswerId::new(self.assignment, self.id, submission)
    }

    /// Returns a marking with what it is worth; `None` if it takes another one back.
    pub fn marked<'a>(&'a self, marking: &'a SavedMarking) -> Option<Marked<'a>> {
        let items = self.rubric.chosen(&mark_in(marking)?.items);
        Some(Marked { marking, points: self.points(marking)?, items })
    }

    /// Returns true if somebody must mark the version of an answer with this digest, or decide between two first marks of it.
    /// `line` is the line of `marks.csv` that counts.
    pub fn is_open(
        &self,
        (answer, answer_digest): (Option<&Answer>, &str),
        line: Option<&LineMark>,
    ) -> bool {
        let first = answer.map(|answer| answer.history(MarkerRole::First));
        let has_conflict =
            first.is_some_and(|first| !first.of_version(answer_digest).conflicting.is_empty());
        let has_mark = line.is_some() || matches!(self.mark(answer, answer_digest), Mark::Given(_));
        has_conflict || !has_mark
    }

    /// Returns the mark of the version of an answer with this digest, whoever gave it.
    pub fn mark<'a>(&'a self, answer: Option<&'a Answer>, answer_digest: &str) -> Mark<'a> {
        let Some(answer) = answer else { return Mark::Open };
        let latest = answer.counting(answer_digest).or_else(|| answer.latest());
        let Some((marking, marked)) = latest.and_then(|it| Some((it, self.marked(it)?))) else {
            return Mark::Open;
        };
        if is_of(marking, answer_digest) { Mark::Given(marked) } else { Mark::Changed(marked) }
    }
}
