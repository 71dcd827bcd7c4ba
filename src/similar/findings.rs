//! Findings of the command: comparisons, and the submissions that were not compared.

use crate::similar::classes::LeftOut;
use crate::similar::comparison::Comparison;

/// Comparisons of all assignments, and the submissions that were not compared.
#[derive(Debug, Clone, Copy)]
pub struct Findings<'a> {
    /// Comparisons, one for each assignment.
    pub comparisons: &'a [Comparison],
    /// Submissions that were not compared.
    pub left_out: &'a [LeftOut],
}
