//! View of a run for an audience: the one place that decides what students see.
//!
//! Hidden checks are fresh questions only as long as their inputs and answers stay with the
//! grader, so a student's view is made of nothing that could carry them: not the evidence, not the
//! message (it may quote a value, or what the student's own code said of an input), and not what the
//! code printed while it was being asked. A public check keeps its message but for what the code itself said
//! (`own_words`). All messages and evidence are shown once the answers of the assignment are.
//!
//! Never shown to students is what leads to questions of others: the seed and the commands with it,
//! from which every hidden input of the class follows, and what the code printed, which may be the data
//! of trainings, which a course's secret keeps for the next year too.
//!
//! Invariant: a format gets a [`View`], and nothing else makes one, so no format can forget its audience.

use std::borrow::Cow;
use std::collections::BTreeSet;

use softmark_untrusted::Untrusted;

use crate::model::{
    CheckRecord, Evidence, Grader, ModelRecord, OverrideRecord, Record, RecordOutcome, Run, Status,
    TaskRecord, Visibility,
};
use crate::report::own_words::without_own_words;

/// Readers of a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Audience {
    /// Instructors and assistants, who see everything.
    Staff,
    /// Students, who see inputs and expected values of hidden checks only where these answers are shown.
    Students(Answers),
}

/// Assignments whose hidden inputs and expected values students may see.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Answers {
    /// Those of the assignments with these ids.
    Of(BTreeSet<String>),
    /// Those of all assignments.
    All,
}

impl Answers {
    /// No answers at all.
    pub const NONE: Self = Self::Of(BTreeSet::new());

    fn are_shown(&self, assignment: &Untrusted) -> bool {
        match self {
            Self::All => true,
            Self::Of(ids) => ids.iter().any(|id| assignment == id),
        }
    }
}

/// Run as an audience may see it.
#[derive(Debug, Clone)]
pub struct View<'a> {
    run: Cow<'a, Run>,
    is_for_students: bool,
}

impl<'a> View<'a> {
    /// Returns the run, without what its audience may not see.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// Returns true if students read it, who have no `grade` to run.
    pub fn is_for_students(&self) -> bool {
        self.is_for_students
    }

    /// Returns the same view for students, who see no more than they do without answers if it was for staff.
    pub(super) fn for_students(&'a self) -> Self {
        if self.is_for_students {
            Self { run: Cow::Borrowed(self.run()), is_for_students: true }
        } else {
            Audience::Students(Answers::NONE).view(self.run())
        }
    }
}

impl Audience {
    /// Returns a run as this audience may see it.
    pub fn view<'a>(&self, run: &'a Run) -> View<'a> {
        let run = match self {
            Self::Staff => Cow::Borrowed(run),
            Self::Students(answers) => Cow::Owned(Run {
                grader: Grader { seed: None, ..run.grader.clone() },
                records: run.records.iter().map(|record| for_student(record, answers)).collect(),
            }),
        };
        View { run, is_for_students: *self != Self::Staff }
    }
}

/// Returns the record as its student may see it.
///
/// A hidden check keeps its title, status, points and the mistake that was named. Output of the code is kept
/// only if no check ran, because a submission may print its questions. The reason for a missing grade
/// concerns the grader and is shown to staff only.
fn for_student(record: &Record, answers: &Answers) -> Record {
    let (reason, log) = match record.outcome {
        RecordOutcome::Graded => (record.reason.clone(), Untrusted::EMPTY),
        RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
            (record.reason.clone(), record.log.clone())
        }
        RecordOutcome::NoGrade => (
            Some(
                "the grader failed; your submission is not to blame, and it will be graded again"
                    .into(),
            ),
            Untrusted::EMPTY,
        ),
    };
    let are_shown = answers.are_shown(&record.assignment);
    Record {
        submission: record.submission.clone(),
        entry: record.entry.clone(),
        submitted: record.submitted.clone(),
        sha256: record.sha256.clone(),
        assignment: record.assignment.clone(),
        outcome: record.outcome,
        reason,
        points: record.points,
        max_points: record.max_points,
        tasks: record.tasks.iter().map(|one| task(one, are_shown)).collect(),
        written: record.written.clone(),
        models: record.models.iter().map(model).collect(),
        trainings: record.trainings.clone(),
        notes: record.notes.clone(),
        log,
        usage: None,
    }
}

fn task(task: &TaskRecord, are_answers_shown: bool) -> TaskRecord {
    TaskRecord {
        id: task.id.clone(),
        title: task.title.clone(),
        points: task.points,
        max_points: task.max_points,
        checks: task.checks.iter().map(|one| check(one, are_answers_shown)).collect(),
    }
}

fn check(check: &CheckRecord, are_answers_shown: bool) -> CheckRecord {
    let (message, evidence) = match check.visibility {
        Visibility::Public | Visibility::Hidden if are_answers_shown => {
            (check.message.clone(), check.evidence.clone())
        }
        Visibility::Hidden => (message(check.status).into(), Evidence::default()),
        // The text of a `todo!` is the code's, too.
        Visibility::Public if check.status == Status::NotImplemented => {
            (message(check.status).into(), check.evidence.clone())
        }
        Visibility::Public => (without_own_words(&check.message), check.evidence.clone()),
    };
    CheckRecord {
        id: check.id.clone(),
        title: check.title.clone(),
        visibility: check.visibility,
        status: check.status,
        points: check.points,
        max_points: check.max_points,
        overridden: check.overridden.clone().map(without_author),
        mistake: check.mistake.clone(),
        message,
        evidence,
        replay: None,
        // Of the layers it says no more than what one would notice of them.
        matrix: check.matrix.clone(),
    }
}

/// Returns a decision about points without the name of the person who made it.
fn without_author(decision: OverrideRecord) -> OverrideRecord {
    OverrideRecord { by: Untrusted::EMPTY, ..decision }
}

/// Returns the model without the message about the student's own architecture, which may be a text of the code about
/// an unseen example.
fn model(model: &ModelRecord) -> ModelRecord {
    let own = match &model.own {
        own if own.is_empty() => Untrusted::EMPTY,
        _ => "measured in the grader's own classifier; yours, with the same checkpoint, gives other logits or none".into(),
    };
    ModelRecord { own, ..model.clone() }
}

/// Returns the message about a hidden check with this status.
fn message(status: Status) -> &'static str {
    match status {
        Status::Pass => "",
        Status::Wrong => "your code answered, and the answer is not right",
        Status::NotImplemented => "the stub's `todo!()` was reached",
        Status::Fault => "your code gave no answer: it panicked, refused, or ran into a limit",
        Status::Blocked => "needs something that failed",
    }
}
