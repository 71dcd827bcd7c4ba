//! Rows of the database as tests have them: about one question of one assignment.

use crate::store::{
    AnswerId, GivenMark, ItemId, ItemVersion, MarkerRole, MarkingId, MarkingStep, SavedItem,
    SavedMarking,
};

/// Time of all rows.
pub(crate) const NOON: &str = "2026-01-31T12:00:00Z";

/// Returns the id of a submission's answer.
pub(crate) fn answer(submission: &str) -> AnswerId {
    AnswerId::new(&"essay".into(), &"explanation".into(), &submission.into())
}

/// Returns marking `id` of amara's answer by Okafor, the first marker, who saw row `seen`.
pub(crate) fn marking(id: i64, seen: i64, given: GivenMark) -> SavedMarking {
    SavedMarking {
        id: MarkingId::from_number(id),
        after_record: 0,
        answer: answer("amara"),
        role: MarkerRole::First,
        seen: MarkingId::from_number(seen),
        step: MarkingStep::Mark(given),
        by: "Okafor".into(),
        given_at: NOON.into(),
    }
}

/// Returns version `version` of item `item`.
pub(crate) fn item(item: i64, version: i64, content: ItemVersion) -> SavedItem {
    let AnswerId { assignment, question, .. } = answer("amara");
    SavedItem {
        version,
        item: ItemId::from_number(item),
        assignment,
        question,
        content,
        by: "Okafor".into(),
        given_at: NOON.into(),
    }
}
