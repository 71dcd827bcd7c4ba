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
    found.ok_or_else(|| no_record(out, submission))
}

fn no_record(out: &Path, submission: &str) -> ChangeError {
    ChangeError::NoRecord { submission: submission.to_owned(), out: out.to_owned() }
}

/// Returns the newest record of a submission for an assignment; without an assignment, its newest record.
///
/// # Errors
///
/// Fails if there is no record, or if it cannot be read.
pub(super) fn find_record_for(
    out: &Path,
    submission: &str,
    assignment: Option<&str>,
) -> Result<Record, ChangeError> {
    let newest = find_record(out, submission);
    let Some(assignment) = assignment else { return Ok(newest?.1) };
    if newest.as_ref().is_ok_and(|(_, record)| record.assignment == *assignment) {
        return Ok(newest?.1);
    }
    // The folder has the newest record of a submission only, which may be for another assignment.
    let store = Store::open_to_read(&out.join(LEDGER))?;
    let saved = store.map(|store| store.latest_for(submission, assignment)).transpose()?.flatten();
    saved
        .map(|saved| saved.record)
        .ok_or_else(|| newest.err().unwrap_or_else(|| no_record(out, submission)))
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

/// Lays the marks and overrides that hold on the record of a submission, and writes it. A line of `marks.csv` that is not valid is
/// about nothing: it must not keep a decision from its record. Returns the grader, and the points before
/// and after; `None` if there is no record that can be read. The results are held meanwhile, so that a grading that is written at
/// the same time is not replaced by the record before it.
///
/// # Errors
///
/// Fails if marks or overrides cannot be read, or the record cannot be written.
pub fn refresh_record(
    out: &Path,
    submission: &str,
) -> Result<Option<(Grader, [Points; 2])>, ChangeError> {
    let folder = Folder::of(out);
    let unwritten = |source| ChangeError::Unwritten { path: folder.path(submission), source };
    let held = folder.hold().map_err(unwritten)?;
    let Ok(Some((grader, mut record))) = folder.read(submission) else { return Ok(None) };
    let before = record.clone();
    match Store::open_to_read(&out.join(LEDGER))? {
        Some(store) => Marks::of_submission(out, &store, &record.submission)?.lay_on(&mut record),
        None => Marks::read_valid(out)?.0.lay_on(&mut record),
    }
    Overrides::read(out)?.lay_on(&mut record);
    if record != before {
        folder.write_held(&held, &grader, &record).map_err(unwritten)?;
    }
    Ok(Some((grader, [before.points, record.points])))
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::Duration;

    use super::*;
    use crate::store::Override;
    use crate::store::document::read_record;

    /// A decision that is made while a run writes its record must not put the record before it back.
    #[test]
    fn a_grading_that_is_written_meanwhile_is_not_replaced_by_the_one_before() {
        let out = tempfile::tempdir().unwrap();
        let (out, folder) = (out.path(), Folder::of(out.path()));
        let (grader, old) =
            read_record(include_str!("../../fixtures/records/partial.json")).unwrap();
        folder.write(&grader, &old).unwrap();
        let given = Override {
            submission: old.submission.clone(),
            assignment: old.assignment.clone(),
            check: "scaled-dot-product/mask-hides".into(),
            points: Some(Points::from_hundredths(50)),
            reason: "right in principle".into(),
            by: "Okafor".into(),
            given_at: "2026-01-31T12:00:00Z".into(),
            sha256: old.sha256.clone(),
        };
        Store::open(&out.join(LEDGER)).unwrap().add_override(&given).unwrap();
        let new = Record { sha256: "bb".into(), ..old.clone() };
        let held = folder.hold().unwrap();
        thread::scope(|scope| {
            let refreshed = scope.spawn(|| refresh_record(out, old.submission.as_raw()));
            // Long enough to read the old record, if nothing makes it wait.
            thread::sleep(Duration::from_millis(200));
            folder.write_held(&held, &grader, &new).unwrap();
            drop(held);
            refreshed.join().unwrap().unwrap();
        });
        let kept = folder.read(old.submission.as_raw()).unwrap().unwrap().1;
        assert_eq!(kept.sha256, "bb");
        assert_ne!(kept.points, new.points, "the override is laid on the new record");
    }
}
