//! The class at one moment.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use softmark_untrusted::Untrusted;

use super::gradings::{Entry, Gradings, SubmissionKey};
use super::members::Groups;
use super::row::Row;
use crate::course::roster::{NamedSubmission, Prefixes};
use crate::ledger::appeals::{Thread, threads};
use crate::marks::Marks;
use crate::model::{Points, Record, RecordOutcome};
use crate::overrides::{Overrides, effective};
use crate::pipeline::chain;
use crate::serve::problem::Problem;
use crate::serve::roster::Students;
use crate::store::{Grading, Store};

/// Class with the decisions of people.
#[derive(Debug)]
pub(in crate::serve) struct Class {
    /// Gradings of the ledger.
    pub(in crate::serve) gradings: Arc<Gradings>,
    /// Submissions in the order of their names.
    pub(in crate::serve) rows: Vec<Row>,
    /// Overrides.
    pub(in crate::serve) overrides: Overrides,
    /// Appeals in the order in which they were opened.
    pub(in crate::serve) appeals: Vec<Thread>,
    /// Marks of written answers.
    pub(in crate::serve) marks: Marks,
    /// Reason why a line of `marks.csv` is not among the marks; `None` if all are.
    pub(in crate::serve) csv_error: Option<String>,
    /// Reason why groups are those of an earlier roster; `None` if they are those of now.
    pub(in crate::serve) roster_error: Option<String>,
}

/// Decisions of people, as rows need them.
struct RowReader<'a> {
    overrides: &'a Overrides,
    marks: &'a Marks,
    /// Number of overrides of each submission.
    overridden: BTreeMap<SubmissionKey, usize>,
    /// Number of open appeals of each submission.
    open: BTreeMap<SubmissionKey, usize>,
    groups: Groups<'a>,
    /// Common beginnings of the names of submissions to each assignment.
    prefixes: BTreeMap<Untrusted, Prefixes>,
}

impl RowReader<'_> {
    /// Returns the number of written answers of a record that need marking.
    fn unmarked(&self, record: &Record) -> usize {
        let open = record.written.iter().filter(|answer| self.marks.is_open(record, answer));
        open.count()
    }

    fn groups(&self, key: &SubmissionKey) -> Vec<Untrusted> {
        let none = Prefixes::default();
        self.groups.of(&key.submission, self.prefixes.get(&key.assignment).unwrap_or(&none))
    }

    fn row(&self, entry: &Arc<Entry>) -> Row {
        let number = |counts: &BTreeMap<SubmissionKey, usize>| counts.get(&entry.key).copied();
        let overridden = number(&self.overridden).unwrap_or(0);
        Row {
            points: points(&entry.newest, self.overrides, overridden > 0),
            overridden,
            appeals: number(&self.open).unwrap_or(0),
            unmarked: entry.record.as_ref().map_or(0, |record| self.unmarked(record)),
            groups: self.groups(&entry.key),
            entry: Arc::clone(entry),
        }
    }
}

impl Class {
    /// Reads the decisions in the results at `out`, and lays them on the gradings.
    ///
    /// # Errors
    ///
    /// Fails if the results cannot be read.
    pub(in crate::serve) fn read(
        gradings: Arc<Gradings>,
        out: &Path,
        store: &Store,
        students: &Students,
    ) -> Result<Self, Problem> {
        let groups = Groups(students.roster.as_deref());
        let overrides = Overrides::of(store)?;
        let appeals = threads(store.appeals()?);
        let (marks, error) = Marks::read_valid(out).map_err(|error| Problem::broken(&error))?;
        let csv_error = error.map(|error| chain(&error));
        let overridden =
            count(overrides.in_force().iter().map(|it| (&it.submission, &it.assignment)));
        let open = appeals.iter().filter(|it| it.is_open()).filter_map(Thread::first);
        let open = count(open.map(|it| (&it.submission, &it.assignment)));
        let names: Vec<_> = gradings.entries().map(|it| named(&it.key)).collect();
        let prefixes = Prefixes::by_assignment(&names);
        let reader =
            RowReader { overrides: &overrides, marks: &marks, overridden, open, groups, prefixes };
        let rows = gradings.entries().map(|entry| reader.row(entry)).collect();
        let roster_error = students.error.clone();
        Ok(Self { gradings, rows, overrides, appeals, marks, csv_error, roster_error })
    }

    /// Returns the number of a submission; `None` if there is none.
    pub(in crate::serve) fn number(&self, key: &SubmissionKey) -> Option<i64> {
        let found = self.rows.binary_search_by(|row| row.entry.key.cmp(key)).ok()?;
        self.rows.get(found).map(|row| row.entry.number)
    }

    /// Returns the submission to which the record with this number belongs.
    ///
    /// # Errors
    ///
    /// Fails if there is no such record.
    pub(in crate::serve) fn row(&self, record: i64) -> Result<&Row, Problem> {
        let entry = self.gradings.of_record(record).ok_or(Problem::NotFound)?;
        let found = self.rows.binary_search_by(|row| row.entry.key.cmp(&entry.key));
        found.ok().and_then(|at| self.rows.get(at)).ok_or(Problem::NotFound)
    }
}

fn named(key: &SubmissionKey) -> NamedSubmission<'_> {
    NamedSubmission { assignment: &key.assignment, name: &key.submission }
}

fn count<'a>(
    keys: impl Iterator<Item = (&'a Untrusted, &'a Untrusted)>,
) -> BTreeMap<SubmissionKey, usize> {
    let mut counts = BTreeMap::new();
    for (submission, assignment) in keys {
        let (submission, assignment) = (submission.clone(), assignment.clone());
        *counts.entry(SubmissionKey { submission, assignment }).or_insert(0) += 1;
    }
    counts
}

/// Returns the points of a grading that count; `None` if there is no grade.
fn points(grading: &Grading, overrides: &Overrides, has_override: bool) -> Option<Points> {
    if grading.outcome == RecordOutcome::NoGrade {
        return None;
    }
    if !has_override {
        return Some(grading.points);
    }
    let count = |sum: Points, check: &crate::store::GradedCheck| {
        let given = overrides.of_check(&grading.submission, &grading.assignment, &check.id);
        sum.exchange(check.points, effective(check.points, check.max_points, given))
    };
    Some(grading.checks.iter().fold(grading.points, count))
}
