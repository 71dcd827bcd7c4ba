//! Marks as events in the history of a submission.

use softmark_untrusted::Untrusted;

use super::csv_file::CsvMark;
use crate::marking::{Book, Question};
use crate::model::Points;
use crate::store::{MarkerRole, MarkingStep, SavedAnswers, SavedMarking};

/// Mark of a written answer, or its withdrawal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkEvent {
    /// Id of the newest record of the ledger at that time; `None` if the mark is a line of `marks.csv`.
    pub after_record: Option<i64>,
    /// Question id.
    pub question: Untrusted,
    /// Points as the rubric is now, or in the notation of the file; `None` if an earlier mark is taken back.
    pub points: Option<Untrusted>,
    /// Comment for the student.
    pub comment: Untrusted,
    /// Name of the marker.
    pub by: Untrusted,
    /// Role of the marker.
    pub role: MarkerRole,
    /// Time of marking, in RFC 3339; it may be empty for a line of `marks.csv`.
    pub given_at: Untrusted,
}

impl From<&CsvMark> for MarkEvent {
    fn from(mark: &CsvMark) -> Self {
        Self {
            after_record: None,
            question: mark.question.clone(),
            points: Some(mark.points.clone()),
            comment: mark.comment.clone(),
            by: mark.by.clone(),
            role: MarkerRole::First,
            given_at: mark.given_at.as_str().into(),
        }
    }
}

impl MarkEvent {
    /// Creates the event of a row in the ledger. The answers of the submission's newest record of each assignment say what the
    /// answer is worth.
    pub(super) fn of(row: &SavedMarking, book: &Book, answers: &[SavedAnswers]) -> Self {
        let id = &row.answer.question;
        let of_assignment = answers.iter().filter(|it| it.assignment == row.answer.assignment);
        let answer = of_assignment.flat_map(|it| &it.written).find(|answer| answer.id == *id);
        let max_points = answer.map_or(Points::MAX, |answer| answer.max_points);
        let question: Question<'_> = book.question(&row.answer.assignment, id, max_points);
        let comment = match &row.step {
            MarkingStep::Mark(given) => given.comment.clone(),
            MarkingStep::Withdrawal(_) => Untrusted::EMPTY,
        };
        Self {
            after_record: Some(row.after_record),
            question: id.clone(),
            points: question.points(row).map(|points| points.to_string().into()),
            comment,
            by: row.by.clone(),
            role: row.role,
            given_at: row.given_at.clone(),
        }
    }
}
