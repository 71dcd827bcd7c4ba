//! Score sheet of a submission: outcomes of its checks, and their points.

use std::collections::BTreeMap;

use softmark_checks::{KillMatrix, Outcome};
use softmark_untrusted::Untrusted;

use crate::assignment::{Assignment, CheckEntry, TaskEntry};
use crate::model::{self, CheckRecord, Evidence, Points, Status, TaskRecord};

/// Outcomes, titles and diagnoses of a submission's checks, by check id.
///
/// An empty sheet is valid: a check without an outcome counts as not run.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// Titles of the checks.
    pub titles: BTreeMap<String, String>,
    /// Outcomes of the checks that were run.
    pub outcomes: BTreeMap<String, Outcome>,
    /// Results of other checks, from earlier records; their points and titles may be others now.
    pub reused: BTreeMap<String, CheckRecord>,
    /// Mistakes that explain failed checks.
    pub mistakes: BTreeMap<String, String>,
    /// Kill matrices of detectors.
    pub matrices: BTreeMap<String, KillMatrix>,
    /// Reason why the other checks were not run; a fragment of a sentence.
    pub not_run: String,
}

/// Returns the tasks of `assignment` with the results in `sheet`, in the order of the assignment.
///
/// `replay` returns the command that runs a check again.
pub fn score(
    assignment: &Assignment,
    sheet: &Sheet,
    replay: impl Fn(&str) -> String,
) -> Vec<TaskRecord> {
    assignment.tasks.iter().map(|task| sheet.task(task, &replay)).collect()
}

impl Sheet {
    fn task(&self, task: &TaskEntry, replay: impl Fn(&str) -> String) -> TaskRecord {
        let checks: Vec<CheckRecord> =
            task.checks.iter().map(|check| self.check(check, &replay)).collect();
        TaskRecord {
            id: task.id.as_str().into(),
            title: task.title.as_str().into(),
            points: checks.iter().map(|check| check.points).sum(),
            max_points: checks.iter().map(|check| check.max_points).sum(),
            checks,
        }
    }

    fn check(&self, entry: &CheckEntry, replay: impl Fn(&str) -> String) -> CheckRecord {
        let Judgment { status, message, evidence, matrix } = self.judgment(&entry.id);
        let passed = status == Status::Pass;
        CheckRecord {
            id: entry.id.as_str().into(),
            title: self.titles.get(&entry.id).cloned().unwrap_or_default().into(),
            visibility: entry.visibility,
            status,
            points: if passed { entry.points } else { Points::ZERO },
            max_points: entry.points,
            overridden: None,
            mistake: self.mistakes.get(&entry.id).filter(|_| !passed).cloned().map(Untrusted::from),
            message,
            evidence,
            replay: (!passed).then(|| replay(&entry.id).into()),
            matrix,
        }
    }

    fn judgment(&self, id: &str) -> Judgment {
        let outcome = self.outcomes.get(id);
        if let (None, Some(reused)) = (outcome, self.reused.get(id)) {
            let CheckRecord { status, message, evidence, matrix, .. } = reused.clone();
            return Judgment { status, message, evidence, matrix };
        }
        let (status, message) =
            outcome.map_or_else(|| (Status::Blocked, self.not_run.clone()), status_and_message);
        Judgment {
            status,
            message: message.into(),
            evidence: outcome.map(evidence).unwrap_or_default(),
            matrix: self.matrices.get(id).cloned().map(Into::into),
        }
    }
}

/// Result of a check, without its points and what it was called.
struct Judgment {
    status: Status,
    message: Untrusted,
    evidence: Evidence,
    matrix: Option<model::KillMatrix>,
}

/// Returns the status and the message of an outcome in a record.
fn status_and_message(outcome: &Outcome) -> (Status, String) {
    match outcome {
        Outcome::Pass => (Status::Pass, String::new()),
        Outcome::Wrong { message, .. } => (Status::Wrong, message.clone()),
        Outcome::NotImplemented { message } => (Status::NotImplemented, message.clone()),
        Outcome::Fault { message, .. } => (Status::Fault, message.clone()),
        Outcome::Blocked { by, message } if message.is_empty() => {
            (Status::Blocked, format!("needs {by}"))
        }
        Outcome::Blocked { by, message } => (Status::Blocked, format!("needs {by}: {message}")),
    }
}

