//! Disagreement of a first and a second marker.

use softmark_untrusted::Untrusted;

use super::book::Question;
use super::history::Answer;
use super::line::LineMark;
use crate::model::{Delta, Points};
use crate::store::{MarkerRole, SavedMarking};

/// Answer for which two markers gave different points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement {
    /// Mark of the first marker.
    pub first: MarkerPoints,
    /// Mark of the second marker.
    pub second: MarkerPoints,
}

/// Points that a marker gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkerPoints {
    /// Name of the marker; it may be empty for a line of `marks.csv`.
    pub by: Untrusted,
    /// Points.
    pub points: Points,
}

impl Disagreement {
    /// Returns the second marker's points less the first marker's.
    pub fn difference(&self) -> Delta {
        Delta::between(self.first.points, self.second.points)
    }
}

impl MarkerPoints {
    fn of(marking: &SavedMarking, question: &Question<'_>) -> Option<Self> {
        Some(Self { by: marking.by.clone(), points: question.points(marking)? })
    }

    fn of_line(line: &LineMark) -> Self {
        Self { by: line.by.clone(), points: line.points }
    }
}

/// Returns the disagreement about the version of an answer with this digest. `None` if one of the markers has not marked it,
/// they gave the same points, or an agreed mark is newer than both. `line` is the line of `marks.csv` that counts in place of
/// a first mark and an agreed one in the ledger.
pub fn disagreement(
    (answer, answer_digest): (&Answer, &str),
    question: &Question<'_>,
    line: Option<&LineMark>,
) -> Option<Disagreement> {
    let of_role = |role| answer.history(role).of_version(answer_digest).counting;
    let second = MarkerPoints::of(of_role(MarkerRole::Second)?, question)?;
    let first = match line {
        Some(line) => MarkerPoints::of_line(line),
        None if answer.agreed(answer_digest).is_some() => return None,
        None => MarkerPoints::of(of_role(MarkerRole::First)?, question)?,
    };
    (first.points != second.points).then_some(Disagreement { first, second })
}
