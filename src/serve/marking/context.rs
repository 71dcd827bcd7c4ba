//! Context of a request among the marking pages: question, role and answer.

use std::sync::Arc;

use softmark_untrusted::Untrusted;

use super::snapshot::{Entry, Snapshot, Written};
use crate::marking::{Answer, AnswerCode, Mark, Marked, Question, disagreement};
use crate::model::Points;
use crate::serve::access::Role;
use crate::serve::problem::Problem;
use crate::serve::visit::Visit;
use crate::store::{AnswerId, MarkerRole, MarkingId};

/// Question that a request is about, and the role in which its user marks.
#[derive(Debug)]
pub(super) struct MarkingContext {
    /// Answers and marks.
    pub(super) snapshot: Snapshot,
    /// Question with its answers.
    pub(super) written: Arc<Written>,
    /// Role of the marker.
    pub(super) role: MarkerRole,
    /// True if names of students are not shown.
    pub(super) is_anonymous: bool,
    /// True if the user may mark.
    pub(super) may_mark: bool,
}

/// Answer that a request is about.
#[derive(Debug, Clone)]
pub(super) struct ClassAnswer {
    /// Code of the answer.
    pub(super) code: AnswerCode,
    /// Answer.
    pub(super) entry: Arc<Entry>,
}

/// State of an answer in a role.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum State {
    /// The answer needs marking.
    Open,
    /// The answer was changed after it was marked.
    Changed,
    /// The answer is marked.
    Marked {
        /// Points.
        points: Points,
        /// Name of the marker; `None` if the mark is a line of `marks.csv`.
        by: Option<Untrusted>,
    },
}

impl ClassAnswer {
    /// Creates the answer with this code.
    pub(super) fn new(code: AnswerCode, entry: &Arc<Entry>) -> Self {
        Self { code, entry: Arc::clone(entry) }
    }
}

impl MarkingContext {
    /// Returns the context that the path and the fields of a request name.
    ///
    /// # Errors
    ///
    /// Fails if there is no such question or role, or the ledger cannot be read.
    pub(super) fn of(visit: &Visit<'_>) -> Result<Self, Problem> {
        let snapshot = visit.shared.snapshot()?;
        let [assignment, question] =
            ["assignment", "question"].map(|part| Untrusted::from(visit.parts.text(part)));
        let written = snapshot.questions.get(&(assignment, question)).cloned();
        let written = written.ok_or(Problem::NotFound)?;
        let named = [visit.form.text("role"), visit.query.text("role")];
        let role = match named.into_iter().find(|it| !it.is_empty()) {
            Some(name) => MarkerRole::from_name(name).ok_or(Problem::NotFound)?,
            None => MarkerRole::First,
        };
        let is_anonymous = visit.shared.config.is_anonymous;
        let may_mark = visit.user().role >= Role::Marker;
        Ok(Self { snapshot, written, role, is_anonymous, may_mark })
    }

