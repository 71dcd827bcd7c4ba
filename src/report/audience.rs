//! What a student may see of a record.
//!
//! Hidden checks are fresh questions only as long as their inputs and answers stay with the
//! grader, so a student's view is made of nothing that could carry them: not the evidence, not the
//! message (it may quote a value, or what the student's own code said of an input), not the command
//! with the seed, and not what the code printed while it was being asked.

use crate::model::{CheckRecord, Evidence, Record, RecordOutcome, Status, TaskRecord, Visibility};

/// Who reads a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Audience {
    /// Everything.
    Instructor,
    /// Everything but what hidden checks asked and expected.
    Student,
}

impl Audience {
    /// The record as this audience may see it.
    pub fn view(self, record: &Record) -> Record {
        match self {
            Self::Instructor => record.clone(),
            Self::Student => for_student(record),
        }
    }
}

/// The record as its student may see it.
///
/// A hidden check keeps its title, status, points and the mistake that was named.
/// What the code printed is kept only where no check ran: a submission may print what it is asked.
/// Why there is no grade is the grader's business, and stays with the instructor.
pub fn for_student(record: &Record) -> Record {
    let (reason, log) = match record.outcome {
        RecordOutcome::Graded => (record.reason.clone(), String::new()),
        RecordOutcome::Rejected | RecordOutcome::BuildFailed => {
            (record.reason.clone(), record.log.clone())
        }
        RecordOutcome::NoGrade => (
            Some(
                "the grader failed; your submission is not to blame, and it will be graded again"
                    .to_owned(),
            ),
            String::new(),
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
            message: message(check.status).to_owned(),
            evidence: Evidence::default(),
            replay: None,
            // Of the layers it says no more than what one would notice of them.
            matrix: check.matrix.clone(),
        },
    }
}

/// What may be said of a hidden check that ended so.
fn message(status: Status) -> &'static str {
    match status {
        Status::Pass => "",
        Status::Wrong => "your code answered, and the answer is not right",
        Status::NotImplemented => "the stub's `todo!()` was reached",
        Status::Fault => "your code gave no answer: it panicked, refused, or ran into a limit",
        Status::Blocked => "needs something that failed",
    }
}
