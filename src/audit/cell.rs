//! A cell of the matrix.

use crate::audit::matrix::Mutant;

/// What a cell of the matrix says.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// The mutant falls, as it should.
    Falls,
    /// It falls, and should not.
    Surprises,
    /// It should fall, and does not.
    Misses,
    /// It does not fall.
    Passes,
}

impl Cell {
    /// Of a check and a mutant.
    pub(super) fn of(check: &str, mutant: &Mutant) -> Self {
        match (mutant.falls_to(check), mutant.expected.contains(check)) {
            (true, true) => Self::Falls,
            (true, false) => Self::Surprises,
            (false, true) => Self::Misses,
            (false, false) => Self::Passes,
        }
    }

    /// As one letter.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Falls => "●",
            Self::Surprises => "!",
            Self::Misses => "○",
            Self::Passes => "·",
        }
    }
}
