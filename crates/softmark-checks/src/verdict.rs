//! How judging one case ends: well, with an outcome, or with an error of the grader.

use softmark_wire::SessionError;
use thiserror::Error;

use crate::case::Case;
use crate::defect;
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
    /// The check is wrong: a misspelt name, an expected value that is not finite.
    #[error("{check} is defective: {what}")]
    Defect {
        /// The check's id.
        check: String,
        /// Description of the defect.
        what: String,
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

/// Returns `found`, or the outcome of `judge` if `found` is a pass: cases that are the same on every seed come after
/// random ones, because a random case is made smaller.
///
/// # Errors
///
/// If the check cannot be carried out.
pub fn if_passed(found: Outcome, judge: impl FnOnce() -> Judged) -> Result<Outcome, CheckError> {
    if found.is_pass() { outcome(judge()) } else { Ok(found) }
}

/// Asks something on behalf of `check`; a [defect] that is recorded meanwhile is an error,
/// whatever came of it.
///
/// # Errors
///
/// When `ask` fails, or the check is defective.
pub fn without_defects<T>(
    check: &str,
    ask: impl FnOnce() -> Result<T, CheckError>,
) -> Result<T, CheckError> {
    let (asked, noted) = defect::watch(ask);
    match (asked, noted) {
        (Err(CheckError::Defect { what, .. }), _) | (Ok(_), Some(what)) => {
            Err(CheckError::Defect { check: check.to_owned(), what })
        }
        (asked, _) => asked,
    }
}

/// A defect of the check that asks `case`.
pub fn defective(case: &Case, what: String) -> Stop {
    CheckError::Defect { check: case.part.to_owned(), what }.into()
}

/// The verdict `wrong` on `case`, with a message and nothing to point at.
pub fn wrong(case: &Case, message: String) -> Stop {
    Outcome::Wrong { message, evidence: case.evidence() }.into()
}
