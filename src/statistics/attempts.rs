//! Attempts until a check first passed, from the history of all gradings.

use std::collections::{BTreeMap, BTreeSet};

use softmark_untrusted::Untrusted;

use crate::model::{RecordOutcome, Status};
use crate::store::Grading;

/// Attempts at one check.
///
/// An attempt is a version of a submission's files that was compiled: graded, or not compilable. Grading the same files again is
/// no new attempt. A check passes in an attempt if any grading of these files says so.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Attempts {
    /// Number of submissions that first passed in the attempt of this number, from 1.
    pub passed_in: BTreeMap<usize, usize>,
    /// Number of submissions that have not passed.
    pub never: usize,
}

impl Attempts {
    /// Returns the number of submissions that first passed in these attempts.
    pub fn within(&self, attempts: impl std::ops::RangeBounds<usize>) -> usize {
        self.passed_in.range(attempts).map(|(_, count)| count).sum()
    }
}

/// Progress of one submission.
#[derive(Default)]
struct Progress<'a> {
    /// Digests of the versions, in the order of their first gradings.
    versions: Vec<&'a Untrusted>,
    seen: BTreeSet<&'a Untrusted>,
    passed: BTreeMap<&'a Untrusted, usize>,
}

impl<'a> Progress<'a> {
    fn add(&mut self, grading: &'a Grading) {
        let was_compiled =
            matches!(grading.outcome, RecordOutcome::Graded | RecordOutcome::BuildFailed);
        if !was_compiled {
            return;
        }
        let known = self.versions.iter().position(|it| **it == grading.sha256);
        let attempt = known.unwrap_or(self.versions.len()) + 1;
        if known.is_none() {
            self.versions.push(&grading.sha256);
        }
        for check in &grading.checks {
            self.seen.insert(&check.id);
            if check.status == Status::Pass {
                let first = self.passed.entry(&check.id).or_insert(attempt);
                *first = attempt.min(*first);
            }
        }
    }
}

/// Returns the attempts at each check, from gradings in the order in which they were made.
pub(super) fn attempts(gradings: &[Grading]) -> BTreeMap<Untrusted, Attempts> {
    let mut students: BTreeMap<&Untrusted, Progress<'_>> = BTreeMap::new();
    for grading in gradings {
        students.entry(&grading.submission).or_default().add(grading);
    }
    let mut checks: BTreeMap<Untrusted, Attempts> = BTreeMap::new();
    for student in students.values() {
        for check in &student.seen {
            let attempts = checks.entry((*check).clone()).or_default();
            match student.passed.get(check) {
                Some(first) => *attempts.passed_in.entry(*first).or_default() += 1,
                None => attempts.never += 1,
            }
        }
    }
    checks
}
