//! Result of judging one case: a pass, an outcome, or an error of the grader.

use softmark_wire::SessionError;
use thiserror::Error;

use crate::case::Case;
use crate::defect;
use crate::outcome::Outcome;

/// Error for a check that could not be run: the grader's fault, never the student's.
#[derive(Debug, Error)]
pub enum CheckError {
    /// The session broke.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// No input could be generated.
    #[error("no input could be made for {check}: {reason}")]
    Inputs {
        /// Id of the check.
        check: String,
        /// Message of proptest.
        reason: String,
    },
    /// The check is wrong: a misspelt name, an expected value that is not finite.
    #[error("{check} is defective: {what}")]
    Defect {
        /// Id of the check.
        check: String,
        /// Description of the defect.
        what: String,
    },
}

/// Reason for which judging stops: the outcome is known, or the grader failed.
#[derive(Debug)]
pub enum Stop {
    /// Outcome of the check.
    Outcome(Box<Outcome>),
    /// The check could not be run.
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

impl Stop {
    /// Returns the outcome.
    ///
    /// # Errors
    ///
    /// Fails if the check could not be run.
    pub fn into_outcome(self) -> Result<Outcome, CheckError> {
        match self {
            Self::Outcome(outcome) => Ok(*outcome),
            Self::Error(error) => Err(error),
        }
    }
}

/// Result of judging one case: `Ok(())` if the case passes.
pub type Judged = Result<(), Stop>;

/// Converts the result of a judge to an outcome.
///
/// # Errors
///
/// Fails if the check could not be run.
pub fn outcome(judged: Judged) -> Result<Outcome, CheckError> {
    match judged {
        Ok(()) => Ok(Outcome::Pass),
        Err(stop) => stop.into_outcome(),
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

/// Runs `ask` on behalf of `check`; a [defect] that is recorded meanwhile is an error, even if `ask` succeeds.
///
/// # Errors
///
/// Fails if `ask` fails or the check is defective.
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

/// Creates the error for a defect of the check that uses `case`.
pub fn defective(case: &Case, what: String) -> Stop {
    CheckError::Defect { check: case.part().to_owned(), what }.into()
}

/// Creates the verdict `Wrong` on `case`, with a message but no index or values.
pub fn wrong(case: &Case, message: String) -> Stop {
    Outcome::Wrong { message, evidence: case.evidence() }.into()
}
