//! All gradings of the ledger, and the newest of each submission. What the ledger gets is added; nothing is read twice.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use softmark_untrusted::Untrusted;

use crate::model::Record;
use crate::serve::problem::Problem;
use crate::store::{Grading, Store, StoreError};

/// Submission and assignment.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::serve) struct SubmissionKey {
    /// Submission id.
    pub(in crate::serve) submission: Untrusted,
    /// Assignment id; empty if it is not known.
    pub(in crate::serve) assignment: Untrusted,
}

/// Submission, and its newest grading.
#[derive(Debug, Clone)]
pub(in crate::serve) struct Entry {
    /// Number of the submission: that of its first record, which names its page.
    pub(in crate::serve) number: i64,
    /// Submission and assignment.
    pub(in crate::serve) key: SubmissionKey,
    /// Newest grading.
    pub(in crate::serve) newest: Arc<Grading>,
    /// Newest record without its tasks and output: its written answers have no points yet. `None` if the record cannot be read.
    pub(in crate::serve) record: Option<Arc<Record>>,
}

/// Titles of the tasks and checks of an assignment, by their ids.
type Titles = BTreeMap<Untrusted, Untrusted>;

/// Tasks, checks and mistakes of an assignment, as its submissions have them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::serve) struct Parts {
    /// Task ids, in the order of the assignment.
    pub(in crate::serve) tasks: Vec<Untrusted>,
    /// Check ids, in the order of the assignment.
    pub(in crate::serve) checks: Vec<Untrusted>,
    /// Ids of the mistakes that are named.
    pub(in crate::serve) mistakes: BTreeSet<Untrusted>,
}

impl Parts {
    fn add(&mut self, grading: &Grading) {
        for check in &grading.checks {
            if !self.checks.contains(&check.id) {
                self.checks.push(check.id.clone());
            }
            if !self.tasks.contains(&check.task) {
                self.tasks.push(check.task.clone());
            }
            if let Some(mistake) = &check.mistake {
                self.mistakes.insert(mistake.clone());
            }
        }
    }
}

/// Gradings of the ledger.
#[derive(Debug, Clone, Default)]
pub(in crate::serve) struct Gradings {
    /// Number of the newest record.
    pub(in crate::serve) last: i64,
    /// All gradings, the oldest first.
    pub(in crate::serve) all: Vec<Arc<Grading>>,
    /// Submissions.
    entries: BTreeMap<SubmissionKey, Arc<Entry>>,
    /// Submission of each record.
    keys: BTreeMap<i64, SubmissionKey>,
    /// Titles of each assignment.
    titles: Arc<BTreeMap<Untrusted, Titles>>,
    /// Parts of each assignment that is known.
    pub(in crate::serve) parts: BTreeMap<Untrusted, Parts>,
}

