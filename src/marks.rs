//! Marks of written answers: `marks.csv` in the folder of results.
//!
//! Marks are kept apart from the grader's records: grading again changes no mark, and a mark
//! changes no graded points. Lines are appended and never changed, so the file is a history of all
//! marks; the last mark of an answer wins. The file may be edited in a spreadsheet as well.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use softmark_untrusted::Untrusted;
use thiserror::Error;

use crate::digest;
use crate::model::{Points, Record, WrittenRecord};
use crate::spreadsheet::defused;
use crate::store::replace;

/// Name of the file in the folder of results.
pub const MARKS: &str = "marks.csv";

/// Mark of one written answer of one submission.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Mark {
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
    /// [Digest](digest_of) of the marked answer. If it is empty, as in a line that was typed in a
    /// spreadsheet, the mark applies to any version of the answer.
    #[serde(default)]
    pub answer_digest: String,
}

/// All marks of a folder of results, in the order in which they were given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Marks(Vec<Mark>);

/// Failure to read or write marks.
#[derive(Debug, Error)]
pub enum MarksError {
    /// The file cannot be read or written.
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
}

/// Returns the digest of an answer, which ties a mark to this version of the answer.
pub fn digest_of(answer: &WrittenRecord) -> String {
    digest::of(&[answer.text.as_raw()])
}

impl Mark {
    /// Returns the points; `None` if they are invalid.
    fn value(&self) -> Option<Points> {
        self.points.as_raw().trim().parse().ok().and_then(Points::parse)
    }

    /// True if the mark is of this submission.
    fn is_about(&self, submission: &Untrusted) -> bool {
        // The file may hold the name in the form that spreadsheets do not take for a formula.
        self.submission == *submission || self.submission == defused(submission.as_raw())
    }

    /// True if the mark is of this answer of this submission.
    fn is_of(&self, submission: &Untrusted, answer: &WrittenRecord) -> bool {
        self.is_about(submission) && self.question == answer.id
    }

