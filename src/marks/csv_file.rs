//! Marks in a spreadsheet: lines of `marks.csv`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::course::{CivilTime, Moment, Reading, WallClock, delimiter_of};
use crate::digest;
use crate::model::{Points, Record, WrittenRecord};
use crate::spreadsheet::defused;
use crate::store::StoreError;

/// Name of the file in the folder of results.
pub const MARKS: &str = "marks.csv";

/// Mark of one written answer of one submission: a line of the file.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct CsvMark {
    /// Submission id.
    pub submission: Untrusted,
    /// Question id.
    pub question: Untrusted,
    /// Points, in the notation of the file.
    pub points: Untrusted,
    /// Name of the marker.
    #[serde(default)]
    pub by: Untrusted,
    /// Comment for the student.
    #[serde(default)]
    pub comment: Untrusted,
    /// Time of marking, in RFC 3339.
    #[serde(default)]
    pub given_at: String,
    /// [Digest](digest_of) of the marked answer. If it is empty, as in a line from a
    /// spreadsheet, the mark applies to any version of the answer.
    #[serde(default)]
    pub answer_digest: String,
}

/// Failure to read marks.
#[derive(Debug, Error)]
pub enum MarksError {
    /// The file cannot be read.
    #[error("cannot use {}: {source}", path.display())]
    File {
        /// Path of the file.
        path: PathBuf,
        /// Cause of the failure.
        source: io::Error,
    },
    /// The file is not valid CSV with the required columns.
    #[error("{}: {source}", path.display())]
    Csv {
        /// Path of the file.
        path: PathBuf,
        /// Error of the parser, with the line.
        source: csv::Error,
    },
    /// A line has an invalid number of points.
    #[error(
        "{}: `{question}` of `{submission}` has `{points}` points, which is no number of hundredths \
         from 0 to {}", path.display(), Points::MAX
    )]
    Points {
        /// Path of the file.
        path: PathBuf,
        /// Submission id.
        submission: Untrusted,
        /// Question id.
        question: Untrusted,
        /// Text in the column of points.
        points: Untrusted,
    },
    /// A line has a time that is none.
    #[error(
        "{}: the mark of `{question}` of `{submission}` was given at `{given_at}`, which is no time such as \
         2026-01-31T12:00:00Z; it may be left empty", path.display()
    )]
    Time {
        /// Path of the file.
        path: PathBuf,
        /// Submission id.
        submission: Untrusted,
        /// Question id.
        question: Untrusted,
        /// Text in the column of times.
        given_at: Untrusted,
    },
    /// The ledger cannot be used.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the digest of an answer, which ties a mark to this version of the answer.
pub fn digest_of(answer: &WrittenRecord) -> String {
    digest::of(&[answer.text.as_raw()])
}

impl CsvMark {
    /// Returns the points; `None` if they are invalid.
    pub(super) fn value(&self) -> Option<Points> {
        self.points.as_raw().trim().parse().ok().and_then(Points::parse)
    }

    /// Returns the names under which the file may have a submission: its own, and the form that spreadsheets do not take for a
    /// formula.
    pub(super) fn names_of(submission: &Untrusted) -> [Untrusted; 2] {
        [submission.clone(), defused(submission.as_raw()).into()]
    }

    /// True if the mark is of this submission.
    pub(super) fn is_about(&self, submission: &Untrusted) -> bool {
        Self::names_of(submission).contains(&self.submission)
    }

    /// True if the mark counts for this version of the answer.
    pub(super) fn holds(&self, answer: &WrittenRecord) -> bool {
        let is_of_version =
            self.answer_digest.is_empty() || self.answer_digest == digest_of(answer);
        is_of_version && self.value().is_some_and(|points| points <= answer.max_points)
    }

    /// True if the mark was given later than another one. A line without a time is never later.
    pub(super) fn is_later_than(&self, other: &Untrusted) -> bool {
        match (moment(&self.given_at), moment(other.as_raw())) {
            (Some(own), Some(other)) => own > other,
            (Some(_), None) => true,
            (None, _) => false,
        }
    }

    /// True if the time of marking can be read.
    pub(super) fn has_time(&self) -> bool {
        moment(&self.given_at).is_some()
    }

    /// Returns the reason why the mark has no effect on these records, whatever the ledger says; `None` if it may have one.
    pub(super) fn no_effect(&self, records: &[Record]) -> Option<String> {
        let Some(record) = records.iter().find(|record| self.is_about(&record.submission)) else {
            return Some("there is no record of that name".to_owned());
        };
        let Some(answer) = record.written.iter().find(|it| it.id == self.question) else {
            return Some(format!("`{}` has no such question", record.assignment));
        };
        let most = answer.max_points;
        let is_more = self.value().is_some_and(|points| points > most);
        is_more.then(|| format!("{} is more than the {most} it is worth", self.points))
    }
}

