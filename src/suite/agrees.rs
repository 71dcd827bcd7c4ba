//! Comparison of an assignment's list of checks with its suite.

use std::fmt;

use softmark_exam::{Suite, SuiteCheck, Visibility};
use thiserror::Error;

use crate::assignment::{Assignment, CheckEntry};

/// Differences between an `assignment.toml` and a suite; each list is in the order in which its
/// checks are reported.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
pub struct Disagreement {
    /// Assignment id.
    pub assignment: String,
    /// Checks that a task lists and the suite lacks.
    pub only_in_assignment: Vec<String>,
    /// Checks of the suite that no task lists, and missing tables for checkpoints that are
    /// measured.
    pub only_in_suite: Vec<String>,
    /// Checks with different visibilities, with that of the assignment.
    pub visibility: Vec<(String, Visibility)>,
    /// Tasks whose checks are the same in another order.
    pub order: Vec<String>,
}

impl fmt::Display for Disagreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the assignment.toml and the suite of `{}` do not agree", self.assignment)?;
        if !self.only_in_assignment.is_empty() {
            write!(f, "; the suite lacks {}", self.only_in_assignment.join(", "))?;
        }
        if !self.only_in_suite.is_empty() {
            write!(f, "; assignment.toml lacks {}", self.only_in_suite.join(", "))?;
        }
        for (id, visibility) in &self.visibility {
            write!(f, "; assignment.toml calls {id} {}, the suite does not", visibility.as_str())?;
        }
        if !self.order.is_empty() {
            write!(f, "; the order of the checks differs in {}", self.order.join(", "))?;
        }
        Ok(())
    }
}

/// Compares an assignment's list of checks with its suite.
///
/// # Errors
///
/// Fails if they do not list the same checks, in the same order within each task, with the same
/// visibility.
pub fn agrees(assignment: &Assignment, suite: &Suite) -> Result<(), Disagreement> {
    let listed = assignment.tasks.iter().flat_map(|task| &task.checks);
    let listed: Vec<&CheckEntry> = listed.filter(|entry| !is_trained(entry, suite)).collect();
    let checks = (suite.checks)();
    let find = |id: &str| checks.iter().find(|entry| entry.check.id == id);
    let visibility = |entry: &&CheckEntry| {
        let differs = find(&entry.id).is_some_and(|other| other.visibility != entry.visibility);
        differs.then(|| (entry.id.clone(), entry.visibility))
    };
    // A check that is listed twice would run twice, so its second entry is reported.
    let is_again = |i, id| checks.iter().take(i).any(|other| other.check.id == id);
    let is_extra = |(i, entry): &(usize, &SuiteCheck)| {
        let is_listed = listed.iter().any(|other| other.id == entry.check.id);
        let is_optional = suite.optional.contains(&entry.check.task());
        if is_listed { is_again(*i, entry.check.id) } else { !is_optional }
    };
    let extra = checks.iter().enumerate().filter(is_extra);
    let extra = extra.map(|(_, entry)| entry.check.id.to_owned());
    let disagreement = Disagreement {
        assignment: assignment.id.clone(),
        only_in_assignment: listed
            .iter()
            .filter(|entry| find(&entry.id).is_none())
            .map(|entry| entry.id.clone())
            .collect(),
        only_in_suite: extra.chain(not_taken(assignment, suite)).collect(),
        visibility: listed.iter().filter_map(visibility).collect(),
        order: order(assignment, &checks),
    };
    let all_agree = disagreement.only_in_assignment.is_empty()
        && disagreement.only_in_suite.is_empty()
        && disagreement.visibility.is_empty()
        && disagreement.order.is_empty();
    if all_agree { Ok(()) } else { Err(disagreement) }
}

/// True if the suite trains or measures something for this band: bands are listed in the assignment alone.
fn is_trained(entry: &CheckEntry, suite: &Suite) -> bool {
    let task = entry.id.split_once('/').map_or(entry.id.as_str(), |(task, _)| task);
    let trained = suite.trainings.iter().map(|training| training.task);
    let mut measured = trained.chain(suite.uploads.iter().map(|upload| upload.task));
    entry.band.is_some() && measured.any(|known| known == task)
}

/// Returns the tables that the assignment lacks: without them, checkpoints of its tasks are never
/// taken.
fn not_taken(assignment: &Assignment, suite: &Suite) -> Vec<String> {
    let is_asked = |task: &str| assignment.tasks.iter().any(|entry| entry.id == task);
    let is_taken = |file: &str| assignment.uploads.iter().any(|upload| upload.file == file);
    let lost = suite.uploads.iter().filter(|it| is_asked(it.task) && !is_taken(it.file));
    lost.map(|upload| format!("[[upload]] {}", upload.file)).collect()
}

