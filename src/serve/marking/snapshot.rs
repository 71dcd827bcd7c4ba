//! Snapshot of the ledger: all written answers and all marks, kept from one request to the next.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use softmark_untrusted::Untrusted;

use crate::marking::{AnswerCode, AnswerText, AnswerVersion, Book, Group, codes, groups};
use crate::marks::{MARKS, Marks, digest_of};
use crate::model::{Points, WrittenRecord};
use crate::pipeline::chain;
use crate::serve::config::Config;
use crate::serve::problem::Problem;
use crate::serve::stamp::FileStamp;
use crate::serve::store_pool::StorePool;
use crate::store::{AnswerId, SavedAnswers, Store};

/// Answer of a submission.
#[derive(Debug)]
pub(super) struct Entry {
    /// Submission id.
    pub(super) submission: Untrusted,
    /// Answer as it was handed in.
    pub(super) answer: WrittenRecord,
    /// Digest of the answer.
    pub(super) digest: String,
    /// Number of words of the answer.
    pub(super) words: usize,
}

/// Question with the answers of the class, in the order of marking.
#[derive(Debug)]
pub(super) struct Written {
    /// Assignment id.
    pub(super) assignment: Untrusted,
    /// Question id.
    pub(super) id: Untrusted,
    /// Question, for a person.
    pub(super) title: Untrusted,
    /// Points that an answer is worth.
    pub(super) max_points: Points,
    /// Answers by their codes.
    pub(super) answers: BTreeMap<AnswerCode, Arc<Entry>>,
    groups: OnceLock<Vec<Group>>,
}

/// Questions by assignment and question.
type Questions = BTreeMap<(Untrusted, Untrusted), Arc<Written>>;

/// State of the ledger and of `marks.csv` at one moment.
#[derive(Debug, Clone, Default)]
pub(in crate::serve) struct Snapshot {
    /// Questions by assignment and question.
    pub(super) questions: Arc<Questions>,
    /// Rubrics and markings.
    pub(super) book: Arc<Book>,
    /// Marks of `marks.csv`.
    pub(super) csv: Arc<Marks>,
    /// Error in `marks.csv`, which may name a student; `None` if all lines are valid.
    pub(super) csv_error: Option<Arc<str>>,
}

/// Snapshot that is kept up to date.
#[derive(Debug, Default)]
pub(in crate::serve) struct MarkingCache(Mutex<Kept>);

/// Snapshot, and what it was made of.
#[derive(Debug, Default)]
struct Kept {
    snapshot: Snapshot,
    /// Answers by submission, and then by assignment and question.
    answers: BTreeMap<Untrusted, BTreeMap<(Untrusted, Untrusted), Arc<Entry>>>,
    /// Id of the newest record that was read.
    newest: i64,
    /// State of the file of marks when it was read.
    file: Option<FileStamp>,
}

impl Entry {
    /// Returns the version of the answer.
    pub(super) fn version(&self) -> AnswerVersion<'_> {
        let Self { submission, answer, digest, .. } = self;
        AnswerVersion { submission, digest, max_points: answer.max_points }
    }
}

impl Written {
    /// Creates the question of an answer, still without answers.
    fn of(id: &AnswerId, entry: &Entry) -> Self {
        Self {
            assignment: id.assignment.clone(),
            id: id.question.clone(),
            title: entry.answer.title.clone(),
            max_points: entry.answer.max_points,
            answers: BTreeMap::new(),
            groups: OnceLock::new(),
        }
    }

    /// Returns the groups of similar answers.
    pub(super) fn groups(&self) -> &[Group] {
        self.groups.get_or_init(|| {
            let answers = self.answers.iter();
            let texts = answers.map(|(code, it)| AnswerText { code: *code, text: &it.answer.text });
            groups(&texts.collect::<Vec<_>>())
        })
    }

    /// Returns the group that an answer belongs to; `None` if no other answer is similar.
    pub(super) fn group_of(&self, code: AnswerCode) -> Option<&Group> {
        self.groups().iter().find(|group| group.members.iter().any(|member| member.code == code))
    }

    /// Returns the place of an answer in the order of marking, from 1.
    pub(super) fn number(&self, code: AnswerCode) -> usize {
        self.answers.range(..code).count() + 1
    }
}

impl MarkingCache {
    /// Reads what has changed, and returns the snapshot of now.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(in crate::serve) fn snapshot(
        &self,
        stores: &StorePool,
        config: &Config,
    ) -> Result<Snapshot, Problem> {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        stores.with(|store| kept.refresh(store, config))?;
        Ok(kept.snapshot.clone())
    }
}

impl Kept {
    fn refresh(&mut self, store: &Store, config: &Config) -> Result<(), Problem> {
        let changed = store.answers_after(self.newest)?;
        if !changed.is_empty() {
            for record in changed {
                self.add(record);
            }
            self.snapshot.questions = Arc::new(self.questions(&config.secret));
        }
        let new_rows = self.snapshot.book.new_rows(store)?;
        if !new_rows.is_empty() {
            Arc::make_mut(&mut self.snapshot.book).add(&new_rows);
        }
        self.refresh_csv(config);
        Ok(())
    }

    /// Replaces the answers of a submission.
    fn add(&mut self, record: SavedAnswers) {
        let SavedAnswers { record, submission, assignment, written } = record;
        self.newest = self.newest.max(record);
        let answers = self.answers.entry(submission.clone()).or_default();
        answers.retain(|(other, _), _| *other != assignment && !assignment.is_empty());
        for answer in written {
            let of = (assignment.clone(), answer.id.clone());
            let (digest, words) = (digest_of(&answer), answer.text.count_words());
            let entry = Entry { submission: submission.clone(), answer, digest, words };
            answers.insert(of, Arc::new(entry));
        }
    }

    /// Returns all questions with their answers.
    fn questions(&self, secret: &str) -> Questions {
        let all = self.answers.values().flatten();
        let of_class: BTreeMap<AnswerId, &Arc<Entry>> = all
            .map(|((assignment, question), entry)| {
                (AnswerId::new(assignment, question, &entry.submission), entry)
            })
            .collect();
        let mut questions: BTreeMap<(Untrusted, Untrusted), Written> = BTreeMap::new();
        for (code, id) in codes(secret, of_class.keys().cloned().collect()) {
            let Some(entry) = of_class.get(&id) else { continue };
            let of = (id.assignment.clone(), id.question.clone());
            let written = questions.entry(of).or_insert_with(|| Written::of(&id, entry));
            // After a change of the assignment, its newer records have other points.
            written.max_points = written.max_points.max(entry.answer.max_points);
            written.answers.insert(code, Arc::clone(entry));
        }
        questions.into_iter().map(|(of, written)| (of, Arc::new(written))).collect()
    }

    /// Reads `marks.csv` if it has changed. A line that is not valid stops nobody who marks.
    fn refresh_csv(&mut self, config: &Config) {
        let file = FileStamp::of(&config.out.join(MARKS));
        if file != self.file {
            let (csv, error) = Marks::read_valid_lines(&config.out);
            self.snapshot.csv = Arc::new(csv);
            self.snapshot.csv_error = error.map(|error| chain(&error).into());
            self.file = file;
        }
    }
}
