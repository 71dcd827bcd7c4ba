//! Checks of one property of a component, where its ordinary answers are wrong.
//!
//! Whatever is wrong with ordinary answers is reported by `matches-reference`. The advice of another check would be about code
//! that may be right.

use softmark_checks::check::CheckError;
use softmark_checks::{Judged, Outcome, Stop};

/// Returns the outcome `found` of a check, or "blocked" by the check `by` in place of a wrong answer if none of the `ordinary`
/// questions is answered right. The check `by` must ask one of these questions.
///
/// # Errors
///
/// Fails if the session breaks.
pub(super) fn unless_all_is_wrong(
    found: Outcome,
    (by, message): (&str, &str),
    ordinary: impl IntoIterator<Item = Judged>,
) -> Result<Outcome, CheckError> {
    if !matches!(found, Outcome::Wrong { .. }) {
        return Ok(found);
    }
    for judged in ordinary {
        match judged {
            Ok(()) => return Ok(found),
            Err(Stop::Error(error)) => return Err(error),
            Err(Stop::Outcome(_)) => {}
        }
    }
    Ok(Outcome::Blocked { by: by.to_owned(), message: message.to_owned() })
}
