//! Reasons for which a marking is not saved.

use rusqlite::{Transaction, params};
use softmark_untrusted::Untrusted;
use thiserror::Error;

use super::decisions::text;
use super::marking_rows::{AnswerId, MarkerRole, MarkingStep, NewMarking};

/// Reason why a marking is not saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
pub enum MarkingRefusal {
    /// The marker gave the other one of the first and the second mark of the answer.
    #[error("{}", self.as_str())]
    SamePerson,
    /// There is no second mark, so nobody can decide between two marks.
    #[error("{}", self.as_str())]
    NoSecondMark,
}

impl MarkingRefusal {
    /// Returns the reason in words.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::SamePerson => {
                "this marker gave the other mark of the answer; the first and the second marker are two persons"
            }
            Self::NoSecondMark => "the answer has no second mark, so there is nothing to decide",
        }
    }
}

/// Returns the reason why a marking must not be added; `None` if it may be.
pub(super) fn refusal(
    transaction: &Transaction<'_>,
    new: &NewMarking,
) -> rusqlite::Result<Option<MarkingRefusal>> {
    let MarkingStep::Mark(given) = &new.step else { return Ok(None) };
    let digest = given.answer_digest.as_str();
    let markers = |role| markers(transaction, (&new.answer, role), digest);
    let is_other_marker = |role| Ok(markers(role)?.contains(&new.by));
    let (is_refused, refusal) = match new.role {
        MarkerRole::First => (is_other_marker(MarkerRole::Second), MarkingRefusal::SamePerson),
        MarkerRole::Second => (is_other_marker(MarkerRole::First), MarkingRefusal::SamePerson),
        MarkerRole::Agreed => {
            (markers(MarkerRole::Second).map(|all| all.is_empty()), MarkingRefusal::NoSecondMark)
        }
    };
    Ok(is_refused?.then_some(refusal))
}

/// Returns the names of those who gave a mark in a role of the answer with this digest that was not taken back.
fn markers(
    transaction: &Transaction<'_>,
    (answer, role): (&AnswerId, MarkerRole),
    answer_digest: &str,
) -> rusqlite::Result<Vec<Untrusted>> {
    let AnswerId { assignment, question, submission } = answer;
    let sql = "SELECT given_by FROM markings WHERE submission = ?1 AND assignment = ?2 \
               AND question = ?3 AND role = ?4 AND withdraws IS NULL \
               AND answer_digest IN ('', ?5) AND id NOT IN (SELECT withdraws FROM markings \
               WHERE submission = ?1 AND withdraws IS NOT NULL)";
    let values = params![
        submission.as_raw(),
        assignment.as_raw(),
        question.as_raw(),
        role.as_str(),
        answer_digest
    ];
    transaction.prepare_cached(sql)?.query_map(values, |row| text(row, 0))?.collect()
}
