//! First marks that are not in the ledger.

use softmark_untrusted::Untrusted;

use crate::model::Points;

/// Mark of a first marker that is a line of `marks.csv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineMark {
    /// Points.
    pub points: Points,
    /// Name of the marker; it may be empty.
    pub by: Untrusted,
    /// Comment for the student.
    pub comment: Untrusted,
}