fn moment(time: &str) -> Option<Moment> {
    CivilTime::parse(time).map(|time| time.moment(&WallClock::UTC, Reading::Earlier))
}

/// Reads the valid lines of the file in the folder of results at `out`, and returns the first error as well. There are no lines if
/// the file does not exist.
pub(super) fn read_valid(out: &Path) -> (Vec<CsvMark>, Option<MarksError>) {
    let path = out.join(MARKS);
    let text = match fs::read_to_string(&path) {
        Ok(text) => text,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return (Vec::new(), None),
        Err(source) => return (Vec::new(), Some(MarksError::File { path, source })),
    };
    // Spreadsheets write a byte order mark.
    let text = text.trim_start_matches('\u{feff}');
    // Those of some countries write semicolons. All delimiters are one byte.
    let delimiter = u8::try_from(delimiter_of(text)).unwrap_or(b',');
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.flexible(true).delimiter(delimiter);
    let mut reader = reader.from_reader(text.as_bytes());
    let (mut marks, mut error) = (Vec::new(), None);
    for line in reader.deserialize() {
        match valid(&path, line) {
            Ok(mark) => marks.push(mark),
            Err(invalid) => error = error.or(Some(invalid)),
        }
    }
    (marks, error)
}

/// Returns the mark of a line that is valid.
fn valid(path: &Path, line: Result<CsvMark, csv::Error>) -> Result<CsvMark, MarksError> {
    let mark = line.map_err(|source| MarksError::Csv { path: path.to_owned(), source })?;
    let has_points = mark.value().is_some();
    if has_points && (mark.given_at.trim().is_empty() || mark.has_time()) {
        return Ok(mark);
    }
    let path = path.to_owned();
    let CsvMark { submission, question, points, given_at, .. } = mark;
    Err(if has_points {
        MarksError::Time { path, submission, question, given_at: given_at.into() }
    } else {
        MarksError::Points { path, submission, question, points }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(out: &Path) -> Result<Vec<CsvMark>, MarksError> {
        let (marks, error) = read_valid(out);
        error.map_or(Ok(marks), Err)
    }

    #[test]
    fn a_line_from_a_spreadsheet_will_do_and_an_invalid_one_is_named() {
        let out = tempfile::tempdir().unwrap();
        assert_eq!(read(out.path()).unwrap(), []);
        let write = |text: &str| fs::write(out.path().join(MARKS), text).unwrap();
        write("\u{feff}submission,question,points\r\namara,explanation, 3.5\r\n");
        assert_eq!(read(out.path()).unwrap().len(), 1);
        write("question,submission,points,seen\nexplanation,'=1+1,1,twice\n");
        let marks = read(out.path()).unwrap();
        assert!(marks.first().unwrap().is_about(&"=1+1".into()));
        for odd in ["much", "-1", "0.125", "NaN", ""] {
            write(&format!("submission,question,points\namara,explanation,{odd}\n"));
            let error = read(out.path()).unwrap_err().to_string();
            assert!(error.contains("amara") && error.contains(&format!("`{odd}`")), "{error}");
        }
        write("submission,question,points\namara,explanation,x\nben,explanation,2\n");
        let (marks, error) = read_valid(out.path());
        assert_eq!(marks.iter().map(|it| it.submission.to_string()).collect::<Vec<_>>(), ["ben"]);
        assert!(matches!(error, Some(MarksError::Points { .. })));
        write("submission;question;points\r\namara;explanation;3.5\r\n");
        assert_eq!(read(out.path()).unwrap()[0].points, "3.5");
        write("submission,question,points,given_at\namara,explanation,2,yesterday\n");
        let error = read(out.path()).unwrap_err().to_string();
        assert!(error.contains("given at `yesterday`, which is no time"), "{error}");
        write("submission,question,points,given_at\namara,explanation,2,\n");
        assert_eq!(read(out.path()).unwrap().len(), 1);
        write("who,points\namara,3\n");
        let error = read(out.path()).unwrap_err().to_string();
        assert!(error.contains("submission"), "{error}");
    }

    #[test]
    fn times_are_compared_as_times_and_a_line_without_one_is_never_later() {
        let mark = |given_at: &str| CsvMark {
            submission: "amara".into(),
            question: "explanation".into(),
            points: "2".into(),
            by: Untrusted::EMPTY,
            comment: Untrusted::EMPTY,
            given_at: given_at.to_owned(),
            answer_digest: String::new(),
        };
        let noon: Untrusted = "2026-01-31T12:00:00Z".into();
        for (given_at, is_later) in [
            ("2026-01-31T12:00:01Z", true),
            ("2026-01-31T12:00:00Z", false),
            ("2026-01-31T12:30:00+01:00", false),
            ("2026-01-31 12:00:30", true),
            ("", false),
            ("today", false),
        ] {
            assert_eq!(mark(given_at).is_later_than(&noon), is_later, "{given_at}");
        }
        assert!(mark("2026-01-31T12:00:00Z").is_later_than(&"some day".into()));
    }
}
