//! Writes `gradebook.csv` to the folder of results, and `leaderboard.csv` if models were asked for.

use std::io;
use std::path::{Path, PathBuf};

use super::error::ChangeError;
use crate::marks::Marks;
use crate::model::{Grader, Record, Run};
use crate::overrides::Overrides;
use crate::report::{self, Audience};
use crate::store::{Folder, replace};

/// File name of the gradebook.
pub const GRADEBOOK: &str = "gradebook.csv";

/// File name of the leaderboard, which may be shown to the class.
const LEADERBOARD: &str = "leaderboard.csv";

/// Writes the gradebook, and the leaderboard, of all records in the folder of results: those of earlier runs too, so that
/// grading one submission again does not lose the class. Returns the files among the records that are no records.
///
/// # Errors
///
/// Fails if one of them cannot be written, or the marks or overrides cannot be read.
pub fn write_gradebook(out: &Path, grader: &Grader) -> Result<Vec<PathBuf>, ChangeError> {
    let failed = |name: &'static str| {
        move |source: io::Error| ChangeError::Unwritten { path: out.join(name), source }
    };
    let folder = Folder::of(out);
    let _held = folder.hold().map_err(failed(GRADEBOOK))?;
    let (marks, overrides) = (Marks::read(out)?, Overrides::read(out)?);
    let mut records = Vec::new();
    let mut add = |mut record: Record| {
        marks.lay_on(&mut record);
        overrides.lay_on(&mut record);
        records.push(record.brief());
    };
    let unread = folder.for_each(&mut add).map_err(failed(GRADEBOOK))?;
    records.sort_by(|one, other| one.submission.cmp(&other.submission));
    let run = Run { grader: grader.clone(), records };
    gradebook(out, &run).map_err(failed(GRADEBOOK))?;
    leaderboard(out, &run.records).map_err(failed(LEADERBOARD))?;
    Ok(unread)
}

fn gradebook(out: &Path, run: &Run) -> io::Result<()> {
    let mut text = Vec::new();
    report::csv::write(&Audience::Staff.view(run), &mut text)?;
    replace(&out.join(GRADEBOOK), &text)
}

/// Writes the leaderboard if a record has a model, or to replace an existing file that would be out of date.
fn leaderboard(out: &Path, records: &[Record]) -> io::Result<()> {
    let path = out.join(LEADERBOARD);
    if !report::leaderboard::has_any(records) && !path.try_exists()? {
        return Ok(());
    }
    let mut text = Vec::new();
    report::leaderboard::write(records, &mut text)?;
    replace(&path, &text)
}