impl Gradings {
    /// Returns these gradings with those that the ledger got since. A record that cannot be read is one submission's problem:
    /// its entry says so, and the others are read.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub(in crate::serve) fn with_new(last: Option<&Self>, store: &Store) -> Result<Self, Problem> {
        let mut all = last.cloned().unwrap_or_default();
        for grading in store.gradings_since(all.last)? {
            all.add(&Arc::new(grading), store)?;
        }
        all.parts.clear();
        let known = all.entries.values().filter(|entry| !entry.key.assignment.is_empty());
        for entry in known {
            all.parts.entry(entry.key.assignment.clone()).or_default().add(&entry.newest);
        }
        Ok(all)
    }

    fn add(&mut self, grading: &Arc<Grading>, store: &Store) -> Result<(), Problem> {
        let (id, submission) = (grading.id, grading.submission.clone());
        let key = SubmissionKey { submission, assignment: grading.assignment.clone() };
        self.last = self.last.max(id);
        self.all.push(Arc::clone(grading));
        let record = match store.record(id) {
            Ok(Some(saved)) => Some(saved.record),
            Ok(None) => return Ok(()),
            Err(StoreError::Record { .. }) => None,
            Err(error) => return Err(error.into()),
        };
        if let Some(record) = &record {
            self.add_titles(record);
        }
        let (tasks, log) = (Vec::new(), Untrusted::EMPTY);
        let record = record.map(|record| Arc::new(Record { tasks, log, ..record }));
        for key in self.replaced(&key) {
            let number = self.entries.get(&key).map_or(id, |entry| entry.number);
            self.keys.insert(id, key.clone());
            let (newest, record) = (Arc::clone(grading), record.clone());
            let entry = Entry { number, key: key.clone(), newest, record };
            self.entries.insert(key, Arc::new(entry));
        }
        Ok(())
    }

    fn add_titles(&mut self, record: &Record) {
        let all = Arc::make_mut(&mut self.titles);
        let titles = all.entry(record.assignment.clone()).or_default();
        for task in &record.tasks {
            titles.insert(task.id.clone(), task.title.clone());
            for check in &task.checks {
                titles.insert(check.id.clone(), check.title.clone());
            }
        }
    }

    /// Returns the keys of the submissions whose newest grading a new one is. A submission that was rejected before its assignment was known takes
    /// the key of its earlier gradings; one of which it becomes known gets a new key.
    fn replaced(&mut self, key: &SubmissionKey) -> Vec<SubmissionKey> {
        if !key.assignment.is_empty() {
            let unknown = SubmissionKey { assignment: Untrusted::EMPTY, ..key.clone() };
            if let Some(entry) = self.entries.remove(&unknown) {
                self.keys.insert(entry.number, key.clone());
                let moved = Entry { key: key.clone(), ..(*entry).clone() };
                self.entries.entry(key.clone()).or_insert_with(|| Arc::new(moved));
            }
            return vec![key.clone()];
        }
        let same = self.entries.range(key.clone()..);
        let same = same.map(|(it, _)| it).take_while(|it| it.submission == key.submission);
        let known: Vec<SubmissionKey> = same.cloned().collect();
        if known.is_empty() { vec![key.clone()] } else { known }
    }

    /// Returns the title of a task or check of an assignment; its id if it has none.
    pub(in crate::serve) fn title<'a>(
        &'a self,
        assignment: &Untrusted,
        id: &'a Untrusted,
    ) -> &'a Untrusted {
        let title = self.titles.get(assignment).and_then(|titles| titles.get(id));
        title.filter(|title| !title.is_empty()).unwrap_or(id)
    }

    /// Returns all submissions, in the order of their names.
    pub(in crate::serve) fn entries(&self) -> impl Iterator<Item = &Arc<Entry>> {
        self.entries.values()
    }

    /// Returns the gradings of a submission, the oldest first. One that was rejected before its assignment was known is a grading
    /// of each assignment.
    pub(in crate::serve) fn of_submission<'a>(
        &'a self,
        key: &'a SubmissionKey,
    ) -> impl Iterator<Item = &'a Arc<Grading>> {
        self.all.iter().filter(|it| {
            it.submission == key.submission
                && (it.assignment == key.assignment || it.assignment.is_empty())
        })
    }

    /// Returns the submission whose number this is, or to which the record with this number belongs.
    pub(in crate::serve) fn of_record(&self, id: i64) -> Option<&Arc<Entry>> {
        self.entries.get(self.keys.get(&id)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Grader, RecordOutcome};
    use crate::store::RecordKeys;
    use crate::store::document::read_record;

    fn record(name: &str, assignment: &str, outcome: RecordOutcome) -> Record {
        let text = include_str!("../../../fixtures/records/full-marks.json");
        let record = read_record(text).unwrap().1;
        Record { submission: name.into(), assignment: assignment.into(), outcome, ..record }
    }

    fn save(store: &mut Store, records: &[Record]) {
        let grader = Grader {
            version: "1".into(),
            seed: Some(1),
            device: "cpu".into(),
            sandbox: "full".into(),
        };
        let run = store.begin_run(&grader, "2026-01-31T12:00:00Z").unwrap();
        for record in records {
            store.save(run, &RecordKeys::whole("k"), record).unwrap();
        }
    }

    fn shown(gradings: &Gradings) -> Vec<(i64, String, String, i64)> {
        let shown = |it: &Arc<Entry>| {
            let key = &it.key;
            (it.number, key.submission.to_string(), key.assignment.to_string(), it.newest.id)
        };
        gradings.entries().map(shown).collect()
    }

    #[test]
    fn a_submission_keeps_its_number_and_new_gradings_are_added() {
        let folder = tempfile::tempdir().unwrap();
        let mut store = Store::open(&folder.path().join("softmark.db")).unwrap();
        let graded = RecordOutcome::Graded;
        save(
            &mut store,
            &[record("amara", "attention", graded), record("ben", "", RecordOutcome::Rejected)],
        );
        let first = Gradings::with_new(None, &store).unwrap();
        let of = |number, name: &str, assignment: &str, newest| {
            (number, name.to_owned(), assignment.to_owned(), newest)
        };
        assert_eq!(shown(&first), [of(1, "amara", "attention", 1), of(2, "ben", "", 2)]);
        save(&mut store, &[record("amara", "encoder", graded), record("ben", "attention", graded)]);
        save(&mut store, &[record("amara", "", RecordOutcome::Rejected)]);
        let all = Gradings::with_new(Some(&first), &store).unwrap();
        assert_eq!(
            shown(&all),
            [
                of(1, "amara", "attention", 5),
                of(3, "amara", "encoder", 5),
                of(2, "ben", "attention", 4)
            ]
        );
        assert_eq!(all.all.len(), 5);
        assert_eq!(all.of_record(2).unwrap().newest.id, 4);
        assert_eq!(all.of_record(1).unwrap().number, 1);
        assert!(all.of_record(9).is_none());
        assert_eq!(shown(&Gradings::with_new(None, &store).unwrap()), shown(&all));
    }
}
