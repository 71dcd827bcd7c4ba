//! Rows of the markings of written answers.

use std::collections::BTreeSet;

use softmark_untrusted::Untrusted;

use super::rubrics::ItemId;
use crate::model::Delta;

/// Id of a marking; a later marking has a larger id.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct MarkingId(i64);

impl MarkingId {
    /// No marking.
    pub const NONE: Self = Self(0);

    /// Returns the id with this number.
    pub fn from_number(number: i64) -> Self {
        Self(number)
    }

    /// Returns the number of the id.
    pub fn number(self) -> i64 {
        self.0
    }
}

/// Role in which a person marks an answer.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum MarkerRole {
    /// The first marker.
    #[default]
    First,
    /// A second marker, who does not see what the first one gave.
    Second,
    /// The person who decides between the first and the second marker.
    Agreed,
}

impl MarkerRole {
    /// Every role.
    pub const ALL: [Self; 3] = [Self::First, Self::Second, Self::Agreed];

    /// Returns the name in the database and in addresses of pages.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::First => "first",
            Self::Second => "second",
            Self::Agreed => "agreed",
        }
    }

    /// Returns the role with this name; `None` if there is none.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|role| role.as_str() == name)
    }
}

/// Written answer: the question of an assignment that a submission answers.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct AnswerId {
    /// Assignment id.
    pub assignment: Untrusted,
    /// Question id.
    pub question: Untrusted,
    /// Submission id.
    pub submission: Untrusted,
}

impl AnswerId {
    /// Creates the id of a submission's answer to a question.
    pub fn new(assignment: &Untrusted, question: &Untrusted, submission: &Untrusted) -> Self {
        Self {
            assignment: assignment.clone(),
            question: question.clone(),
            submission: submission.clone(),
        }
    }
}

/// Points and comment that a person gives for an answer.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GivenMark {
    /// Chosen items of the rubric.
    pub items: BTreeSet<ItemId>,
    /// Points in addition to those of the items; they may be negative.
    pub free: Delta,
    /// Comment for the student.
    pub comment: Untrusted,
    /// Digest of the answer that was marked.
    pub answer_digest: String,
}

/// Decision about an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum MarkingStep {
    /// The answer is marked.
    Mark(GivenMark),
    /// An earlier marking is taken back.
    Withdrawal(MarkingId),
}

/// Marking that is to be saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewMarking {
    /// Answer.
    pub answer: AnswerId,
    /// Role of the marker.
    pub role: MarkerRole,
    /// Newest row about this answer and role that the marker saw; [`MarkingId::NONE`] if there was none.
    pub seen: MarkingId,
    /// Decision.
    pub step: MarkingStep,
    /// Name of the marker.
    pub by: Untrusted,
    /// Time of marking, in RFC 3339.
    pub given_at: Untrusted,
}

/// Marking in the database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedMarking {
    /// Id.
    pub id: MarkingId,
    /// Id of the newest record of the ledger when the mark was given; 0 if there was none.
    pub after_record: i64,
    /// Answer.
    pub answer: AnswerId,
    /// Role of the marker.
    pub role: MarkerRole,
    /// Newest marking of the same answer in the same role that the marker saw.
    pub seen: MarkingId,
    /// Decision.
    pub step: MarkingStep,
    /// Name of the marker.
    pub by: Untrusted,
    /// Time of marking, in RFC 3339.
    pub given_at: Untrusted,
}
