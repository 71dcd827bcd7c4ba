//! Grading of a submission, with what it was graded with.

use super::bases::Node;
use crate::model::Grader;
use crate::store::Grading;

/// Grading, with the grader and the ledger that it is from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Graded {
    /// Place of the ledger among those that are compared.
    pub ledger: usize,
    /// Grading.
    pub grading: Grading,
    /// Grader and its settings.
    pub grader: Grader,
}

impl Graded {
    /// Returns the node of the grading's basis.
    pub fn node(&self) -> Node {
        let (run, assignment) = (self.grading.run, self.grading.assignment.clone());
        Node { ledger: self.ledger, run, assignment }
    }
}