/// Returns the tasks whose common checks come in another order.
fn order(assignment: &Assignment, checks: &[SuiteCheck]) -> Vec<String> {
    let mut differing = Vec::new();
    for task in &assignment.tasks {
        let theirs: Vec<&str> = checks
            .iter()
            .map(|entry| entry.check.id)
            .filter(|id| task.checks.iter().any(|check| check.id == *id))
            .collect();
        let ours: Vec<&str> = task
            .checks
            .iter()
            .map(|check| check.id.as_str())
            .filter(|id| theirs.contains(id))
            .collect();
        if ours != theirs {
            differing.push(task.id.clone());
        }
    }
    differing
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use softmark_checks::{Check, outcome::Outcome};
    use softmark_exam::{Program, Response, Sources, Upload, program};
    use softmark_sandbox::Limits;

    use crate::assignment::{Deadline, TaskEntry, UploadEntry};
    use crate::model::Points;

    use super::*;

    const fn check(id: &'static str, visibility: Visibility) -> SuiteCheck {
        let check = Check { id, title: "", run: |_, _| Ok(Outcome::Pass) };
        SuiteCheck { check, visibility, program: Program::Own, aspects: &[] }
    }

    const CHECKS: &[SuiteCheck] = &[
        check("a/one", Visibility::Public),
        check("b/one", Visibility::Public),
        check("a/two", Visibility::Hidden),
    ];

    const SUITE: Suite = Suite {
        id: "test",
        checks: || CHECKS.to_vec(),
        programs: Vec::new,
        reference: || program("x", "reference", "x"),
        diagnosed_in: |_| Program::Own,
        battery: |_| Vec::new(),
        truth: |_| Response::Outputs(BTreeMap::new()),
        rests: None,
        mistakes: Vec::new,
        pairs: |_| Vec::new(),
        halves: |_| &[],
        trainings: &[],
        uploads: &[],
        borrows: &[],
        optional: &[],
        sources: Sources::UNKNOWN,
    };

    fn assignment(ids: &[(&str, Visibility)]) -> Assignment {
        let mut tasks: Vec<TaskEntry> = Vec::new();
        for (id, visibility) in ids {
            let (task, _) = id.split_once('/').unwrap();
            let entry = CheckEntry {
                id: (*id).to_owned(),
                points: Points::ZERO,
                visibility: *visibility,
                band: None,
            };
            match tasks.iter_mut().find(|other| other.id == task) {
                Some(task) => task.checks.push(entry),
                None => tasks.push(TaskEntry {
                    id: task.to_owned(),
                    title: task.to_owned(),
                    points: Points::ZERO,
                    checks: vec![entry],
                }),
            }
        }
        Assignment {
            id: "test".to_owned(),
            title: String::new(),
            points: Points::ZERO,
            tasks,
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
        }
    }

    const PUBLIC: Visibility = Visibility::Public;
    const HIDDEN: Visibility = Visibility::Hidden;

    #[test]
    fn the_same_checks_agree_in_whichever_order_the_tasks_come() {
        let same = assignment(&[("a/one", PUBLIC), ("a/two", HIDDEN), ("b/one", PUBLIC)]);
        assert_eq!(agrees(&same, &SUITE), Ok(()));
        let tasks_moved = assignment(&[("b/one", PUBLIC), ("a/one", PUBLIC), ("a/two", HIDDEN)]);
        assert_eq!(agrees(&tasks_moved, &SUITE), Ok(()));
    }

    #[test]
    fn each_disagreement_is_named() {
        let told =
            |ids: &[(&str, Visibility)]| agrees(&assignment(ids), &SUITE).unwrap_err().to_string();
        assert_eq!(
            told(&[("a/one", PUBLIC), ("a/two", PUBLIC), ("c/one", HIDDEN)]),
            "the assignment.toml and the suite of `test` do not agree; the suite lacks \
             c/one; assignment.toml lacks b/one; assignment.toml calls a/two public, the suite \
             does not"
        );
        assert_eq!(
            told(&[("a/two", HIDDEN), ("a/one", PUBLIC), ("b/one", PUBLIC)]),
            "the assignment.toml and the suite of `test` do not agree; the order of the \
             checks differs in a"
        );
    }

    #[test]
    fn bands_agree_where_there_is_something_to_measure() {
        const UPLOAD: Upload = Upload {
            task: "best-model",
            file: "best.safetensors",
            examples: "questions",
            program: Program::Own,
            plan: |_, _| Err(String::new()),
            levels: &[],
        };
        let mut banded = assignment(&[
            ("a/one", PUBLIC),
            ("a/two", HIDDEN),
            ("b/one", PUBLIC),
            ("best-model/good", HIDDEN),
        ]);
        banded.tasks[2].checks[0].band = crate::assignment::Band::parse(0.85);
        let only = vec!["best-model/good".to_owned()];
        assert_eq!(agrees(&banded, &SUITE).unwrap_err().only_in_assignment, only);
        // Without the table, the file would never be taken.
        let suite = Suite { uploads: &[UPLOAD], ..SUITE };
        let told = agrees(&banded, &suite).unwrap_err().to_string();
        assert!(told.ends_with("; assignment.toml lacks [[upload]] best.safetensors"), "{told}");
        let entry = UploadEntry { file: "best.safetensors".to_owned(), bytes: 1 << 20 };
        banded.uploads = vec![entry];
        assert_eq!(agrees(&banded, &suite), Ok(()));
        banded.tasks[2].checks[0].band = None;
        assert_eq!(agrees(&banded, &suite).unwrap_err().only_in_assignment, only);
    }

    #[test]
    fn a_check_that_stands_twice_is_one_too_many() {
        const TWICE: &[SuiteCheck] =
            &[check("a/one", Visibility::Public), check("a/one", Visibility::Public)];
        let suite = Suite { checks: || TWICE.to_vec(), ..SUITE };
        let error = agrees(&assignment(&[("a/one", PUBLIC)]), &suite).unwrap_err();
        assert_eq!(error.only_in_suite, ["a/one"]);
    }
}
