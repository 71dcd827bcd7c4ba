//! Selection of checks of an assignment.

use crate::assignment::{Assignment, CheckEntry, TaskEntry};
use crate::model::Points;

/// Returns the assignment reduced to the checks for whose ids `keep` returns true, with their
/// points alone.
pub fn select(assignment: &Assignment, keep: impl Fn(&str) -> bool) -> Assignment {
    let tasks: Vec<TaskEntry> = assignment
        .tasks
        .iter()
        .map(|task| {
            let checks: Vec<CheckEntry> =
                task.checks.iter().filter(|check| keep(&check.id)).cloned().collect();
            let points: Points = checks.iter().map(|check| check.points).sum();
            TaskEntry { id: task.id.clone(), title: task.title.clone(), points, checks }
        })
        .filter(|task| !task.checks.is_empty())
        .collect();
    let points = tasks.iter().map(|task| task.points).sum();
    Assignment { points, tasks, ..assignment.clone() }
}
