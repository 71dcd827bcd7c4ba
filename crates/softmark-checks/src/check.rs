//! A check: a claim about a part, and how it is put to the test.

use crate::outcome::Outcome;
use crate::subject::Subject;

pub use crate::verdict::{
    CheckError, Judged, Stop, defective, if_passed, outcome, without_defects, wrong,
};

/// How a check is carried out.
pub type RunCheck = fn(&mut Subject<'_>, u64) -> Result<Outcome, CheckError>;

/// A claim about a part of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct Check {
    /// `task/check`.
    pub id: &'static str,
    /// The claim, as a sentence without a full stop.
    pub title: &'static str,
    /// Puts it to the test; every random input comes from the seed. To be called through [`Check::ask`].
    pub run: RunCheck,
}

impl Check {
    /// The task that the check belongs to: what stands before the slash.
    pub fn task(&self) -> &'static str {
        self.id.split_once('/').map_or(self.id, |(task, _)| task)
    }

    /// Puts the check to the test.
    ///
    /// # Errors
    ///
    /// When it could not be carried out, or is [defective](crate::defect).
    pub fn ask(&self, subject: &mut Subject<'_>, seed: u64) -> Result<Outcome, CheckError> {
        without_defects(self.id, || (self.run)(subject, seed))
    }
}
