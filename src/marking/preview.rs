//! Preview of a change of the rubric: whose points change, and by how much.

use softmark_untrusted::Untrusted;

use super::book::{Book, Mark};
use super::history::mark_in;
use crate::model::Points;
use crate::store::{ItemId, ItemVersion};

/// Effect of a change of a rubric item on one answer that has the item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// Submission id.
    pub submission: Untrusted,
    /// Points before the change.
    pub from: Points,
    /// Points after the change.
    pub to: Points,
}

/// Version of a submission's answer.
#[derive(Debug, Clone, Copy)]
pub struct AnswerVersion<'a> {
    /// Submission id.
    pub submission: &'a Untrusted,
    /// Digest of the answer.
    pub digest: &'a str,
    /// Points that the answer is worth.
    pub max_points: Points,
}

/// Question of an assignment.
#[derive(Debug, Clone, Copy)]
pub struct QuestionId<'a> {
    /// Assignment id.
    pub assignment: &'a Untrusted,
    /// Question id.
    pub id: &'a Untrusted,
}

/// Returns the effects of a new version of an item on the answers whose mark has the item, in the order of `answers`. Answers
/// whose points stay the same are listed as well; those that need marking again are not.
pub fn preview(
    book: &Book,
    QuestionId { assignment, id }: QuestionId<'_>,
    (item, content): (ItemId, &ItemVersion),
    answers: &[AnswerVersion<'_>],
) -> Vec<Effect> {
    let mut effects = Vec::new();
    for AnswerVersion { submission, digest, max_points } in answers.iter().copied() {
        let question = book.question(assignment, id, max_points);
        let changed = question.with(item, content);
        let answer = book.answer(&question.answer_of(submission));
        let Mark::Given(marked) = question.mark(answer, digest) else { continue };
        let has_item = mark_in(marked.marking).is_some_and(|it| it.items.contains(&item));
        if let Some(to) = changed.points(marked.marking).filter(|_| has_item) {
            effects.push(Effect { submission: submission.clone(), from: marked.points, to });
        }
    }
    effects
}
