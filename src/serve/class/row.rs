//! Row of the table: a submission with what people decided about it.

use std::sync::Arc;

use softmark_untrusted::Untrusted;

use super::gradings::Entry;
use crate::model::{Points, RecordOutcome};
use crate::overrides::{Overrides, effective};
use crate::store::GradedCheck;

/// Submission with the points that count.
#[derive(Debug, Clone)]
pub(in crate::serve) struct Row {
    /// Submission and its newest grading.
    pub(in crate::serve) entry: Arc<Entry>,
    /// Points that count; `None` if there is no grade.
    pub(in crate::serve) points: Option<Points>,
    /// Number of checks whose points a person decided.
    pub(in crate::serve) overridden: usize,
    /// Number of open appeals.
    pub(in crate::serve) appeals: usize,
    /// Number of written answers that need marking.
    pub(in crate::serve) unmarked: usize,
    /// Groups: the one in which the student hands in, or all if nothing says which one that is.
    pub(in crate::serve) groups: Vec<Untrusted>,
}

/// Points of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::serve) struct TaskPoints {
    /// Points that count.
    pub(in crate::serve) points: Points,
    /// Points available.
    pub(in crate::serve) max_points: Points,
}

impl TaskPoints {
    fn and(self, other: Self) -> Self {
        Self { points: self.points + other.points, max_points: self.max_points + other.max_points }
    }
}

impl Row {
    /// Returns the number of written answers that nobody has marked, or that have two marks between which somebody must decide.
    pub(in crate::serve) fn unmarked(&self) -> usize {
        self.unmarked
    }

    /// Returns the points of a task; `None` if the submission has no such task.
    pub(in crate::serve) fn task(
        &self,
        id: &Untrusted,
        overrides: &Overrides,
    ) -> Option<TaskPoints> {
        let checks = self.entry.newest.checks.iter().filter(|check| check.task == *id);
        let points = |check| TaskPoints {
            points: self.points_of(check, overrides),
            max_points: check.max_points,
        };
        checks.map(points).reduce(TaskPoints::and)
    }

    /// Returns the points of a check that count.
    fn points_of(&self, check: &GradedCheck, overrides: &Overrides) -> Points {
        if self.overridden == 0 {
            return check.points;
        }
        let key = &self.entry.key;
        let given = overrides.of_check(&key.submission, &key.assignment, &check.id);
        effective(check.points, check.max_points, given)
    }

    /// Returns true if the submission has a grade.
    pub(in crate::serve) fn has_grade(&self) -> bool {
        self.entry.newest.outcome != RecordOutcome::NoGrade
    }
}
