//! Context of a request among the marking pages: question, role and answer.

use std::sync::Arc;

use softmark_untrusted::Untrusted;

use super::snapshot::{Entry, Snapshot, Written};
use crate::marking::{
    Answer, AnswerCode, Disagreement, LineMark, Mark, Marked, Question, VersionMarks, disagreement,
};
use crate::model::Points;
use crate::serve::access::Role;
use crate::serve::problem::Problem;
use crate::serve::visit::Visit;
use crate::store::{AnswerId, MarkerRole, MarkingId, MarkingRefusal};

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
    /// Name of the user.
    pub(super) marker: Untrusted,
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
        Ok(Self::new(visit, snapshot, (written, role)))
    }

    /// Creates the context of a question and a role.
    pub(super) fn new(
        visit: &Visit<'_>,
        snapshot: Snapshot,
        (written, role): (Arc<Written>, MarkerRole),
    ) -> Self {
        let is_anonymous = visit.shared.config.is_anonymous;
        let may_mark = visit.user().role >= Role::Marker;
        let marker = visit.user().name.as_str().into();
        Self { snapshot, written, role, is_anonymous, may_mark, marker }
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

    /// Returns the path of a page below the question's page, in this role; the question's page if `below` is empty.
    pub(super) fn path(&self, below: &str) -> String {
        self.path_in_role(below, self.role)
    }

    /// Returns the path of a page below the question's page in a role.
    fn path_in_role(&self, below: &str, role: MarkerRole) -> String {
        let Written { assignment, id, .. } = &*self.written;
        let path = format!("/marking/{assignment}/{id}{below}");
        match role {
            MarkerRole::First => path,
            MarkerRole::Second | MarkerRole::Agreed => format!("{path}?role={}", role.as_str()),
        }
    }

    /// Returns the path of an answer's page in this role.
    pub(super) fn path_of(&self, code: AnswerCode) -> String {
        self.path(&format!("/answers/{code}"))
    }

    /// Returns the path of the page on which somebody decides between the two marks of an answer.
    pub(super) fn path_to_agree(&self, code: AnswerCode) -> String {
        self.path_in_role(&format!("/answers/{code}"), MarkerRole::Agreed)
    }

    /// Returns the path that takes a mark of an answer back. The form has the role.
    pub(super) fn path_to_undo(&self, code: AnswerCode) -> String {
        self.path_in_role(&format!("/answers/{code}/undo"), MarkerRole::First)
    }

    /// Returns the question as the answer was asked: with the points that it is worth.
    pub(super) fn question(&self, entry: &Entry) -> Question<'_> {
        let Written { assignment, id, .. } = &*self.written;
        self.snapshot.book.question(assignment, id, entry.answer.max_points)
    }

    /// Returns the id of an answer.
    pub(super) fn id(&self, entry: &Entry) -> AnswerId {
        let Written { assignment, id, .. } = &*self.written;
        AnswerId::new(assignment, id, &entry.submission)
    }

    /// Returns the markings of an answer; `None` if it has none.
    pub(super) fn marks(&self, entry: &Entry) -> Option<&Answer> {
        self.snapshot.book.answer(&self.id(entry))
    }

    /// Returns the markings of the answer's version in a role.
    pub(super) fn version_marks(&self, entry: &Entry, role: MarkerRole) -> VersionMarks<'_> {
        let marks = self.marks(entry).map(|marks| marks.history(role).of_version(&entry.digest));
        marks.unwrap_or_default()
    }

    /// Returns the newest marking of an answer in this role.
    pub(super) fn newest(&self, entry: &Entry) -> MarkingId {
        let marks = self.marks(entry);
        marks.map_or(MarkingId::NONE, |marks| marks.history(self.role).newest())
    }

    /// Returns the state of an answer in this role. For the first marker, any mark of the answer counts, whoever gave it.
    pub(super) fn state(&self, entry: &Entry) -> State {
        if self.role == MarkerRole::First {
            return self.state_that_counts(entry);
        }
        let question = self.question(entry);
        let marks = self.marks(entry);
        let counting = match self.role {
            MarkerRole::Agreed => marks.and_then(|marks| marks.agreed(&entry.digest)),
            MarkerRole::First | MarkerRole::Second => self.version_marks(entry, self.role).counting,
        };
        let latest = marks.and_then(|marks| marks.history(self.role).counting());
        let of_now = |marked: &Marked<'_>| marked.is_of(&entry.digest);
        match (counting, latest.and_then(|it| question.marked(it))) {
            (Some(marking), _) => {
                question.marked(marking).map_or(State::Open, |it| marked_state(&it))
            }
            (None, Some(latest)) if !of_now(&latest) => State::Changed,
            (None, Some(_) | None) => State::Open,
        }
    }

    /// Returns the state of an answer with the mark that counts, whoever gave it.
    pub(super) fn state_that_counts(&self, entry: &Entry) -> State {
        if let Some(line) = self.line(entry) {
            return State::Marked { points: line.points, by: None };
        }
        match self.question(entry).mark(self.marks(entry), &entry.digest) {
            Mark::Open => State::Open,
            Mark::Changed(_) => State::Changed,
            Mark::Given(marked) => marked_state(&marked),
        }
    }

    /// Returns the newest mark of an answer's version that the user gave in this role and that nobody has decided against.
    pub(super) fn own_mark(&self, entry: &Entry) -> Option<State> {
        let VersionMarks { counting, conflicting } = self.version_marks(entry, self.role);
        let all = counting.into_iter().chain(conflicting);
        let newest = all.filter(|it| it.by == self.marker).max_by_key(|it| it.id)?;
        self.question(entry).marked(newest).map(|it| marked_state(&it))
    }

    /// Returns the line of `marks.csv` that counts for an answer; `None` if none does.
    pub(super) fn line(&self, entry: &Entry) -> Option<LineMark> {
        self.snapshot.csv.line(&entry.submission, &entry.answer, self.marks(entry))
    }

    /// Returns the disagreement about an answer; `None` if there is none, or somebody has decided.
    pub(super) fn disagreement(&self, entry: &Entry) -> Option<Disagreement> {
        let line = self.line(entry);
        let of_version = (self.marks(entry)?, entry.digest.as_str());
        disagreement(of_version, &self.question(entry), line.as_ref())
    }

    /// Returns true if somebody must look at an answer in this role: it is not marked, or two marks compete. Who decides between
    /// two markers must look at what they disagree about.
    pub(super) fn is_open(&self, entry: &Entry) -> bool {
        match self.role {
            MarkerRole::First => {
                let of_version = (self.marks(entry), entry.digest.as_str());
                self.question(entry).is_open(of_version, self.line(entry).as_ref())
            }
            MarkerRole::Second => {
                !matches!(self.state(entry), State::Marked { .. }) || self.has_conflict(entry)
            }
            MarkerRole::Agreed => self.disagreement(entry).is_some() || self.has_conflict(entry),
        }
    }

    /// Returns true if two marks of an answer in this role compete.
    pub(super) fn has_conflict(&self, entry: &Entry) -> bool {
        !self.version_marks(entry, self.role).conflicting.is_empty()
    }

    /// Returns the reason why the user may not mark an answer in this role, by the rule of the ledger; `None` if the user may.
    pub(super) fn refusal(&self, entry: &Entry) -> Option<MarkingRefusal> {
        let has_mark_in = |role| {
            let marks = self.marks(entry).map(|marks| marks.history(role));
            marks.is_some_and(|history| history.has_mark_by(&self.marker, &entry.digest))
        };
        let has_second_mark = || self.version_marks(entry, MarkerRole::Second).counting.is_some();
        match self.role {
            MarkerRole::First => {
                has_mark_in(MarkerRole::Second).then_some(MarkingRefusal::SamePerson)
            }
            MarkerRole::Second => {
                has_mark_in(MarkerRole::First).then_some(MarkingRefusal::SamePerson)
            }
            MarkerRole::Agreed => (!has_second_mark()).then_some(MarkingRefusal::NoSecondMark),
        }
    }

    /// Returns true if the user is to mark an answer in this role: it is open, and the user may mark it.
    pub(super) fn is_offered(&self, entry: &Entry) -> bool {
        self.is_open(entry) && self.refusal(entry).is_none()
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
