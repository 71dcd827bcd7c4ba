//! Disagreement of a first and a second marker.

use super::book::Question;
use super::history::Answer;
use crate::model::{Delta, Points};
use crate::store::{MarkerRole, SavedMarking};

/// Answer for which two markers gave different points.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Disagreement<'a> {
    /// Marking of the first marker.
    pub first: &'a SavedMarking,
    /// Points of the first marker.
    pub first_points: Points,
    /// Marking of the second marker.
    pub second: &'a SavedMarking,
    /// Points of the second marker.
    pub second_points: Points,
}

impl Disagreement<'_> {
    /// Returns the second marker's points less the first marker's.
    pub fn difference(&self) -> Delta {
        Delta::between(self.first_points, self.second_points)
    }
}

/// Returns the disagreement about the version of an answer with this digest. `None` if one of the markers has not marked it,
/// they gave the same points, or an agreed mark is newer than both.
pub fn disagreement<'a>(
    answer: &'a Answer,
    answer_digest: &str,
    question: &Question<'_>,
) -> Option<Disagreement<'a>> {
    let of_role = |role| answer.history(role).of_version(answer_digest).counting;
    let (first, second) = (of_role(MarkerRole::First)?, of_role(MarkerRole::Second)?);
    let agreed = of_role(MarkerRole::Agreed);
    let is_settled = agreed.is_some_and(|it| it.id > first.id && it.id > second.id);
    let (first_points, second_points) = (question.points(first)?, question.points(second)?);
    let disagreement = Disagreement { first, first_points, second, second_points };
    (!is_settled && first_points != second_points).then_some(disagreement)
}