    /// Returns the reason why the mark has no effect on these records; `None` if it has one.
    fn no_effect(&self, records: &[Record]) -> Option<String> {
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

    /// Returns the text for a column of the file.
    fn cell(&self, column: &str) -> String {
        match column {
            "submission" => defused(self.submission.as_raw()),
            "question" => self.question.as_raw().to_owned(),
            "points" => self.points.as_raw().to_owned(),
            "by" => defused(self.by.as_raw()),
            "comment" => defused(self.comment.as_raw()),
            "given_at" => self.given_at.clone(),
            "answer_digest" => self.answer_digest.clone(),
            _ => String::new(),
        }
    }
}

/// Columns of the file; a spreadsheet may add others and reorder these.
const COLUMNS: [&str; 7] =
    ["submission", "question", "points", "by", "comment", "given_at", "answer_digest"];

/// Returns the text of the file with one line added, and with the columns that its head lacks.
fn with_line(there: &str, mark: &Mark) -> Result<Vec<u8>, csv::Error> {
    let there = there.trim_start_matches('\u{feff}');
    let mut reader =
        csv::ReaderBuilder::new().flexible(true).has_headers(false).from_reader(there.as_bytes());
    let mut rows = reader.records();
    let head = rows.next().transpose()?.unwrap_or_default();
    let mut columns: Vec<&str> = head.iter().collect();
    columns.extend(COLUMNS.iter().filter(|it| !head.iter().any(|column| column == **it)));
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    writer.write_record(&columns)?;
    for row in rows {
        let mut row = row?;
        // The parser rejects a row that is shorter than the head.
        (row.len()..columns.len()).for_each(|_| row.push_field(""));
        writer.write_record(&row)?;
    }
    writer.write_record(columns.iter().map(|column| mark.cell(column)))?;
    writer.into_inner().map_err(|error| error.into_error().into())
}

impl Marks {
    /// Reads the marks of the results at `out`; there are none if the file does not exist.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read, or if a line lacks its submission, question or points, or
    /// has an invalid number of points.
    pub fn read(out: &Path) -> Result<Self, MarksError> {
        let path = out.join(MARKS);
        let text = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Self::default()),
            Err(source) => return Err(MarksError::File { path, source }),
        };
        // Spreadsheets write a byte order mark.
        let text = text.trim_start_matches('\u{feff}');
        let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
        let marks: Result<Vec<Mark>, csv::Error> = reader.deserialize().collect();
        let marks = marks.map_err(|source| MarksError::Csv { path: path.clone(), source })?;
        if let Some(odd) = marks.iter().find(|mark| mark.value().is_none()) {
            let Mark { submission, question, points, .. } = odd.clone();
            return Err(MarksError::Points { path, submission, question, points });
        }
        Ok(Self(marks))
    }

    /// Appends a mark to the file at `out`. The caller must [hold](crate::store::Folder::hold) the
    /// folder.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written.
    pub fn add(out: &Path, mark: Mark) -> Result<Self, MarksError> {
        let path = out.join(MARKS);
        let mut marks = Self::read(out)?;
        let there = match fs::read_to_string(&path) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(source) => return Err(MarksError::File { path, source }),
        };
        let written = with_line(&there, &mark).map_err(io::Error::other);
        let written = written.and_then(|text| replace(&path, &text));
        written.map_err(|source| MarksError::File { path, source })?;
        marks.0.push(mark);
        Ok(marks)
    }

    /// Returns the marks of a submission, in the order in which they were given.
    pub fn of(&self, submission: &Untrusted) -> Vec<Mark> {
        self.0.iter().filter(|mark| mark.is_about(submission)).cloned().collect()
    }

    /// Returns the marks that have no effect, with the reasons, so that typos are reported.
    pub fn strays(&self, records: &[Record]) -> Vec<(&Mark, String)> {
        self.0.iter().filter_map(|mark| Some((mark, mark.no_effect(records)?))).collect()
    }

    /// Adds the marks to a record's written answers. An answer that was changed after it was marked
    /// needs marking again, and so does one whose mark exceeds its maximum.
    pub fn lay_on(&self, record: &mut Record) {
        for answer in &mut record.written {
            let marked = digest_of(answer);
            let mark = self.0.iter().rev().find(|mark| mark.is_of(&record.submission, answer));
            let holds = |mark: &&Mark| {
                (mark.answer_digest.is_empty() || mark.answer_digest == marked)
                    && mark.value().is_some_and(|points| points <= answer.max_points)
            };
            let mark = mark.filter(holds);
            answer.points = mark.and_then(Mark::value);
            answer.comment = mark.map(|mark| mark.comment.clone()).unwrap_or_default();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::RecordOutcome;

    fn mark(submission: &str, points: &str) -> Mark {
        Mark {
            submission: submission.into(),
            question: "explanation".into(),
            points: points.into(),
            by: "Okafor".into(),
            comment: "the first half, well seen".into(),
            given_at: "2026-01-31T12:00:00Z".to_owned(),
            answer_digest: String::new(),
        }
    }

    #[test]
    fn marks_are_kept_as_they_were_given_and_names_start_no_formula() {
        let out = tempfile::tempdir().unwrap();
        assert_eq!(Marks::read(out.path()).unwrap(), Marks::default());
        Marks::add(out.path(), mark("amara", "2")).unwrap();
        Marks::add(out.path(), mark("=1+1", "3.5")).unwrap();
        let text = fs::read_to_string(out.path().join(MARKS)).unwrap();
        assert!(text.starts_with("submission,question,points,by,comment,given_at,answer_digest\n"));
        assert!(text.contains("\n'=1+1,explanation,3.5,"), "{text}");
        let marks = Marks::read(out.path()).unwrap();
        assert_eq!(marks.0.first(), Some(&mark("amara", "2")));
        assert_eq!(marks.0.len(), 2);
    }

    #[test]
    fn what_people_wrote_stays_when_a_mark_is_added() {
        let out = tempfile::tempdir().unwrap();
        let path = out.path().join(MARKS);
        fs::write(&path, "question,submission,points,seen\nexplanation,ben,1,twice\n").unwrap();
        Marks::add(out.path(), mark("amara", "2")).unwrap();
        let text = fs::read_to_string(&path).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines.first(),
            Some(&"question,submission,points,seen,by,comment,given_at,answer_digest")
        );
        assert_eq!(lines.get(1), Some(&"explanation,ben,1,twice,,,,"));
        let last = lines.last().unwrap();
        assert!(last.starts_with("explanation,amara,2,,Okafor,"), "{text}");
        let marks = Marks::read(out.path()).unwrap();
        assert_eq!(marks.0.get(1), Some(&mark("amara", "2")));
    }

    #[test]
    fn marks_that_count_for_nothing_are_told() {
        let told = |mark: Mark| {
            let marks = Marks(vec![mark]);
            let strays = marks.strays(&[record("because")]);
            strays.first().map(|(_, why)| why.clone())
        };
        assert_eq!(told(mark("amara", "4")), None);
        assert_eq!(told(mark("amar", "4")).as_deref(), Some("there is no record of that name"));
        assert_eq!(
            told(Mark { question: "explanations".into(), ..mark("amara", "4") }).as_deref(),
            Some("`debugging` has no such question")
        );
        assert_eq!(
            told(mark("amara", "4.01")).as_deref(),
            Some("4.01 is more than the 4.00 it is worth")
        );
    }

    #[test]
    fn a_line_from_a_spreadsheet_will_do_and_an_odd_one_is_named() {
        let out = tempfile::tempdir().unwrap();
        let write = |text: &str| fs::write(out.path().join(MARKS), text).unwrap();
        write("\u{feff}submission,question,points\r\namara,explanation, 3.5\r\n");
        assert_eq!(Marks::read(out.path()).unwrap().0.len(), 1);
        for odd in ["much", "-1", "0.125", "NaN", ""] {
            write(&format!("submission,question,points\namara,explanation,{odd}\n"));
            let said = Marks::read(out.path()).unwrap_err().to_string();
            assert!(said.contains("amara") && said.contains(&format!("`{odd}`")), "{said}");
        }
        write("who,points\namara,3\n");
        let said = Marks::read(out.path()).unwrap_err().to_string();
        assert!(said.contains("submission"), "{said}");
    }

    fn record(text: &str) -> Record {
        let answer = WrittenRecord {
            id: "explanation".into(),
            title: "Why".into(),
            points: None,
            max_points: Points::from_hundredths(400),
            comment: Untrusted::EMPTY,
            text: text.into(),
        };
        Record {
            submission: "amara".into(),
            entry: Untrusted::EMPTY,
            submitted: None,
            sha256: Untrusted::EMPTY,
            assignment: "debugging".into(),
            outcome: RecordOutcome::Graded,
            reason: None,
            points: Points::ZERO,
            max_points: Points::ZERO,
            tasks: Vec::new(),
            written: vec![answer],
            models: Vec::new(),
            trainings: Vec::new(),
            notes: Vec::new(),
            log: Untrusted::EMPTY,
            usage: None,
        }
    }

    fn laid_on(marks: &[Mark], text: &str) -> Option<String> {
        let mut record = record(text);
        Marks(marks.to_vec()).lay_on(&mut record);
        record.written.first().unwrap().points.map(|points| points.to_string())
    }

    #[test]
    fn the_last_mark_counts_and_only_for_the_answer_that_was_marked() {
        let marked = digest_of(record("because").written.first().unwrap());
        let of_because = Mark { answer_digest: marked, ..mark("amara", "3") };
        assert_eq!(laid_on(&[], "because"), None);
        assert_eq!(laid_on(&[mark("ben", "1")], "because"), None);
        let marks = [mark("amara", "2"), of_because];
        assert_eq!(laid_on(&marks, "because").as_deref(), Some("3.00"));
        // After another hand-in, the marked answer no longer exists.
        assert_eq!(laid_on(&marks, "because of that"), None);
        assert_eq!(laid_on(marks.get(..1).unwrap(), "any").as_deref(), Some("2.00"));
        assert_eq!(laid_on(&[mark("amara", "4.01")], "any"), None);
    }
}
