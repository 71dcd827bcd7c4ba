//! Results of a class: those of a ledger after a run, or those of a folder of records.

use crate::model::{CheckRecord, Grader, Points, Record};
use crate::overrides::Overrides;
use crate::store::{GradedCheck, Grading, Override, RunId, SavedRun};

use super::graded::Graded;

/// Results of a class at one moment.
#[derive(Debug, Clone, Default)]
pub struct Results {
    /// Name for a person, such as `run 3`.
    pub name: String,
    /// Gradings: one for each submission and assignment.
    pub gradings: Vec<Graded>,
    /// Overrides that hold.
    pub overrides: Overrides,
}

impl Results {
    /// Returns gradings of a ledger with the graders of their runs.
    pub fn graded(ledger: usize, gradings: Vec<Grading>, runs: &[SavedRun]) -> Vec<Graded> {
        let grader = |run: RunId| {
            let run = runs.iter().find(|it| it.id == run);
            run.map_or_else(unknown_grader, |it| it.grader.clone())
        };
        let graded = |grading: Grading| Graded { ledger, grader: grader(grading.run), grading };
        gradings.into_iter().map(graded).collect()
    }

    /// Returns the results that records hold, where there is no ledger. The overrides are those that were laid on
    /// the records.
    pub fn of_records(name: String, ledger: usize, records: Vec<(Grader, Record)>) -> Self {
        let mut overrides = Vec::new();
        let mut gradings = Vec::new();
        for (grader, record) in records {
            overrides.extend(overrides_in(&record));
            gradings.push(Graded { ledger, grading: grading(&record), grader });
        }
        Self { name, gradings, overrides: Overrides::new(overrides) }
    }
}

fn unknown_grader() -> Grader {
    Grader { version: "".into(), seed: None, device: "".into(), sandbox: "".into() }
}

fn graded_points(check: &CheckRecord) -> Points {
    check.overridden.as_ref().map_or(check.points, |decision| decision.graded)
}

fn grading(record: &Record) -> Grading {
    let checks = record.tasks.iter().flat_map(|task| task.checks.iter().map(move |it| (task, it)));
    let checks: Vec<GradedCheck> = checks
        .map(|(task, check)| GradedCheck {
            task: task.id.clone(),
            id: check.id.clone(),
            status: check.status,
            points: graded_points(check),
            max_points: check.max_points,
            mistake: check.mistake.clone(),
            key: None,
        })
        .collect();
    let all = record.tasks.iter().flat_map(|task| &task.checks);
    let points = all.fold(record.points, |sum, it| sum.exchange(it.points, graded_points(it)));
    Grading {
        id: 0,
        run: RunId::from_number(0),
        key: String::new(),
        submission: record.submission.clone(),
        sha256: record.sha256.clone(),
        assignment: record.assignment.clone(),
        outcome: record.outcome,
        points,
        max_points: record.max_points,
        checks,
    }
}

fn overrides_in(record: &Record) -> Vec<Override> {
    let checks = record.tasks.iter().flat_map(|task| &task.checks);
    checks.filter_map(|check| override_of(record, check)).collect()
}

fn override_of(record: &Record, check: &CheckRecord) -> Option<Override> {
    let decision = check.overridden.as_ref()?;
    Some(Override {
        submission: record.submission.clone(),
        assignment: record.assignment.clone(),
        check: check.id.clone(),
        points: Some(check.points),
        reason: decision.reason.clone(),
        by: decision.by.clone(),
        given_at: decision.given_at.clone(),
        sha256: record.sha256.clone(),
    })
}