/// Returns the evidence of an outcome in a record.
fn evidence(outcome: &Outcome) -> Evidence {
    match outcome {
        Outcome::Wrong { evidence, .. } | Outcome::Fault { evidence, .. } => {
            evidence.clone().into()
        }
        Outcome::Pass | Outcome::NotImplemented { .. } | Outcome::Blocked { .. } => {
            Evidence::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::option;
    use proptest::prelude::*;
    use softmark_checks::outcome::Evidence;
    use softmark_sandbox::Limits;
    use softmark_wire::Fault;

    use super::*;
    use crate::assignment::Deadline;
    use crate::model::Visibility;
    use crate::score::select;

    fn any_outcome() -> impl Strategy<Value = Outcome> {
        let message = || "[a-z]{0,8}";
        let evidence = Evidence::default;
        prop_oneof![
            3 => Just(Outcome::Pass),
            1 => message().prop_map(move |message| Outcome::Wrong { message, evidence: evidence() }),
            1 => message().prop_map(|message| Outcome::NotImplemented { message }),
            1 => message().prop_map(move |message| Outcome::Fault {
                fault: Fault::Killed { signal: 9 },
                message,
                evidence: evidence(),
            }),
            1 => message().prop_map(|message| Outcome::Blocked { by: "build".to_owned(), message }),
        ]
    }

    /// Generates assignments, with outcomes for some of their checks.
    fn any_graded() -> impl Strategy<Value = (Assignment, Sheet)> {
        let check = (0_u32..5000, any::<bool>(), option::weighted(0.8, any_outcome()));
        vec(vec(check, 0..5), 0..5).prop_map(|tasks| {
            let mut sheet = Sheet { not_run: "not run".to_owned(), ..Sheet::default() };
            let mut entries = Vec::new();
            for (t, checks) in tasks.into_iter().enumerate() {
                let mut task = TaskEntry {
                    id: format!("t{t}"),
                    title: String::new(),
                    points: Points::ZERO,
                    checks: Vec::new(),
                };
                for (c, (hundredths, public, outcome)) in checks.into_iter().enumerate() {
                    let id = format!("t{t}/c{c}");
                    sheet.mistakes.insert(id.clone(), "missing-scale".to_owned());
                    sheet.outcomes.extend(outcome.map(|outcome| (id.clone(), outcome)));
                    let points = Points::from_hundredths(hundredths);
                    let visibility = [Visibility::Hidden, Visibility::Public][usize::from(public)];
                    task.points = task.points + points;
                    task.checks.push(CheckEntry { id, points, visibility, band: None });
                }
                entries.push(task);
            }
            let assignment = Assignment {
                id: "a".to_owned(),
                title: String::new(),
                points: entries.iter().map(|task| task.points).sum(),
                tasks: entries,
                collect: Vec::new(),
                provided: BTreeMap::new(),
                skeleton: BTreeMap::new(),
                answers: Vec::new(),
                written: Vec::new(),
                uploads: Vec::new(),
                data: Vec::new(),
                worker: Limits::generous(),
                training: None,
                deadline: Deadline::generous(),
                sha256: String::new(),
            };
            (assignment, sheet)
        })
    }

    fn total(tasks: &[TaskRecord]) -> Points {
        tasks.iter().map(|task| task.points).sum()
    }

    proptest! {
        #[test]
        fn the_total_is_what_the_passes_are_worth((assignment, sheet) in any_graded()) {
            let tasks = score(&assignment, &sheet, |_| String::new());
            let passed: Points = assignment
                .tasks
                .iter()
                .flat_map(|task| &task.checks)
                .filter(|check| sheet.outcomes.get(&check.id).is_some_and(Outcome::is_pass))
                .map(|check| check.points)
                .sum();
            prop_assert_eq!(total(&tasks), passed);
            prop_assert!(total(&tasks) <= assignment.points);
            let most: Points = tasks.iter().map(|task| task.max_points).sum();
            prop_assert_eq!(most, assignment.points);
        }

        #[test]
        fn every_check_stands_in_the_record_in_order((assignment, sheet) in any_graded()) {
            let tasks = score(&assignment, &sheet, str::to_owned);
            let wanted: Vec<&str> = assignment
                .tasks
                .iter()
                .flat_map(|task| &task.checks)
                .map(|check| check.id.as_str())
                .collect();
            let found: Vec<&CheckRecord> = tasks.iter().flat_map(|task| &task.checks).collect();
            let ids: Vec<&str> = found.iter().map(|check| check.id.as_raw()).collect();
            prop_assert_eq!(ids, wanted);
            for check in found {
                let passed = check.status == Status::Pass;
                prop_assert_eq!(check.replay.as_ref(), (!passed).then_some(&check.id));
                prop_assert_eq!(check.mistake.is_none(), passed);
            }
        }

        #[test]
        fn a_missing_outcome_is_worth_nothing((assignment, sheet) in any_graded()) {
            let empty = Sheet { outcomes: BTreeMap::new(), ..sheet };
            let tasks = score(&assignment, &empty, |_| String::new());
            prop_assert_eq!(total(&tasks), Points::ZERO);
            for check in tasks.iter().flat_map(|task| &task.checks) {
                prop_assert_eq!(check.status, Status::Blocked);
                prop_assert_eq!(&check.message, "not run");
            }
        }

        #[test]
        fn a_selection_scores_as_in_the_whole((assignment, sheet) in any_graded()) {
            let whole = score(&assignment, &sheet, |_| String::new());
            let keep = |id: &str| id.ends_with("c0") || id.starts_with("t1");
            let part = select(&assignment, keep);
            let some = score(&part, &sheet, |_| String::new());
            let kept: Vec<&CheckRecord> =
                whole.iter().flat_map(|task| &task.checks).filter(|check| keep(check.id.as_raw())).collect();
            let found: Vec<&CheckRecord> = some.iter().flat_map(|task| &task.checks).collect();
            prop_assert_eq!(found, kept);
            let most: Points = some.iter().map(|task| task.max_points).sum();
            prop_assert_eq!(most, part.points);
            prop_assert!(part.tasks.iter().all(|task| !task.checks.is_empty()));
        }
    }
}
