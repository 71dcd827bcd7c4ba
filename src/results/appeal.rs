//! Steps of appeals.

use std::path::Path;

use super::error::ChangeError;
use super::record::{check, find_record_for};
use crate::clock;
use crate::ledger::appeals::{Thread, subject, threads};
use crate::store::{Appeal, Folder, LEDGER, Step, Store};

/// Step of an appeal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewStep<'a> {
    /// Submission id.
    pub submission: &'a str,
    /// Assignment id; `None` for that of the open appeal, or of the submission's newest record.
    pub assignment: Option<&'a str>,
    /// Check id; empty for the whole grade.
    pub check: &'a str,
    /// Step.
    pub step: Step,
    /// Question or answer.
    pub text: &'a str,
    /// Name of the author.
    pub by: &'a str,
}

/// Adds a step to the ledger.
///
/// # Errors
///
/// Fails if there is no such submission or check, an appeal is to be opened that is open, or answered or closed that is not open,
/// or the results cannot be used.
pub fn add_step(out: &Path, new: &NewStep<'_>) -> Result<Appeal, ChangeError> {
    let step = appeal(out, new)?;
    save(out, &step)?;
    Ok(step)
}

/// Returns the step. One of an open appeal needs no record: that may have lost the check.
fn appeal(out: &Path, new: &NewStep<'_>) -> Result<Appeal, ChangeError> {
    let open = if new.step == Step::Open { None } else { open_appeal(out, new)? };
    let (submission, assignment) = if let Some(first) = open {
        (first.submission, first.assignment)
    } else {
        let record = find_record_for(out, new.submission, new.assignment)?;
        if !new.check.is_empty() {
            check(&record, new.check)?;
        }
        (record.submission, record.assignment)
    };
    Ok(Appeal {
        submission,
        assignment,
        check: new.check.into(),
        step: new.step,
        text: new.text.into(),
        by: new.by.into(),
        given_at: clock::now().into(),
    })
}

/// Returns the first step of the open appeal about a submission and check; `None` if there is none.
fn open_appeal(out: &Path, new: &NewStep<'_>) -> Result<Option<Appeal>, ChangeError> {
    let Some(store) = Store::open_to_read(&out.join(LEDGER))? else { return Ok(None) };
    let is_of = |it: &Appeal| {
        it.submission == *new.submission
            && it.check == *new.check
            && new.assignment.is_none_or(|assignment| it.assignment == *assignment)
    };
    let open = threads(store.appeals()?).into_iter().filter(Thread::is_open);
    let mut firsts = open.filter_map(|thread| thread.steps.into_iter().next());
    Ok(firsts.rfind(is_of))
}

/// Adds a step to the ledger, if the appeal is in a state that allows it. Holds the results meanwhile, so that two people do not
/// close the same appeal.
fn save(out: &Path, step: &Appeal) -> Result<(), ChangeError> {
    let unwritten = |source| ChangeError::Unwritten { path: out.to_owned(), source };
    let _held = Folder::of(out).hold().map_err(unwritten)?;
    let mut store = Store::open(&out.join(LEDGER))?;
    let threads = threads(store.appeals()?);
    let is_open = threads.iter().any(|it| it.is_open() && it.is_subject_of(step));
    let (submission, about) = (step.submission.clone(), subject(&step.check));
    match (step.step, is_open) {
        (Step::Open, true) => Err(ChangeError::AppealOpen { submission, about }),
        (Step::Answer | Step::Close, false) => Err(ChangeError::NoAppeal { submission, about }),
        (Step::Open, false) | (Step::Answer | Step::Close, true) => Ok(store.add_appeal(step)?),
    }
}
