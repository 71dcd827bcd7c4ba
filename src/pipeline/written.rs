//! Tells if a part was written: the grader's own part may replace no other.

use std::collections::BTreeMap;

use softmark_checks::{CheckError, Outcome, Subject};
use softmark_wire::Session;

use crate::pipeline::conduct::{MOST_ENDS, Seat, Sessions, ends_the_process};
use crate::suite::Suite;

/// Evidence that a part was written, or that it was not.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Written {
    /// It passes a check of its task: code that computes nothing passes none.
    Yes,
    /// The stub's `todo!()` was reached, which says this.
    Stub(String),
    /// Not one check of its task is passed; this is the first.
    Nothing(String),
}

/// Finds out if the part of `task` was written. Checks with a `known` outcome are not carried out again; the
/// others are, until one is passed.
///
/// # Errors
///
/// When the grader's side is broken.
pub(crate) fn written<S: Session>(
    (suite, task): (&Suite, &str),
    seed: u64,
    known: &BTreeMap<String, Outcome>,
    sessions: &mut Sessions<'_, S>,
) -> Result<Written, CheckError> {
    let (mut stub, mut first, mut ends) = (None, None, 0);
    for entry in (suite.checks)().into_iter().filter(|entry| entry.check.task() == task) {
        let id = entry.check.id;
        let outcome = match known.get(id) {
            Some(outcome) => outcome.clone(),
            None if ends >= MOST_ENDS => break,
            None => {
                let session = sessions.with(Seat::Checks(entry.program))?;
                (entry.check.run)(&mut Subject::new(session), seed)?
            }
        };
        if outcome.is_pass() {
            return Ok(Written::Yes);
        }
        ends += usize::from(ends_the_process(&outcome));
        first.get_or_insert(id);
        if let Outcome::NotImplemented { message } = outcome {
            stub.get_or_insert(message);
        }
    }
    Ok(match (stub, first) {
        (Some(message), _) => Written::Stub(message),
        (None, first) => Written::Nothing(first.unwrap_or(task).to_owned()),
    })
}
