//! A task of an assignment, as a student knows it.

use crate::check::Check;

/// A task, and its public checks.
#[derive(Debug, Clone, Copy)]
pub struct Task {
    /// `multi-head` and so on.
    pub id: &'static str,
    /// For a person: `Task 2: multi-head attention`.
    pub title: &'static str,
    /// The file to work in.
    pub file: &'static str,
    /// The tasks whose parts stand below this one's.
    pub built_on: &'static [&'static str],
    /// Its public checks, the simplest first.
    pub checks: &'static [Check],
}

impl Task {
    /// What stands before the colon of its title: `Task 2`.
    pub fn number(&self) -> &'static str {
        self.title.split_once(':').map_or(self.title, |(number, _)| number)
    }
}
