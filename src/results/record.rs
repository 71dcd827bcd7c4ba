//! Records of a folder of results.

use std::path::Path;

use super::error::ChangeError;
use crate::marks::Marks;
use crate::model::{CheckRecord, Grader, Points, Record};
use crate::overrides::Overrides;
use crate::pipeline::chain;
use crate::store::{Folder, LEDGER, Store};

/// Returns the record of a submission, and the grader that made it.
///
/// # Errors
///
/// Fails if there is no record, or if it cannot be read.
pub fn find_record(out: &Path, submission: &str) -> Result<(Grader, Record), ChangeError> {
    let folder = Folder::of(out);
    let unreadable = |error: crate::store::document::ReadError| ChangeError::Unreadable {
        path: folder.path(submission),
        reason: chain(&error),
    };
    let found = folder.read(submission).map_err(unreadable)?;
    let missing =
        || ChangeError::NoRecord { submission: submission.to_owned(), out: out.to_owned() };
    found.ok_or_else(missing)
}

/// Returns the check of a record with this id.
///
/// # Errors
///
/// Fails if there is none.
pub(super) fn check<'a>(record: &'a Record, id: &str) -> Result<&'a CheckRecord, ChangeError> {
    let checks = || record.tasks.iter().flat_map(|task| &task.checks);
    checks().find(|check| check.id == *id).ok_or_else(|| ChangeError::NoCheck {
        submission: record.submission.clone(),
        id: id.to_owned(),
        known: checks().map(|check| check.id.to_string()).collect(),
    })
}

/// Lays the marks and overrides that hold on the record of a submission, and writes it. Returns the grader, and the points before
/// and after; `None` if there is no record that can be read.
///
/// # Errors
///
/// Fails if marks or overrides cannot be read, or the record cannot be written.
pub fn refresh_record(
    out: &Path,
    submission: &str,
) -> Result<Option<(Grader, [Points; 2])>, ChangeError> {
    let folder = Folder::of(out);
    let Ok(Some((grader, mut record))) = folder.read(submission) else { return Ok(None) };
    let before = record.clone();
    match Store::open_existing(&out.join(LEDGER))? {
        Some(store) => Marks::of_submission(out, &store, &record.submission)?.lay_on(&mut record),
        None => Marks::read(out)?.lay_on(&mut record),
    }
    Overrides::read(out)?.lay_on(&mut record);
    if record != before {
        let unwritten = |source| ChangeError::Unwritten { path: folder.path(submission), source };
        folder.write(&grader, &record).map_err(unwritten)?;
    }
    Ok(Some((grader, [before.points, record.points])))
}
