//! Points that a person decides for a check in place of the grader's.

use std::path::Path;

use super::error::ChangeError;
use super::record::{check, find_record_for, refresh_record};
use crate::clock;
use crate::model::{Grader, Points};
use crate::overrides::Overrides;
use crate::store::{Folder, LEDGER, Override, Store};

/// Decision about the points of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewOverride<'a> {
    /// Submission id.
    pub submission: &'a str,
    /// Assignment id; `None` for that of the submission's newest record.
    pub assignment: Option<&'a str>,
    /// Check id.
    pub check: &'a str,
    /// Points; `None` withdraws the override that holds.
    pub points: Option<Points>,
    /// Reason.
    pub reason: &'a str,
    /// Name of the person who decides.
    pub by: &'a str,
    /// Number of decisions about the check that this person has seen; `None` if the decision is made whatever there is.
    pub seen: Option<usize>,
}

/// Decision that is in the ledger.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Decision.
    pub given: Override,
    /// Points that the check is worth; `None` if the override was withdrawn.
    pub max_points: Option<Points>,
    /// Grader of the record, and its points before and after; `None` if the record is gone.
    pub effect: Option<(Grader, [Points; 2])>,
}

/// Adds the decision to the ledger, and lays it on the record. The gradebook is not written.
///
/// # Errors
///
/// Fails if there is no such check, the points exceed its maximum, there is nothing to withdraw, somebody decided in the meantime,
/// or the results cannot be used.
pub fn decide(out: &Path, decision: &NewOverride<'_>) -> Result<Decided, ChangeError> {
    let (given, max_points) = match decision.points {
        Some(points) => given(out, decision, points)?,
        None => (withdrawal(out, decision)?, None),
    };
    save(out, &given, decision.seen)?;
    let effect = refresh_record(out, given.submission.as_raw())?;
    Ok(Decided { given, max_points, effect })
}

/// Returns the override of a check of a record, and what the check is worth.
fn given(
    out: &Path,
    decision: &NewOverride<'_>,
    points: Points,
) -> Result<(Override, Option<Points>), ChangeError> {
    let record = find_record_for(out, decision.submission, decision.assignment)?;
    let check = check(&record, decision.check)?;
    if points > check.max_points {
        let (check, max_points) = (check.id.clone(), check.max_points);
        return Err(ChangeError::TooManyPoints { points, check, max_points });
    }
    let given = Override {
        submission: record.submission.clone(),
        assignment: record.assignment.clone(),
        check: check.id.clone(),
        points: Some(points),
        reason: decision.reason.into(),
        by: decision.by.into(),
        given_at: clock::now().into(),
        sha256: record.sha256.clone(),
    };
    Ok((given, Some(check.max_points)))
}

/// Returns the withdrawal of an override that holds. It needs no record: that may have lost the check.
fn withdrawal(out: &Path, decision: &NewOverride<'_>) -> Result<Override, ChangeError> {
    let overrides = Overrides::read(out)?;
    let is_it = |it: &&&Override| {
        it.submission == *decision.submission
            && it.check == *decision.check
            && decision.assignment.is_none_or(|assignment| it.assignment == *assignment)
    };
    let held = overrides.in_force();
    let Some(held) = held.iter().find(is_it) else {
        let record = find_record_for(out, decision.submission, decision.assignment)?;
        let check = check(&record, decision.check)?.id.clone();
        return Err(ChangeError::NoOverride { submission: record.submission, check });
    };
    Ok(Override {
        points: None,
        reason: decision.reason.into(),
        by: decision.by.into(),
        given_at: clock::now().into(),
        ..(*held).clone()
    })
}

/// Adds a decision to the ledger, if there are as many decisions as the person has seen. Holds the results meanwhile, so that of
/// two people who decide about the same check at the same time one is told so.
fn save(out: &Path, given: &Override, seen: Option<usize>) -> Result<(), ChangeError> {
    let unwritten = |source| ChangeError::Unwritten { path: out.to_owned(), source };
    let _held = Folder::of(out).hold().map_err(unwritten)?;
    let mut store = Store::open(&out.join(LEDGER))?;
    let current = Overrides::of(&store)?;
    let made = current.decisions(&given.submission, &given.assignment, &given.check);
    if seen.is_some_and(|seen| seen != made) {
        let (submission, check) = (given.submission.clone(), given.check.clone());
        return Err(ChangeError::DecidedMeanwhile { submission, check });
    }
    let holds = current.of_check(&given.submission, &given.assignment, &given.check);
    if given.points.is_none() && holds.is_none() {
        let (submission, check) = (given.submission.clone(), given.check.clone());
        return Err(ChangeError::NoOverride { submission, check });
    }
    Ok(store.add_override(given)?)
}