    /// Returns the answer that the path names.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub(super) fn at(&self, visit: &Visit<'_>) -> Result<ClassAnswer, Problem> {
        self.find(visit.parts.text("code"))
    }

    /// Returns the answer with a code.
    ///
    /// # Errors
    ///
    /// Fails if there is none.
    pub(super) fn find(&self, code: &str) -> Result<ClassAnswer, Problem> {
        let code = AnswerCode::parse(code).ok_or(Problem::NotFound)?;
        let entry = self.written.answers.get(&code).cloned().ok_or(Problem::NotFound)?;
        Ok(ClassAnswer { code, entry })
    }

    /// Returns the path of the question's page.
    pub(super) fn path(&self) -> String {
        let Written { assignment, id, .. } = &*self.written;
        format!("/marking/{assignment}/{id}")
    }

    /// Returns the path of an answer's page in this role.
    pub(super) fn path_of(&self, code: AnswerCode) -> String {
        self.path_in_role(code, self.role)
    }

    /// Returns the path of an answer's page in a role.
    pub(super) fn path_in_role(&self, code: AnswerCode, role: MarkerRole) -> String {
        let path = format!("{}/answers/{code}", self.path());
        match role {
            MarkerRole::First => path,
            MarkerRole::Second | MarkerRole::Agreed => format!("{path}?role={}", role.as_str()),
        }
    }

    /// Returns the question as the answer was asked: with the points that it is worth.
    pub(super) fn question(&self, entry: &Entry) -> Question<'_> {
        let Written { assignment, id, .. } = &*self.written;
        self.snapshot.book.question(assignment, id, entry.answer.max_points)
    }

    /// Returns the id of an answer.
    pub(super) fn id(&self, entry: &Entry) -> AnswerId {
        let Written { assignment, id, .. } = &*self.written;
        AnswerId {
            assignment: assignment.clone(),
            question: id.clone(),
            submission: entry.submission.clone(),
        }
    }

    /// Returns the markings of an answer; `None` if it has none.
    pub(super) fn marks(&self, entry: &Entry) -> Option<&Answer> {
        self.snapshot.book.answer(&self.id(entry))
    }

    /// Returns the newest marking of an answer in this role.
    pub(super) fn newest(&self, entry: &Entry) -> MarkingId {
        let marks = self.marks(entry);
        marks.map_or(MarkingId::NONE, |marks| marks.history(self.role).newest())
    }

    /// Returns the state of an answer in this role. For the first marker, any mark of the answer counts, whoever gave it.
    pub(super) fn state(&self, entry: &Entry) -> State {
        let question = self.question(entry);
        let marks = self.marks(entry);
        if self.role != MarkerRole::First {
            let counting = marks.and_then(|marks| marks.history(self.role).counting());
            let Some(marked) = counting.and_then(|it| question.marked(it)) else {
                return State::Open;
            };
            return if marked.is_of(&entry.digest) {
                marked_state(&marked)
            } else {
                State::Changed
            };
        }
        let mark = question.mark(marks, &entry.digest);
        let given_at = match &mark {
            Mark::Open => None,
            Mark::Changed(marked) | Mark::Given(marked) => Some(&marked.marking.given_at),
        };
        let typed = &self.snapshot.typed;
        if let Some(points) = typed.typed_points(&entry.submission, &entry.answer, given_at) {
            return State::Marked { points, by: None };
        }
        match mark {
            Mark::Open => State::Open,
            Mark::Changed(_) => State::Changed,
            Mark::Given(marked) => marked_state(&marked),
        }
    }

    /// Returns true if somebody must look at an answer in this role: it is not marked, or two marks compete. Who decides between
    /// two markers must look at what they disagree about.
    pub(super) fn is_open(&self, entry: &Entry) -> bool {
        if self.role == MarkerRole::Agreed {
            let question = self.question(entry);
            let marks = self.marks(entry);
            let found = marks.and_then(|marks| disagreement(marks, &entry.digest, &question));
            return found.is_some() || self.is_contested(entry);
        }
        !matches!(self.state(entry), State::Marked { .. }) || self.is_contested(entry)
    }

    /// Returns true if two marks of an answer in this role compete.
    pub(super) fn is_contested(&self, entry: &Entry) -> bool {
        self.marks(entry).is_some_and(|marks| !marks.history(self.role).contenders().is_empty())
    }

    /// Returns the name of an answer on a page: its number, and the submission's name if names are shown.
    pub(super) fn name(&self, at: &ClassAnswer) -> String {
        let number = self.written.number(at.code);
        if self.is_anonymous {
            format!("Answer {number}")
        } else {
            format!("{number}: {}", at.entry.submission)
        }
    }

    /// Returns the number of answers that are marked in this role.
    pub(super) fn marked(&self) -> usize {
        self.written.answers.values().filter(|entry| !self.is_open(entry)).count()
    }
}

fn marked_state(marked: &Marked<'_>) -> State {
    State::Marked { points: marked.points, by: Some(marked.marking.by.clone()) }
}
