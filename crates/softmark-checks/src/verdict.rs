//! How judging one case ends: well, with an outcome, or with an error of the grader.

use softmark_wire::SessionError;
use thiserror::Error;

use crate::case::Case;
use crate::outcome::Outcome;

/// The check itself could not be carried out: the grader's fault, never the student's.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The session broke.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No input could be made.
    #[error("no input could be made for {check}: {reason}")]
    Inputs {
        /// The check's id.
        check: String,
        /// What proptest says.
        reason: String,
    },
}

/// Why a judge does not go on: the outcome is known, or the grader is broken.
#[derive(Debug)]
pub enum Stop {
    /// What came of it.
    Outcome(Box<Outcome>),
    /// The check could not be carried out.
    Error(CheckError),
}

impl From<Outcome> for Stop {
    fn from(outcome: Outcome) -> Self {
        Self::Outcome(Box::new(outcome))
    }
}

impl From<SessionError> for Stop {
    fn from(error: SessionError) -> Self {
        Self::Error(error.into())
    }
}

impl From<CheckError> for Stop {
    fn from(error: CheckError) -> Self {
        Self::Error(error)
    }
}

/// What a judge says of one case: nothing where all is well.
pub type Judged = Result<(), Stop>;

/// Turns what a judge says into an outcome.
///
/// # Errors
///
/// When the check could not be carried out.
pub fn outcome(judged: Judged) -> Result<Outcome, CheckError> {
    match judged {
        Ok(()) => Ok(Outcome::Pass),
        Err(Stop::Outcome(outcome)) => Ok(*outcome),
        Err(Stop::Error(error)) => Err(error),
    }
}

/// The verdict `wrong` on `case`, with a message and nothing to point at.
pub fn wrong(case: &Case, message: String) -> Stop {
    Outcome::Wrong { message, evidence: case.evidence() }.into()
}
