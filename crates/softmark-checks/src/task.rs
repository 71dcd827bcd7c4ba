//! A task of an assignment.

use crate::check::Check;

/// A task, and its public checks.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// Id of the task, such as `multi-head`.
    pub id: &'static str,
    /// Title, such as `Task 2: multi-head attention`.
    pub title: &'static str,
    /// File in which the student works.
    pub file: &'static str,
    /// Ids of the tasks on whose parts this task's part is built.
    pub built_on: &'static [&'static str],
    /// Public checks, the simplest first.
    pub checks: &'static [Check],
}

impl Task {
    /// Returns the first of the `unfinished` tasks on whose parts this task's part is built.
    pub fn unfinished_below(&self, unfinished: &[&'static Self]) -> Option<&'static Self> {
        unfinished.iter().copied().find(|below| self.built_on.contains(&below.id))
    }

    /// Returns the part of the title before the colon: `Task 2`.
    pub fn number(&self) -> &'static str {
        self.title.split_once(':').map_or(self.title, |(number, _)| number)
    }
}
