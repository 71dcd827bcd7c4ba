//! Submissions to grade again, chosen from what the ledger knows about them.

use std::collections::{BTreeMap, BTreeSet};

use globset::GlobMatcher;
use softmark_untrusted::Untrusted;

use crate::store::{Grading, RunId};

/// Choice of submissions, and of checks that are run again whatever their keys say.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Assignment id; `None` for all.
    pub assignment: Option<String>,
    /// Pattern of check ids; `None` if no check is to be run again for itself.
    pub checks: Option<GlobMatcher>,
    /// Id of a mistake: submissions in which it was named, and the checks that it was named for.
    pub mistake: Option<String>,
}

/// Submission to grade again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Target {
    /// Submission id.
    pub submission: Untrusted,
    /// Assignment id.
    pub assignment: Untrusted,
    /// Run of its last grading.
    pub run: RunId,
    /// Checks that are run again whatever their keys say.
    pub forced: BTreeSet<String>,
}

/// Returns the selected submissions among the last gradings of all submissions, by assignment and name.
///
/// Submissions that were rejected before their assignment was known are left out.
pub fn targets(gradings: &[Grading], selection: &Selection) -> Vec<Target> {
    let mut latest: BTreeMap<(&Untrusted, &Untrusted), &Grading> = BTreeMap::new();
    for grading in gradings.iter().filter(|grading| !grading.assignment.is_empty()) {
        latest.insert((&grading.assignment, &grading.submission), grading);
    }
    latest.into_values().filter_map(|grading| target(grading, selection)).collect()
}

fn target(grading: &Grading, selection: &Selection) -> Option<Target> {
    let is_of = |id: &String| grading.assignment == id.as_str();
    if !selection.assignment.as_ref().is_none_or(is_of) {
        return None;
    }
    let mistake = selection.mistake.as_deref().map(Untrusted::from);
    let mut forced = BTreeSet::new();
    for check in &grading.checks {
        let is_named = mistake.is_none() || check.mistake == mistake;
        let is_matched =
            selection.checks.as_ref().is_none_or(|glob| glob.is_match(check.id.as_raw()));
        if is_named && is_matched {
            forced.insert(check.id.as_raw().to_owned());
        }
    }
    let names_checks = selection.mistake.is_some() || selection.checks.is_some();
    match (names_checks, forced.is_empty()) {
        // Nothing in it is meant.
        (true, true) => return None,
        (true, false) => {}
        (false, _) => forced.clear(),
    }
    Some(Target {
        submission: grading.submission.clone(),
        assignment: grading.assignment.clone(),
        run: grading.run,
        forced,
    })
}

#[cfg(test)]
mod tests {
    use globset::Glob;

    use crate::model::{Points, RecordOutcome, Status};
    use crate::store::GradedCheck;

    use super::*;

    fn check(id: &str, mistake: Option<&str>) -> GradedCheck {
        GradedCheck {
            task: "task".into(),
            id: id.into(),
            status: Status::Wrong,
            points: Points::ZERO,
            max_points: Points::ZERO,
            mistake: mistake.map(Untrusted::from),
            key: None,
        }
    }

    fn grading(run: i64, submission: &str, assignment: &str, checks: &[GradedCheck]) -> Grading {
        Grading {
            id: run,
            run: RunId::from_number(run),
            key: String::new(),
            submission: submission.into(),
            sha256: "files".into(),
            assignment: assignment.into(),
            outcome: RecordOutcome::Graded,
            points: Points::ZERO,
            max_points: Points::ZERO,
            checks: checks.to_vec(),
        }
    }

    fn class() -> Vec<Grading> {
        vec![
            grading(1, "amara", "attention", &[check("a/1", Some("missing-scale"))]),
            grading(1, "ben", "attention", &[check("a/1", None), check("b/1", None)]),
            grading(1, "chen", "encoder", &[check("c/1", Some("missing-scale"))]),
            grading(1, "dora", "", &[]),
            grading(2, "amara", "attention", &[check("a/1", None), check("a/2", None)]),
        ]
    }

    fn chosen(selection: &Selection) -> Vec<String> {
        let each = targets(&class(), selection).into_iter().map(|it| {
            let forced: Vec<String> = it.forced.into_iter().collect();
            format!("{} {} {} [{}]", it.assignment, it.submission, it.run, forced.join(" "))
        });
        each.collect()
    }

    #[test]
    fn all_submissions_are_chosen_with_their_last_grading() {
        assert_eq!(
            chosen(&Selection::default()),
            ["attention amara 2 []", "attention ben 1 []", "encoder chen 1 []"]
        );
        let one = Selection { assignment: Some("encoder".to_owned()), ..Selection::default() };
        assert_eq!(chosen(&one), ["encoder chen 1 []"]);
    }

    #[test]
    fn named_checks_are_run_again_where_they_are() {
        let glob = |glob: &str| Some(Glob::new(glob).unwrap().compile_matcher());
        let checks = Selection { checks: glob("a/*"), ..Selection::default() };
        assert_eq!(chosen(&checks), ["attention amara 2 [a/1 a/2]", "attention ben 1 [a/1]"]);
        assert!(chosen(&Selection { checks: glob("x/*"), ..Selection::default() }).is_empty());
    }

    #[test]
    fn a_mistake_is_one_of_the_last_grading() {
        let mistake = Some("missing-scale".to_owned());
        let named = Selection { mistake, ..Selection::default() };
        assert_eq!(chosen(&named), ["encoder chen 1 [c/1]"]);
    }
}
