//! Overrides: points that a person gives for a check, in place of the grader's.
//!
//! Overrides are kept in the ledger, apart from the grader's records: the ledger's records hold what the grader decided,
//! and grading again changes no override. They are laid on a record whenever it is stored or read, so
//! that every report shows them. The last override of a check holds until it is withdrawn.

use std::path::Path;

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, OverrideRecord, Points, Record, RecordOutcome};
use crate::store::{LEDGER, Override, Store, StoreError};

/// Overrides of a folder of results, in the order in which they were given; `None` if its ledger is not there.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Overrides(Option<Vec<Override>>);

impl Overrides {
    /// Creates the overrides from decisions in the order in which they were made.
    pub fn new(decisions: Vec<Override>) -> Self {
        Self(Some(decisions))
    }

    fn all(&self) -> &[Override] {
        self.0.as_deref().unwrap_or_default()
    }

    /// Reads the overrides of the results at `out`. Without a ledger, nothing is known of them.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn read(out: &Path) -> Result<Self, StoreError> {
        match Store::open_to_read(&out.join(LEDGER))? {
            Some(store) => Self::of(&store),
            None => Ok(Self::default()),
        }
    }

    /// Reads the overrides of a ledger.
    ///
    /// # Errors
    ///
    /// Fails if the ledger cannot be read.
    pub fn of(store: &Store) -> Result<Self, StoreError> {
        let decisions = store.overrides()?;
        Ok(Self::new(decisions.into_iter().map(|placed| placed.decision).collect()))
    }

    /// Returns the override that holds for a check; `None` if there is none, or if it was withdrawn.
    pub fn of_check(
        &self,
        submission: &Untrusted,
        assignment: &Untrusted,
        check: &Untrusted,
    ) -> Option<&Override> {
        let is_of = |given: &&Override| {
            given.check == *check
                && given.submission == *submission
                && given.assignment == *assignment
        };
        self.all().iter().rev().find(is_of).filter(|given| given.points.is_some())
    }

    /// Returns the number of decisions about a check, withdrawals included. Decisions are only added: two equal numbers are of
    /// the same decisions.
    pub fn decisions(
        &self,
        submission: &Untrusted,
        assignment: &Untrusted,
        check: &Untrusted,
    ) -> usize {
        let is_of = |given: &&Override| {
            given.check == *check
                && given.submission == *submission
                && given.assignment == *assignment
        };
        self.all().iter().filter(is_of).count()
    }

    /// Returns the overrides that hold, in the order in which they were given.
    pub fn in_force(&self) -> Vec<&Override> {
        let holds = |given: &&Override| {
            let current = self.of_check(&given.submission, &given.assignment, &given.check);
            current.is_some_and(|current| std::ptr::eq(current, *given))
        };
        self.all().iter().filter(holds).collect()
    }

    /// Gives the record the points of the overrides that hold, and takes back those of overrides that were laid on it
    /// before and hold no longer. Points of checks, tasks and the record change; results do not.
    ///
    /// An override of more than the check is worth today counts as all of its points. A record without a grade gets
    /// no points. Without a ledger, the record keeps what is laid on it: it may have been copied without its ledger.
    pub fn lay_on(&self, record: &mut Record) {
        if self.0.is_none() {
            return;
        }
        let (submission, assignment) = (record.submission.clone(), record.assignment.clone());
        let sha256 = record.sha256.clone();
        let is_graded = record.outcome != RecordOutcome::NoGrade;
        for task in &mut record.tasks {
            for check in &mut task.checks {
                let given = self.of_check(&submission, &assignment, &check.id);
                let before = check.points;
                lay_on_check(check, given.filter(|_| is_graded), &sha256);
                task.points = task.points.exchange(before, check.points);
                record.points = record.points.exchange(before, check.points);
            }
        }
    }

    /// Returns the overrides that hold and have no effect on these records, with the reasons.
    pub fn strays(&self, records: &[Record]) -> Vec<(&Override, &'static str)> {
        let in_force = self.in_force().into_iter();
        in_force.filter_map(|given| Some((given, no_effect(given, records)?))).collect()
    }
}

/// Returns the reason why an override has no effect on these records; `None` if it has one.
fn no_effect(given: &Override, records: &[Record]) -> Option<&'static str> {
    let mut own = records.iter().filter(|record| record.submission == given.submission);
    let Some(record) = own.find(|record| record.assignment == given.assignment) else {
        return Some("there is no record of that submission for its assignment");
    };
    let mut checks = record.tasks.iter().flat_map(|task| &task.checks);
    let has_check = checks.any(|check| check.id == given.check);
    (!has_check).then_some("its assignment no longer has that check")
}

/// Replaces the points of a check by those of the override, or by the grader's if there is none.
fn lay_on_check(check: &mut CheckRecord, given: Option<&Override>, sha256: &Untrusted) {
    let graded = check.overridden.take().map_or(check.points, |earlier| earlier.graded);
    check.points = graded;
    if let Some(points) = given.and_then(|given| given.points) {
        check.points = points.min(check.max_points);
    }
    check.overridden = given.map(|given| OverrideRecord {
        graded,
        reason: given.reason.clone(),
        by: given.by.clone(),
        given_at: given.given_at.clone(),
        is_of_other_files: given.sha256 != *sha256,
    });
}

