//! A cell of the matrix.

use crate::audit::matrix::Mutant;

/// Contents of a cell of the matrix: expected and actual result of a check on a mutant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cell {
    /// The check catches the mutant, as expected.
    Fails,
    /// The check catches the mutant unexpectedly.
    Surprises,
    /// The check is expected to catch the mutant, and does not.
    Misses,
    /// The check does not catch the mutant, as expected.
    Passes,
}

impl Cell {
    /// Returns the cell of a check and a mutant.
    pub(super) fn of(check: &str, mutant: &Mutant) -> Self {
        match (mutant.fails(check), mutant.expected.contains(check)) {
            (true, true) => Self::Fails,
            (true, false) => Self::Surprises,
            (false, true) => Self::Misses,
            (false, false) => Self::Passes,
        }
    }

    /// Returns the cell as one letter.
    pub(super) fn mark(self) -> &'static str {
        match self {
            Self::Fails => "●",
            Self::Surprises => "!",
            Self::Misses => "○",
            Self::Passes => "·",
        }
    }
}
