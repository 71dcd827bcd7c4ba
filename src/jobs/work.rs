//! Work that is cut into chunks: what becomes of the results of its units.

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::jobs::error::JobsError;

/// Receiver of the results of units, such as submissions.
pub trait Work {
    /// Result of a unit.
    type Output: Serialize + DeserializeOwned;

    /// Takes the result of the unit at an index in the order of the run; there is one for each.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be stored, or is not of this unit.
    fn take(&mut self, place: usize, output: Self::Output) -> Result<(), JobsError>;

    /// Does without the result of a unit that no job has, for this reason.
    ///
    /// # Errors
    ///
    /// Fails if that cannot be stored, or the work is worth nothing without it.
    fn give_up(&mut self, place: usize, reason: String) -> Result<(), JobsError>;
}
