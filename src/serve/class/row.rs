//! Row of the table: a submission with what people decided about it.

use std::sync::Arc;

use softmark_untrusted::Untrusted;

use super::gradings::Entry;
use crate::model::{Points, RecordOutcome, WrittenRecord};
use crate::overrides::{Overrides, effective};

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
    /// Written answers with the points that people gave.
    pub(in crate::serve) written: Vec<WrittenRecord>,
    /// Group; empty if there is none.
    pub(in crate::serve) group: Untrusted,
}

/// Points of a task.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::serve) struct TaskPoints {
    /// Points that count.
    pub(in crate::serve) points: Points,
    /// Points available.
    pub(in crate::serve) max_points: Points,
}

impl Row {
    /// Returns the number of written answers that nobody has marked.
    pub(in crate::serve) fn unmarked(&self) -> usize {
        self.written.iter().filter(|answer| answer.points.is_none()).count()
    }

    /// Returns the points of a task; `None` if the submission has no such task.
    pub(in crate::serve) fn task(
        &self,
        id: &Untrusted,
        overrides: &Overrides,
    ) -> Option<TaskPoints> {
        let mut checks =
            self.entry.newest.checks.iter().filter(|check| check.task == *id).peekable();
        checks.peek()?;
        let place = &self.entry.place;
        Some(checks.fold(TaskPoints::default(), |sum, check| {
            let given = overrides
                .of_check(&place.submission, &place.assignment, &check.id)
                .filter(|_| self.overridden > 0);
            let points = effective(check.points, check.max_points, given);
            TaskPoints {
                points: sum.points + points,
                max_points: sum.max_points + check.max_points,
            }
        }))
    }

    /// Returns true if the submission has a grade.
    pub(in crate::serve) fn has_grade(&self) -> bool {
        self.entry.newest.outcome != RecordOutcome::NoGrade
    }
}
