//! Catalogue of the assignments that this program can grade.
//!
//! Invariant: the module names no assignment; `softmark::main` receives them.

mod agrees;

use std::path::Path;

use softmark_exam::{Mistake, Suite};

pub use agrees::{Disagreement, agrees};

/// Exams of the assignments that this program can grade.
#[derive(Debug, Clone, Copy, Default)]
pub struct Catalog(&'static [Suite]);

impl Catalog {
    /// Constructs the catalogue of these exams.
    pub const fn new(suites: &'static [Suite]) -> Self {
        Self(suites)
    }

    /// Returns all exams, in the order in which they were listed.
    pub fn suites(self) -> &'static [Suite] {
        self.0
    }

    /// Returns the exam of an assignment.
    pub fn find(self, assignment: &str) -> Option<&'static Suite> {
        self.0.iter().find(|suite| suite.id == assignment)
    }

    /// Returns the mistake with this id from any exam.
    pub fn mistake(self, id: &str) -> Option<Mistake> {
        self.0.iter().flat_map(|suite| (suite.mistakes)()).find(|mistake| mistake.id == id)
    }
}

/// Project: the folder of its assignments, and their exams.
#[derive(Debug, Clone, Copy)]
pub struct Project<'a> {
    /// Folder that holds `assignments/` and `solutions/`.
    pub home: &'a Path,
    /// Exams of the assignments.
    pub catalog: Catalog,
}

/// The exams that the tests of this crate use.
#[cfg(test)]
pub(crate) const BUILT_IN: Catalog = Catalog::new(&[
    attention_exam::SUITE,
    encoder_exam::SUITE,
    debugging_exam::SUITE,
    prefix_tuning_exam::SUITE,
    modern_exam::SUITE,
]);