/// Returns the points that count for a check: the override's if one holds, or else the grader's.
pub fn effective(graded: Points, max_points: Points, given: Option<&Override>) -> Points {
    given.and_then(|given| given.points).map_or(graded, |points| points.min(max_points))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::test_checks::check;
    use crate::model::{Status, TaskRecord};

    fn points(hundredths: u32) -> Points {
        Points::from_hundredths(hundredths)
    }

    fn record() -> Record {
        let checks = vec![
            check("multi-head/mask-hides", Status::Wrong, points(100)),
            check("multi-head/shapes", Status::Pass, points(150)),
        ];
        let task = TaskRecord {
            id: "multi-head".into(),
            title: Untrusted::EMPTY,
            points: points(150),
            max_points: points(250),
            checks,
        };
        Record {
            submission: "amara".into(),
            entry: Untrusted::EMPTY,
            submitted: None,
            sha256: "aa".into(),
            assignment: "attention".into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points: points(150),
            max_points: points(250),
            tasks: vec![task],
            written: Vec::new(),
            models: Vec::new(),
            trainings: Vec::new(),
            notes: Vec::new(),
            log: Untrusted::EMPTY,
            usage: None,
        }
    }

    fn given(check: &str, points: Option<u32>) -> Override {
        Override {
            submission: "amara".into(),
            assignment: "attention".into(),
            check: check.into(),
            points: points.map(Points::from_hundredths),
            reason: "right in principle".into(),
            by: "Okafor".into(),
            given_at: "2026-01-31T12:00:00Z".into(),
            sha256: "aa".into(),
        }
    }

    fn all_points(record: &Record) -> [u32; 4] {
        let task = record.tasks.first().unwrap();
        let of = |at: usize| task.checks[at].points.hundredths();
        [record.points.hundredths(), task.points.hundredths(), of(0), of(1)]
    }

    #[test]
    fn an_override_changes_points_and_a_withdrawal_restores_the_record() {
        let (mut laid, graded) = (record(), record());
        let mut decisions = vec![
            given("multi-head/mask-hides", Some(25)),
            given("multi-head/mask-hides", Some(50)),
            given("multi-head/shapes", Some(0)),
        ];
        Overrides::new(decisions.clone()).lay_on(&mut laid);
        assert_eq!(all_points(&laid), [50, 50, 50, 0]);
        let check = laid.tasks.first().unwrap().checks.first().unwrap();
        assert_eq!(check.status, Status::Wrong, "the result stays");
        assert_eq!(check.overridden.as_ref().unwrap().graded, Points::ZERO);
        let once = laid.clone();
        Overrides::new(decisions.clone()).lay_on(&mut laid);
        assert_eq!(laid, once, "laying it on twice is laying it on once");

        decisions.push(given("multi-head/shapes", None));
        Overrides::new(decisions.clone()).lay_on(&mut laid);
        assert_eq!(all_points(&laid), [200, 200, 50, 150]);
        decisions.push(given("multi-head/mask-hides", None));
        Overrides::new(decisions).lay_on(&mut laid);
        assert_eq!(laid, graded);
    }

    #[test]
    fn an_override_holds_for_its_submission_assignment_and_check_alone() {
        for other in [
            Override { submission: "ben".into(), ..given("multi-head/shapes", Some(0)) },
            Override { assignment: "encoder".into(), ..given("multi-head/shapes", Some(0)) },
            given("multi-head/shape", Some(0)),
        ] {
            let mut laid = record();
            let overrides = Overrides::new(vec![other]);
            overrides.lay_on(&mut laid);
            assert_eq!(laid, record());
            assert_eq!(overrides.strays(&[record()]).len(), 1);
        }
    }

    #[test]
    fn no_check_gets_more_than_it_is_worth_and_no_missing_grade_gets_points() {
        let overrides = Overrides::new(vec![given("multi-head/mask-hides", Some(900))]);
        let mut laid = record();
        overrides.lay_on(&mut laid);
        assert_eq!(all_points(&laid), [250, 250, 100, 150]);
        let mut none = Record { outcome: RecordOutcome::NoGrade, ..record() };
        overrides.lay_on(&mut none);
        assert_eq!(none, Record { outcome: RecordOutcome::NoGrade, ..record() });
    }

    #[test]
    fn an_override_holds_for_later_files_and_says_so() {
        let mut laid = Record { sha256: "bb".into(), ..record() };
        Overrides::new(vec![given("multi-head/mask-hides", Some(50))]).lay_on(&mut laid);
        assert_eq!(all_points(&laid), [200, 200, 50, 150]);
        let check = laid.tasks.first().unwrap().checks.first().unwrap();
        assert!(check.overridden.as_ref().unwrap().is_of_other_files);
    }

    /// Records may be copied without their ledger.
    #[test]
    fn without_a_ledger_a_record_keeps_what_is_laid_on_it() {
        let dir = tempfile::tempdir().unwrap();
        let mut copied = record();
        Overrides::new(vec![given("multi-head/mask-hides", Some(50))]).lay_on(&mut copied);
        let before = copied.clone();
        Overrides::read(dir.path()).unwrap().lay_on(&mut copied);
        assert_eq!(copied, before);
        // A ledger without overrides takes them back.
        drop(Store::open(&dir.path().join(LEDGER)).unwrap());
        Overrides::read(dir.path()).unwrap().lay_on(&mut copied);
        assert_eq!(copied, record());
    }
}
