//! View of a record for students.
//!
//! Hidden checks are fresh questions only as long as their inputs and answers stay with the
//! grader, so a student's view is made of nothing that could carry them: not the evidence, not the
//! message (it may quote a value, or what the student's own code said of an input), not the command
//! with the seed, and not what the code printed while it was being asked.

use softmark_untrusted::Untrusted;

use crate::model::{CheckRecord, Evidence, Record, RecordOutcome, Status, TaskRecord, Visibility};

/// Readers of a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Instructors, who see everything.
    Instructor,
    /// Students, who see no inputs and no expected values of hidden checks.
    Student,
}

impl Audience {
    /// Returns the record as this audience may see it.
    pub fn view(self, record: &Record) -> Record {
        match self {
            Self::Instructor => record.clone(),
            Self::Student => for_student(record),
        }
    }
}

/// Returns the record as its student may see it.
///
/// A hidden check keeps its title, status, points and the mistake that was named. Output of the code is kept
/// only if no check ran, because a submission may print its questions. The reason for a missing grade
/// concerns the grader and is shown to the instructor only.
pub fn for_student(record: &Record) -> Record {
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
    Record {
        submission: record.submission.clone(),
        submitted: record.submitted.clone(),
        sha256: record.sha256.clone(),
        assignment: record.assignment.clone(),
        outcome: record.outcome,
        reason,
        points: record.points,
        max_points: record.max_points,
        tasks: record.tasks.iter().map(task).collect(),
        written: record.written.clone(),
        models: record.models.clone(),
        trainings: record.trainings.clone(),
        notes: record.notes.clone(),
        log,
        usage: None,
    }
}

fn task(task: &TaskRecord) -> TaskRecord {
    TaskRecord {
        id: task.id.clone(),
        title: task.title.clone(),
        points: task.points,
        max_points: task.max_points,
        checks: task.checks.iter().map(check).collect(),
    }
}

fn check(check: &CheckRecord) -> CheckRecord {
    match check.visibility {
        Visibility::Public => check.clone(),
        Visibility::Hidden => CheckRecord {
            id: check.id.clone(),
            title: check.title.clone(),
            visibility: check.visibility,
            status: check.status,
            points: check.points,
            max_points: check.max_points,
            mistake: check.mistake.clone(),
            message: message(check.status).into(),
            evidence: Evidence::default(),
            replay: None,
            // Of the layers it says no more than what one would notice of them.
            matrix: check.matrix.clone(),
        },
    }
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
