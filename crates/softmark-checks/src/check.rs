//! A check: a claim about a part, and the function that tests it.

use crate::outcome::Outcome;
use crate::subject::Subject;

pub use crate::verdict::{
    CheckError, Judged, Stop, defective, if_passed, outcome, without_defects, wrong,
};

/// Function that runs a check with a seed.
pub type RunCheck = fn(&mut Subject<'_>, u64) -> Result<Outcome, CheckError>;

/// A claim about a part of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// `task/check`.
    pub id: &'static str,
    /// Claim, as a sentence without a full stop.
    pub title: &'static str,
    /// Tests the claim; every random input is derived from the seed. Call it through [`Check::ask`].
    pub run: RunCheck,
}

impl Check {
    /// Returns the id of the check's task: the part of the check's id before the slash.
    pub fn task(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(task, _)| task)
    }

    /// Runs the check.
    ///
    /// # Errors
    ///
    /// Fails if the check cannot be run, or is [defective](crate::defect).
    pub fn ask(&self, subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
        without_defects(self.id, || (self.run)(subject, seed))
    }
}
